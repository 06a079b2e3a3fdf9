"""Check the arguments of a ledger, and find the leaves of a state that have a gradient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from scaleclip.ledger.placements import Head, Step, weights_of
from scaleclip.ops._arguments import describe, is_float, path_str

Floats = list[Array]

AT_MOST = 100
"""Letters that a message gives to a pytree's structure, and to its leaves."""

_OF_MODULES = (
    "Of a module give the parameters alone: in Equinox params, static = eqx.partition(model, "
    "eqx.is_inexact_array), with eqx.combine(params, static) in step and head; in Flax NNX graphdef, "
    "params, rest = nnx.split(model, nnx.Param, ...), with nnx.merge(graphdef, params, rest)."
)


@dataclass(frozen=True)
class Split:
    """A pytree taken apart: the leaves that have a gradient, and the way back."""

    floats: Floats
    leaves: list[Any]
    which: list[bool]
    structure: Any

    def merge(self, floats: Floats) -> Any:
        """Return the pytree with other floats in it."""
        given = iter(floats)
        leaves = [
            next(given) if is_in else leaf
            for is_in, leaf in zip(self.which, self.leaves, strict=True)
        ]
        return jax.tree.unflatten(self.structure, leaves)

    def shaped(self, floats: Floats) -> Any:
        """Return a pytree of the floats alone, with None for the other leaves."""
        return replace(self, leaves=[None] * len(self.leaves)).merge(floats)


def floats_of(tree: Any) -> Split:
    """Take a pytree apart into the leaves that have a gradient and the rest."""
    leaves, structure = jax.tree.flatten(tree)
    which = [is_float(leaf) for leaf in leaves]
    floats = list(compress(leaves, which))
    return Split(floats, leaves, which, structure)


def checked(
    step: Step, head: Head, params: Any, state: Any, inputs: Any, weights: Any
) -> tuple[Any, Any, Any, Array]:
    """Return params, state, inputs and weights as arrays, if they fit ``step`` and ``head``.

    Raises:
      TypeError, ValueError: as ``ledger`` says.
    """
    for name, function in (("step", step), ("head", head)):
        if not callable(function):
            raise TypeError(
                f"{name} must be a function of params, state and input, but {describe(function)} "
                "was given."
            )
    given = (("params", params), ("state", state), ("inputs", inputs))
    params, state, inputs = (_arrays(name, tree) for name, tree in given)
    _require_real_floats("params", params, all_of_them=True)
    _require_real_floats("state", state, all_of_them=False)
    steps = _length(inputs)
    first = jax.eval_shape(lambda: jax.tree.map(lambda leaf: leaf[0], inputs))
    try:
        following = jax.eval_shape(step, params, state, first)
        loss = jax.eval_shape(head, params, state, first)
    except Exception as error:
        if not _takes_entries(step, head, params, state, inputs):
            raise
        kind, is_flat = type(inputs).__name__, jax.tree_util.all_leaves(inputs)
        cure = "jnp.stack(inputs)" if is_flat else "jax.tree.map(lambda *x: jnp.stack(x), *inputs)"
        raise TypeError(
            f"inputs must be a pytree of arrays with one leading axis K, but a {kind} of {len(inputs)} "
            f"was given, one entry a step, and step and head take no {kind}. Give {cure}."
        ) from error
    if _form(following) != _form(state):
        raise TypeError(
            "step must return a state like the one it was given, of the same structure, shapes and "
            f"dtypes, but for {_words(state)} it returned {_words(following)}."
        )
    if (
        not hasattr(loss, "shape")
        or loss.shape != ()
        or not jnp.issubdtype(loss.dtype, jnp.floating)
    ):
        raise TypeError(
            f"head must return one loss, a float of shape (), but it returned {_words(loss)}. "
            "Take the mean or the sum over a batch."
        )
    return params, state, inputs, weights_of(weights, steps)


def hashable(function: Step) -> Step:
    """Return the function, or one around it where ``jit`` could not find it again."""
    try:
        hash(function)
    except TypeError:
        return lambda *args: function(*args)
    return function


def _arrays(name: str, tree: Any) -> Any:
    """Return arrays whose dtypes do not give way to others, as a scan's carry needs them."""

    def strong(path: Any, leaf: Any) -> Array:
        try:
            array = jnp.asarray(leaf)
        except TypeError as error:
            is_part = callable(leaf) or _in_module(path)
            advice = _OF_MODULES if is_part else "Close over what is none."
            raise TypeError(
                f"{name} must be a pytree of arrays, but {name}{path_str(path)} is {describe(leaf)}. "
                f"{advice}"
            ) from error
        return jnp.asarray(array, array.dtype)

    return jax.tree_util.tree_map_with_path(strong, tree)


def _in_module(path: Any) -> bool:
    return any(isinstance(key, jax.tree_util.GetAttrKey) for key in path)


def _require_real_floats(name: str, tree: Any, *, all_of_them: bool) -> None:
    leaves = jax.tree_util.tree_leaves_with_path(tree)
    is_real = [jnp.issubdtype(leaf.dtype, jnp.floating) for _, leaf in leaves]
    for (path, leaf), real in zip(leaves, is_real, strict=True):
        if jnp.issubdtype(leaf.dtype, jnp.complexfloating):
            advice = "Give its real and imaginary parts as two leaves."
        elif all_of_them and not real:
            advice = _OF_MODULES if _in_module(path) else "Make it a float, or close over it."
        else:
            continue
        raise TypeError(
            f"{name} must be a pytree of real floats, but {name}{path_str(path)} is "
            f"{describe(leaf)}. {advice}"
        )
    if not any(is_real):
        raise TypeError(
            f"{name} must have at least one leaf of real floats, but {describe(tree)} was given. "
            "An integer has no gradient: write 1.0 for 1."
        )


def _length(inputs: Any) -> int:
    leaves = jax.tree.leaves(inputs)
    lengths = {leaf.shape[0] if leaf.ndim else None for leaf in leaves}
    if len(lengths) != 1 or None in lengths or 0 in lengths:
        raise ValueError(
            "inputs must be a pytree of arrays with one leading axis K >= 1, one entry a step, "
            f"but {_words(inputs)} was given. Make one array of a list with jnp.asarray; if step takes "
            "no input, give jnp.zeros(K)."
        )
    return int(leaves[0].shape[0])


def _takes_entries(step: Step, head: Head, params: Any, state: Any, inputs: Any) -> bool:
    """Tell whether inputs are a list, and the first of its entries is what one step takes."""
    if not isinstance(inputs, (list, tuple)):
        return False
    try:
        jax.eval_shape(head, params, state, inputs[0])
        return bool(_form(jax.eval_shape(step, params, state, inputs[0])) == _form(state))
    except Exception:
        return False


def _form(tree: Any) -> Any:
    leaves, structure = jax.tree.flatten(tree)
    return structure, [(tuple(leaf.shape), leaf.dtype) for leaf in leaves]


def _words(tree: Any) -> str:
    leaves = [f"{leaf.dtype}{list(leaf.shape)}" for leaf in jax.tree.leaves(tree)]
    if jax.tree_util.all_leaves([tree]):
        return leaves[0]
    parts = str(jax.tree.structure(tree)), ", ".join(leaves) or "nothing"
    return " of ".join(f"{part[:AT_MOST]}..." if len(part) > AT_MOST else part for part in parts)
