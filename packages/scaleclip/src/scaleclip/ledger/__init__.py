"""Measure where the gradients of unrolled dynamics go.

``Ledger`` and ``PLACEMENTS`` need NumPy alone; the rest is imported with JAX when it is first used.
"""

from typing import TYPE_CHECKING, Any

from scaleclip._extras import needed
from scaleclip.ledger._places import PLACEMENTS
from scaleclip.ledger._type import Ledger

if TYPE_CHECKING:
    from scaleclip.ledger._measure import ledger
    from scaleclip.ledger.placements import coefficients, unroll_losses

__all__ = ["PLACEMENTS", "Ledger", "coefficients", "ledger", "unroll_losses"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needed(f"{__name__}.{name}", "jax"):
        from scaleclip.ledger._measure import ledger
        from scaleclip.ledger.placements import coefficients, unroll_losses
    # All at once, because ledger has the name of its module.
    globals().update(coefficients=coefficients, ledger=ledger, unroll_losses=unroll_losses)
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
