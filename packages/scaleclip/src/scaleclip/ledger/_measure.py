"""The ledger of an unroll: through which step each loss's gradient reaches the parameters.

One backward scan carries the cotangents of all K losses side by side. At step j it
pulls each of them back by itself; their sum is what an ordinary backward pass would carry.
"""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from itertools import compress
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.flatten_util import ravel_pytree
from jax.typing import ArrayLike

from scaleclip.ledger._arguments import Floats, checked, floats_of, hashable
from scaleclip.ledger._places import check_placement
from scaleclip.ledger._pull import pull_rows, read_by, row_norms
from scaleclip.ledger._type import Ledger
from scaleclip.ledger.placements import Head, Step, coefficients, unroll_losses
from scaleclip.ops._arguments import is_float, real_scalar
from scaleclip.ops._norms import joint_norm

jax.tree_util.register_dataclass(
    Ledger,
    data_fields=[each.name for each in fields(Ledger) if each.name != "placement"],
    meta_fields=["placement"],
)

ROWS_AT_ONCE = 2**15
"""Numbers of parameters' gradients that are held at a time (one gradient at least): as many as a
core's cache holds."""


def ledger(
    step: Step,
    head: Head,
    params: Any,
    state: Any,
    inputs: Any,
    *,
    scale: ArrayLike = 1.0,
    placement: str = "after_heads",
    weights: Any = None,
) -> Ledger:
    """Measure through which step each loss's gradient reaches the parameters.

    >>> import jax.numpy as jnp
    >>> from scaleclip.ledger import ledger
    >>> step = lambda w, h, x: w * h  # h_j = w h_(j-1)
    >>> head = lambda w, h, x: h  # loss_j = h_j
    >>> found = ledger(step, head, 1.0, 1.0, jnp.zeros(3), scale=0.5, weights=[1, 1, 1])
    >>> print(found.norms)  # row: loss, column: step
    [[1.   0.   0.  ]
     [0.5  1.   0.  ]
     [0.25 0.5  1.  ]]

    The unroll is ``h_j = step(params, h_{j-1}, input_j)``, ``loss_j = head(params, h_j, input_j)``
    for j = 1..K with the gradient scaled at the placement; the whole loss is
    ``sum_k weights_k loss_k``. If the parameters of step j were a copy of their own,
    entry (k, j) would be the gradient of ``weights_k loss_k`` with respect to that copy.

    ``step`` and ``head`` are compiled once, as by ``jit``: they are to be pure, and what one function
    reads besides its arguments is read the first time. They are compiled again for other shapes, another
    K, and a function that is made anew, such as a lambda of a cell that is run again.

    Time grows as K^2, by one pull-back for each entry of the triangle. Memory grows as K, the
    results aside: K states and K cotangents, and of the parameters' gradients at most
    ``ROWS_AT_ONCE`` numbers, or one, at a time. ``benchmarks/ledger`` has both to K = 1,000.

    Args:
      step: ``(params, state, input) -> state``, of the same structure, shapes and dtypes. Its
        backward pass is to be linear: with a clip of gradients in it, the entries do not add
        up to ``step_total``, and the table says by how much.
      head: ``(params, state, input) -> loss``, a float ``[]``.
      params: a pytree of real floats.
      state: h_0, any pytree; leaves without a gradient are carried along, such as a counter, or
        what ``step`` changes in a module of Flax NNX.
      inputs: a pytree whose leaves have a leading axis K: actions, observations, targets.
      scale: s, a real number; it may be traced.
      placement: one of ``PLACEMENTS``: ``"after_heads"``, ``"every_input"``,
        ``"before_heads"``, ``"off"``.
      weights: float ``[K]``; 1/K each by default.

    Returns:
      The ledger. Norms neither overflow nor underflow before their results do; inner products
      may, as squares do.

    Raises:
      TypeError: if a parameter is no real float, or ``step`` or ``head`` return something else
        than a state and a float ``[]``.
      ValueError: for another placement, inputs without one leading axis, or weights of another
        shape.

    Source: the coefficients are those of Schrittwieser et al. 2020 (arXiv 1911.08265, appendix
      G, and its pseudocode) and of public ports; see ``PLACEMENTS``.
    """
    check_placement(placement)
    params, state, inputs, weight = checked(step, head, params, state, inputs, weights)
    factor = real_scalar(scale, "scale")
    found: Ledger = _ledger(
        hashable(step), hashable(head), placement, params, state, inputs, factor, weight
    )
    return found


@partial(jax.jit, static_argnums=(0, 1, 2))
def _ledger(
    step: Step,
    head: Head,
    placement: str,
    params: Any,
    state: Any,
    inputs: Any,
    scale: Array,
    weights: Array,
) -> Ledger:
    steps = weights.shape[0]
    start = floats_of(state)

    def weighted(of_step: Any, of_head: Any, floats: Floats) -> tuple[Array, Any]:
        states, losses = unroll_losses(
            lambda p, h, x: step(p[0], h, x), lambda p, h, x: head(p[1], h, x),
            (of_step, of_head), start.merge(floats), inputs, scale=scale, placement=placement,
        )  # fmt: skip
        return jnp.sum(weights * losses.astype(weights.dtype)), (states, losses)

    grads, (states, losses) = jax.grad(weighted, (0, 1, 2), has_aux=True)(
        params, params, start.floats
    )
    step_total, head_total, state_cotangent = grads
    gates: dict[str, tuple[ArrayLike, ArrayLike]] = {
        "after_heads": (scale, 1.0), "every_input": (scale, 1.0),
        "before_heads": (1.0, scale), "off": (1.0, 1.0),
    }  # fmt: skip
    at_input, at_output = gates[placement]

    read = read_by(step, params, state, jax.tree.map(lambda leaf: leaf[0], inputs))
    square = jnp.zeros((steps, steps), jnp.result_type(jnp.float32, *jax.tree.leaves(params)))
    along = ravel_pytree(list(compress(jax.tree.leaves(step_total), read.which)))[0]
    along = along.astype(square.dtype)

    def pull_back(held: tuple[Any, ...], at_step: Any) -> tuple[Any, Any]:
        """Turn the cotangents of all losses at h_j into those at h_{j-1}: column j is known."""
        (arrived, norms, products, summed), (j, before, after, x, weight) = held, at_step
        own_params, own_state = _head_cotangent(head, params, after, x, weight)
        head_norm = _norm(own_params)
        own = _times(own_state, at_output)
        arrived = _times(arrived, at_output)
        later = [jnp.sum(rows, axis=0) for rows in arrived]
        here = [
            rows.at[j].add(mine.astype(rows.dtype)) for rows, mine in zip(arrived, own, strict=True)
        ]
        norm, product, back, of_step = pull_rows(
            step, read, along, before, x, here, j, ROWS_AT_ONCE
        )
        gate = jnp.where((j == 0) & (placement == "after_heads"), 1.0, at_input)
        norms, products = norms.at[:, j].set(norm), products.at[:, j].set(product)
        return (_times(back, gate), norms, products, summed + of_step), (
            head_norm,
            _norm(own),
            _norm(later),
        )

    nothing = [jnp.zeros((steps, *leaf.shape), leaf.dtype) for leaf in start.floats]
    each = (
        jnp.arange(steps),
        jax.tree.map(lambda leaf: leaf[:-1], states),
        jax.tree.map(lambda leaf: leaf[1:], states),
        inputs,
        weights,
    )
    (at_root, norms, products, summed), (head_norms, own, through) = jax.lax.scan(
        pull_back, (nothing, square, square, jnp.zeros_like(along)), each, reverse=True
    )
    return Ledger(
        scale=scale,
        placement=placement,
        weights=weights,
        losses=losses,
        coefficients=coefficients(steps, scale, placement, weights)[0],
        norms=norms,
        inner_products=products,
        sum_norm=_norm([summed]),
        sum_error=_norm([summed - along]),
        head_norms=head_norms,
        own=own,
        through=through,
        root=row_norms(at_root),
        state_cotangent=start.shaped(state_cotangent),
        total=jax.tree.map(jnp.add, step_total, head_total),
        step_total=step_total,
    )


def _head_cotangent(
    head: Head, params: Any, state: Any, x: Any, weight: Array
) -> tuple[Any, Floats]:
    floats = floats_of(state)
    loss, pull = jax.vjp(
        lambda p, f: jnp.asarray(head(p, floats.merge(f), x)), params, floats.floats
    )
    of_params, of_state = pull(weight.astype(loss.dtype))
    return of_params, of_state


def _times(floats: Floats, factor: ArrayLike) -> Floats:
    return [leaf * jnp.asarray(factor, leaf.dtype) for leaf in floats]


def _norm(tree: Any) -> Array:
    leaves = tuple(leaf for leaf in jax.tree.leaves(tree) if is_float(leaf))
    return joint_norm(leaves, tuple(tuple(range(leaf.ndim)) for leaf in leaves)).value
