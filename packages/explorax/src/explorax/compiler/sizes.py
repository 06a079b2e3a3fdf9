"""How large a program's arrays may be: a page holds what it captures, and computes the rest at each drag."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from jax.extend.core import ClosedJaxpr

from explorax.compiler.errors import ProgramError
from explorax.compiler.errors import warn as warn_user
from explorax.compiler.jaxprs import captured, with_inner

Shape = tuple[int, ...]

CAPTURED = (100_000, 500_000)
"""Numbers in captured arrays, together, that make a page slow to load (about 11 bytes each), and too many."""
COMPUTED = (1_000_000, 10_000_000)
"""Numbers in an array that make a page slow to answer a drag, and too many."""


@dataclass(frozen=True)
class Sizes:
    """The shapes of a program's largest arrays, and how many numbers it captures.

    Attributes:
      captured, computed: the shape of the largest array among those.
      held: how many numbers all captured arrays have together.
    """

    captured: Shape
    computed: Shape
    held: int

    @classmethod
    def of(cls, jaxpr: ClosedJaxpr) -> Sizes:
        """Find the largest arrays of a jaxpr."""
        held = {id(array): array for array in captured(jaxpr)}.values()
        numbers = sum(math.prod(array.shape) for array in held)
        equations = (equation for each in with_inner(jaxpr) for equation in each.jaxpr.eqns)
        made = (variable.aval for equation in equations for variable in equation.outvars)
        return cls(_largest(held), _largest(made), numbers)

    def check(self, name: str, times: int = 1, *, warn: bool = False) -> None:
        """Refuse a function whose arrays are too large for a page.

        Args:
          name: of the function.
          times: how often it is computed at each drag, as for a curve.
          warn: whether arrays that are merely large bring a warning.

        Raises:
          ProgramError: it names the shape, how many numbers that is, the limit and what to do.

        Warns:
          UserWarning: the same, where the page will only be slow.
        """
        check_size(
            f"{name} captures arrays, the largest of the shape {self.captured}",
            self.held,
            CAPTURED,
            "the page would have to hold them all",
            "Use fewer of them, or compute what the figure needs of them beforehand.",
            warn=warn,
        )
        often = f", at each of the {times} points of a curve" if times > 1 else ""
        check_size(
            f"{name} computes an array of the shape {self.computed}{often}",
            math.prod(self.computed) * times,
            COMPUTED,
            "the page computes them again at each drag",
            "Use fewer points, or compute it beforehand at some settings, and let the function "
            "interpolate (jnp.interp).",
            warn=warn,
        )


def check_size(
    what: str, count: int, limits: tuple[int, int], why: str, cure: str, *, warn: bool
) -> None:
    """Refuse what is too large for a page, and warn of what makes it slow if asked to."""
    slow, most = limits
    if count > most:
        raise ProgramError(
            f"{what}: {count:,} numbers, and {why}. At most {most:,} are taken. {cure}"
        )
    if warn and count > slow:
        warn_user(f"{what}: {count:,} numbers, and {why}. Above {slow:,} a figure is slow. {cure}")


def _largest(arrays: Iterable[Any]) -> Shape:
    return max((tuple(array.shape) for array in arrays), key=math.prod, default=())
