"""The compiler's programs beside JAX and hand-written JavaScript, and the figures that run them."""

MEASURES = ("packages/explorax/src/explorax/compiler", "packages/explorax/src/explorax/figure", "packages/sccbook/src/sccbook/figures", "packages/explorax/src/explorax/frontend/src")
"""The paths that this benchmark measures."""
