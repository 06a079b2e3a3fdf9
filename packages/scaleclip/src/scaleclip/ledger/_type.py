"""The contents of a ledger, and the table that it prints. This part needs NumPy alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from scaleclip.text_table import aligned

Array: TypeAlias = Any
"""JAX's array, or NumPy's in a ledger of PyTorch: the type needs neither of them but NumPy."""

AT_MOST = 12
"""Losses and steps that are printed; of more, the first and the last."""

LEAST_ERROR = 0.01
"""An error of the sum that is named, relative to what is added up: rounding in float32 makes a
millionth, and less than this where ``step`` computes in bfloat16."""


@dataclass(frozen=True, eq=False, repr=False)
class Ledger:
    """Gradients of the losses of an unroll, by where they end up.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ledger import ledger
    >>> step = lambda w, h, x: w * h  # h_j = w h_(j-1)
    >>> head = lambda w, h, x: h  # loss_j = h_j
    >>> print(ledger(step, head, 1.0, 1.0, jnp.zeros(2), scale=0.5, weights=[1, 1]))
    Ledger of K = 2, s = 0.5 after_heads: norms, loss by step
               1  2  root  heads
    loss 1     1        1      0
    loss 2   0.5  1   0.5      0
    own        1  1
    through  0.5  0
    total through step 2.5, total 2.5, at the initial state 1.5

    A pytree of JAX, so it may be computed under ``jit`` and ``vmap``. It prints itself as a table;
    with ``scaleclip.figure`` imported, a notebook draws it.

    Attributes:
      scale: float ``[]``; s.
      placement: one of ``PLACEMENTS``.
      weights: float ``[K]``; w.
      losses: float ``[K]``; unweighted.
      coefficients: float ``[K, K]``; the factor that scale and weights make, alone.
      norms: float ``[K, K]``; of the gradient that reaches the parameters through step j
        from loss k, weight included.
      inner_products: float ``[K, K]``; of each of those gradients with their sum, the total
        through ``step``. They add up to its squared norm.
      sum_norm: float ``[]``; of the sum of all those gradients.
      sum_error: float ``[]``; the norm of that sum minus the total through ``step``: no more than
        rounding, where the backward pass of ``step`` is linear.
      head_norms: float ``[K]``; of what reaches the parameters through head k directly.
      own: float ``[K]``; the norm of the cotangent at the output of step k, after any
        scale there, that comes from its own head.
      through: float ``[K]``; the same, of what comes from later steps.
      root: float ``[K]``; the norm of what each loss sends to the initial state.
      state_cotangent: the sum of that over the losses, shaped like the state. Leaves that have
        no gradient (integers) hold ``None``.
      total: a pytree like the parameters: ``jax.grad`` of the scaled, weighted loss.
      step_total: the part of it that comes through ``step``.
    """

    scale: Array
    placement: str = field(metadata={"static": True})
    weights: Array
    losses: Array
    coefficients: Array
    norms: Array
    inner_products: Array
    sum_norm: Array
    sum_error: Array
    head_norms: Array
    own: Array
    through: Array
    root: Array
    state_cotangent: Any
    total: Any
    step_total: Any

    @property
    def shares(self) -> Array:
        """Each entry's part of the total through ``step``, along it: float ``[K, K]``.

        ``<g_kj, g> / <g, g>``: they add up to 1, and one that works against the total is
        negative. NaN where the total is 0, or so large that its square is infinite.
        """
        return self.inner_products / self.inner_products.sum()

    def __repr__(self) -> str:
        return table(self)


def is_known(ledger: Ledger) -> bool:
    """Tell whether it is one ledger of numbers: not traced, batched, or shapes alone."""
    norms, jax = ledger.norms, _jax()
    if isinstance(norms, np.ndarray) or jax is None:
        return np.ndim(norms) == 2
    is_array = isinstance(norms, jax.Array) and not isinstance(norms, jax.core.Tracer)
    return is_array and norms.ndim == 2


def table(ledger: Ledger) -> str:
    """Print the norms as a triangle, with heads and root beside it, and what arrives below.

    A ledger that is traced or batched, or that holds something else than numbers, says its shape
    instead.
    """
    if not is_known(ledger):
        shape = tuple(getattr(ledger.norms, "shape", ()))
        return f"Ledger(placement={ledger.placement!r}, norms {shape})"
    norms = np.asarray(ledger.norms)
    steps = len(norms)
    shown = _shown(steps)
    heading = ["", *("…" if j is None else str(j + 1) for j in shown), "root", "heads"]
    rows = [heading]
    for k in shown:
        if k is None:
            rows.append(["…"] + [""] * (len(heading) - 1))
            continue
        entries = [_entry(norms, k, j) for j in shown]
        rows.append([f"loss {k + 1}", *entries, show(ledger.root[k]), show(ledger.head_norms[k])])
    for name, values in (("own", ledger.own), ("through", ledger.through)):
        rows.append([name, *("…" if j is None else show(values[j]) for j in shown), "", ""])
    at = (
        "no scale"
        if ledger.placement == "off"
        else f"s = {float(ledger.scale):g} {ledger.placement}"
    )
    title = f"Ledger of K = {steps}, {at}: norms, loss by step"
    sums = (
        f"total through step {show(_size(ledger.step_total))}, total {show(_size(ledger.total))}, "
        f"at the initial state {show(_size(ledger.state_cotangent))}"
    )
    return "\n".join([title, *aligned(rows), sums, *filter(None, [caution(ledger)])])


def caution(ledger: Ledger) -> str:
    """Say that the entries do not add up, if rounding in the dtypes at hand is no reason for it."""
    narrow = _leaves([ledger.step_total, ledger.state_cotangent])
    jax = _jax()
    finfo: Any = np.finfo if jax is None else jax.numpy.finfo  # NumPy knows no bfloat16
    epsilon = max(float(finfo(leaf.dtype).eps) for leaf in narrow)
    total, error = _size(ledger.step_total), float(ledger.sum_error)
    # entries that nearly vanish are made of cotangents that do not, and have their rounding
    cotangents = _size([ledger.own, ledger.through, ledger.root])
    rounding = 8 * epsilon * (total + _size(ledger.norms)) + 64 * epsilon * cotangents
    if not error > max(LEAST_ERROR * (total + _size(ledger.norms)), rounding):
        return ""
    return (
        f"The entries add up to {show(ledger.sum_norm)}, not to the total through step, {show(total)} "
        f"({show(error)} apart): step's backward pass is not linear, as with a clip of gradients in "
        "it. Each entry is what its loss alone would send; clip outside of step for entries that "
        "add up."
    )


def show(value: Any) -> str:
    """Write a number to three digits, short."""
    number = float(value)
    return "0" if number == 0 else f"{number:.3g}"


def _shown(steps: int) -> list[int | None]:
    if steps <= AT_MOST:
        return list(range(steps))
    half = AT_MOST // 2
    return [*range(half), None, *range(steps - half, steps)]


def _entry(norms: np.ndarray, k: int, j: int | None) -> str:
    if j is None:
        return "…"
    return show(norms[k, j]) if j <= k else ""


def _size(tree: Any) -> float:
    """Compute the norm of a pytree; its squares may be too large for a float."""
    flat = np.concatenate([np.ravel(leaf).astype(np.float64) for leaf in _leaves(tree)])
    largest = float(np.max(np.abs(flat), initial=0.0))
    return largest * float(np.linalg.norm(flat / largest)) if 0 < largest < np.inf else largest


def _leaves(tree: Any) -> list[Any]:
    """Return the arrays in a pytree of JAX; without JAX, in dicts, lists and tuples."""
    jax = _jax()
    if jax is not None:
        found: list[Any] = jax.tree.leaves(tree)
        return found
    if tree is None:
        return []
    if isinstance(tree, Mapping):
        tree = list(tree.values())
    if not isinstance(tree, (list, tuple)):
        return [tree]
    return [leaf for part in tree for leaf in _leaves(part)]


def _jax() -> Any:
    """Return JAX where it has been imported: where it has not, nothing is its own."""
    return sys.modules.get("jax")
