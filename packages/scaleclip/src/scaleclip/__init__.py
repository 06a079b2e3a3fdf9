"""Scale and clip gradients, constrain weights, and record what each did.

`scaleclip.ops` has the operators for JAX, `scaleclip.transforms` the same for Optax,
`scaleclip.torch` for PyTorch, `scaleclip.keras` for Keras. `scaleclip.probe` records a training
run, `scaleclip.ledger` measures where an unrolled model's gradient comes from, and
`scaleclip.figure` draws both. This package itself, recordings and ledgers need NumPy alone.
"""
