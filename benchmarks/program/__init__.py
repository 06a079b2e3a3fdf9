"""The compiler's programs beside JAX and hand-written JavaScript, and the figures that run them."""

MEASURES = ("gradlab/program", "gradlab/figure", "gradlab/figures", "gradlab/frontend/src")
"""The paths that this benchmark measures."""
