"""Which loss moves which module: gradients of the terms of a loss, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from scaleclip.probe._grouped import grouped
from scaleclip.probe.groups import Groups, by_module
from scaleclip.probe.terms import Sources as Sources

Losses = Mapping[str, Callable[..., Any]] | Callable[..., Mapping[str, Any]]


jax.tree_util.register_dataclass(
    Sources, data_fields=("values", "products", "whole"), meta_fields=("terms", "groups")
)


def sources(losses: Losses, params: Any, *batch: Any, groups: Groups = by_module) -> Sources:
    """Measure which term of a loss moves which group of parameters.

    >>> import jax.numpy as jnp
    >>> from scaleclip import probe
    >>> terms = {"fit": lambda p: jnp.sum((p["w"] - 4.0) ** 2), "decay": lambda p: jnp.sum(p["w"] ** 2)}
    >>> print(probe.sources(terms, {"w": jnp.array([1.0])}))
    norm (share)       fit     decay
    all           6 (150%)  2 (-50%)
    whole         6 (150%)  2 (-50%)
    cosine             fit     decay
    fit               1.00     -1.00
    decay            -1.00      1.00

    It costs about one backward pass for each term, so call it every so many steps; it may be
    jitted, with ``losses`` bound: ``jax.jit(partial(probe.sources, losses))``.

    Args:
      losses: a dict of functions ``(params, *batch) -> float []``, or one function that returns a
        dict of them, which runs the model once. Weights of the terms are part of them.
      params: a pytree; what isn't float or complex has no gradient. An Equinox module goes in by its
        parameters, as ``eqx.partition`` gives them; a Flax NNX module as it is.
      *batch: passed on to the losses.
      groups: as in ``probe.clip_by_global_norm``.

    Returns:
      Norms, shares and cosines, as a ``Sources``.

    Raises:
      ValueError: if there is no term, or one is not a scalar.
      TypeError: if a leaf of ``params`` isn't numeric, such as an activation function.
    """
    names: list[str] = []  # a dict that JAX returns is sorted by its keys

    def terms(params: Any) -> Array:
        if callable(losses):
            found = _checked(losses(params, *batch))
        else:
            found = _checked({name: loss(params, *batch) for name, loss in losses.items()})
        names[:] = found
        return jnp.stack([*found.values()])

    grouped(params, groups, "params")  # refuses a leaf without a gradient, by name
    values, pull_back = jax.vjp(terms, params)
    by_term = [
        grouped(pull_back(seed)[0], groups, "params")
        for seed in jnp.eye(len(names), dtype=values.dtype)
    ]
    by_leaf = [_products(leaves) for leaves in zip(*(t.leaves for t in by_term), strict=True)]
    first = by_term[0]
    products = jax.ops.segment_sum(
        jnp.stack(by_leaf), jnp.array(first.numbers), num_segments=len(first.names)
    )
    return Sources(tuple(names), first.names, values, products, jnp.sum(products, axis=0))


def _checked(terms: Any) -> dict[str, Any]:
    if not isinstance(terms, Mapping) or not terms:
        raise ValueError(
            f"losses must be a dict of functions, or return a dict of scalars, but {terms!r} came of it."
        )
    for name, value in terms.items():
        if jnp.shape(value) != ():
            raise ValueError(
                f"The loss {name!r} has the shape {jnp.shape(value)}; expected a scalar, such as its mean."
            )
    return {str(name): jnp.asarray(value) for name, value in terms.items()}


def _products(leaves: tuple[Array, ...]) -> Array:
    """Inner products of the terms' gradients in one leaf: ``[L, L]``."""
    flat = jnp.stack([jnp.ravel(leaf) for leaf in leaves])
    if jnp.iscomplexobj(flat):  # <a, b> = Re(sum(conj(a) b)), so that <a, a> is the norm squared
        flat = jnp.concatenate([flat.real, flat.imag], axis=1)
    wide = flat.astype(jnp.float64 if flat.dtype == jnp.float64 else jnp.float32)
    # no matrix product, which an axis that is sharded explicitly would make ambiguous
    return jnp.sum(wide[:, None] * wide[None], axis=2)
