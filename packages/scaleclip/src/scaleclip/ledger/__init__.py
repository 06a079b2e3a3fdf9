"""Measure where the gradients of unrolled dynamics go.

``Ledger`` and ``PLACEMENTS`` need NumPy alone; the rest is imported with JAX when it is first used.
"""

from typing import TYPE_CHECKING

from scaleclip._extras import lazily
from scaleclip.ledger._places import PLACEMENTS
from scaleclip.ledger._type import Ledger

if TYPE_CHECKING:
    from scaleclip.ledger._measure import ledger
    from scaleclip.ledger.placements import coefficients, unroll_losses

__all__ = ["PLACEMENTS", "Ledger", "coefficients", "ledger", "unroll_losses"]
MODULES = {"coefficients": "placements", "ledger": "_measure", "unroll_losses": "placements"}
"""The modules that need JAX, by the names that they define."""

__getattr__ = lazily(__name__, MODULES, "jax")


def __dir__() -> list[str]:
    return __all__
