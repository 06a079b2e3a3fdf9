"""Random JAX programs, what JAX says they give, and what their emitted modules give in Node."""
