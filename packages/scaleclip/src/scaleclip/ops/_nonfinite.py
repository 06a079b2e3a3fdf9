"""Handle inf and NaN among the entries that an operator is given."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

from scaleclip._words import Nonfinite as Nonfinite
from scaleclip._words import check_choice as check_choice
from scaleclip.ops._norms import widened


def handle_nonfinite(leaf: Array, nonfinite: Nonfinite, where: str) -> Array:
    """Replace or refuse inf and NaN, or let them through.

    Args:
      leaf: a float array.
      nonfinite: ``"propagate"`` leaves it alone, ``"zero"`` puts 0 in place of each entry
        that is inf or NaN, ``"raise"`` refuses it if there is one.
      where: what the error calls it.

    Raises:
      FloatingPointError: for ``"raise"``, if an entry is inf or NaN.
      ValueError: for ``"raise"``, if the entries are not known because the function is
        being traced, by ``jax.jit``, ``jax.vmap`` or ``jax.lax.scan``.
    """
    if nonfinite == "propagate":
        return leaf
    finite = jnp.isfinite(widened(leaf))
    if nonfinite == "zero":
        return jnp.where(finite, leaf, jnp.zeros_like(leaf))
    try:
        wrong = int(jnp.sum(~finite))
    except jax.errors.ConcretizationTypeError as error:
        raise ValueError(
            "nonfinite='raise' must see the numbers, but they are not known here: the function "
            "is traced, by jax.jit, jax.vmap or jax.lax.scan. Use nonfinite='zero' or "
            "'propagate', or check the result outside."
        ) from error
    if wrong:
        raise FloatingPointError(
            f"{where} has {wrong} of {leaf.size} entries that are inf or NaN. To go on without "
            "them use nonfinite='zero', to let them through nonfinite='propagate'."
        )
    return leaf
