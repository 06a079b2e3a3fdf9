"""Which loss moves which module: gradients of several losses, side by side, in NumPy or JAX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scaleclip.text_table import aligned


@dataclass(frozen=True, eq=False, repr=False)
class Sources:
    """Gradients of L terms of a loss by G groups of the parameters. It prints itself.

    >>> import jax.numpy as jnp
    >>> from scaleclip import probe
    >>> terms = {"fit": lambda p: jnp.sum((p["w"] - 4.0) ** 2), "decay": lambda p: jnp.sum(p["w"] ** 2)}
    >>> print(probe.sources(terms, {"w": jnp.array([1.0])}).cosines)
    [[ 1. -1.]
     [-1.  1.]]

    Attributes:
      terms, groups: their names.
      values: float ``[L]``; of the terms.
      products: float ``[G, L, L]``; inner products of the terms' gradients within a group.
      whole: float ``[L, L]``; the same over all parameters.
    """

    terms: tuple[str, ...]
    groups: tuple[str, ...]
    values: Any
    products: Any
    whole: Any

    @property
    def norms(self) -> Any:
        """Norms of the terms' gradients: float ``[L, G]``."""
        xp = _namespace(self.products)
        return xp.sqrt(xp.diagonal(self.products, axis1=1, axis2=2)).T

    @property
    def shares(self) -> Any:
        """Each term's part of the sum g of all gradients, along it: float ``[L, G]``.

        ``<g_l, g> / <g, g>`` within a group: they add up to 1, and a term that works against the
        others may be negative. NaN where the sum is 0.
        """
        along = self.products.sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            return (along / along.sum(axis=1, keepdims=True)).T

    @property
    def cosines(self) -> Any:
        """Cosines between the terms' gradients: float ``[L, L]``. NaN where one is 0."""
        return _cosines(self.whole)

    def __repr__(self) -> str:
        return _table(self)


def _namespace(array: Any) -> Any:
    """The module of an array's functions: NumPy, or JAX's."""
    return array.__array_namespace__()


def _cosines(products: Any) -> Any:
    xp = _namespace(products)
    lengths = xp.sqrt(xp.diagonal(products, axis1=-2, axis2=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return products / (lengths[..., :, None] * lengths[..., None, :])


def _table(found: Sources) -> str:
    """Norm and share of each term in each group, then the cosines between the terms."""
    try:
        whole = np.asarray(found.whole)
    except TypeError:  # JAX's, of an array that is traced
        whole = None
    if whole is None or whole.ndim != 2:
        return f"Sources(terms={found.terms}, groups={found.groups}, traced or batched)"
    norms, shares, cosines = (np.asarray(x) for x in (found.norms, found.shares, found.cosines))
    lengths, along = np.sqrt(np.diagonal(whole)), whole.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        of_whole = along / along.sum()
    rows = [["norm (share)", *found.terms]]
    for n, group in enumerate(found.groups):
        rows.append([group, *map(_entry, norms[:, n], shares[:, n])])
    rows.append(["whole", *map(_entry, lengths, of_whole)])
    rows.append(["cosine", *found.terms])
    for n, term in enumerate(found.terms):
        rows.append([term, *(f"{cosine:.2f}" for cosine in cosines[n])])
    return "\n".join(aligned(rows))


def _entry(norm: float, share: float) -> str:
    return f"{norm:.3g} ({share:.0%})"
