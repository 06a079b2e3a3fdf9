"""Equations that give back an input, or the same number everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax import lax

from gradlab.program.graph.nodes import Atom, Constant, Sources, atom_key
from gradlab.program.graph.scope import Scope, rewrite

# Primitives that act on each element by itself, whatever the shape.
ELEMENTWISE = (
    "add", "sub", "mul", "div", "neg", "abs", "sign", "max", "min", "sqrt", "exp", "log", "sin",
    "cos", "tanh", "logistic", "select_n", "convert_element_type", "eq", "ne", "lt", "le", "gt",
    "ge", "and", "or", "not", "xor", "integer_pow", "square", "pow", "is_finite", "add_any",
)  # fmt: skip
NEUTRAL = {"mul": 1, "max": -np.inf, "min": np.inf}


@rewrite("device_put")
def _placed(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    """Where an array is kept: there is one place in a page."""
    return inputs


@rewrite("stop_gradient", "copy", "copy_p", "convert_element_type")
def _same(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    return [inputs[0]] if _fits(inputs[0], equation) else None


@rewrite(*NEUTRAL)
def _neutral(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> list[Atom] | None:
    """An operation with what leaves every number as it is, NaN and -0 included."""
    return _other(equation, inputs, NEUTRAL[equation.primitive.name])


@rewrite("or", "and", "ne", "eq", "xor")
def _known_side(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> list[Atom] | None:
    if str(inputs[0].aval.dtype) != "bool":
        return None
    return _other(equation, inputs, equation.primitive.name in ("and", "eq"))


def _other(equation: Any, inputs: list[Atom], value: float) -> list[Atom] | None:
    """The other input, where one is a value everywhere."""
    for atom, other in (inputs, inputs[::-1]):
        known = isinstance(atom, Constant) and bool(np.all(np.asarray(atom.value) == value))
        if known and _fits(other, equation):
            return [other]
    return None


@rewrite("select_n")
def _select(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    """A choice that is known, or among cases that are the same."""
    which, first, *others = inputs
    if isinstance(which, Constant) and which.aval.shape == ():
        chosen = (first, *others)[int(np.asarray(which.value))]
        return [chosen] if _fits(chosen, equation) else None
    same = all(atom_key(case) == atom_key(first) for case in others)
    return [first] if same and _fits(first, equation) else None


def _fits(atom: Atom, equation: Any) -> bool:
    aval = equation.outvars[0].aval
    return bool(atom.aval.shape == aval.shape and atom.aval.dtype == aval.dtype)


@rewrite(*ELEMENTWISE)
def _of_scalars(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> Sequence[Atom] | None:
    """An operation of arrays that are the same everywhere is done once."""
    aval = equation.outvars[0].aval
    scalars = [uniform(scope, atom, aval.shape) for atom in inputs]
    found = [atom for atom in scalars if atom is not None]
    if not aval.shape or len(found) < len(inputs):
        return None
    single = aval.update(shape=())
    (one,) = scope.place(equation.primitive, equation.params, found, [single], sources)
    return [spread(scope, one, aval, (), sources)]


def uniform(scope: Scope, atom: Atom, shape: tuple[int, ...]) -> Atom | None:
    """The scalar that stands everywhere in an array of a shape, if it is known to."""
    if atom.aval.shape == ():
        return atom
    if atom.aval.shape != shape:
        return None
    if isinstance(atom, Constant):
        array = np.asarray(atom.value)
        if not array.size or not _repeats(array.reshape(-1)):
            return None
        return Constant(array.reshape(-1)[0], atom.aval.update(shape=()))
    maker = scope.maker(atom)
    if maker is not None and maker.primitive.name == "broadcast_in_dim":
        return uniform(scope, maker.invars[0], maker.invars[0].aval.shape)
    return None


def every(scope: Scope, sequence: Atom, aval: Any, sources: Sources) -> Atom | None:
    """What a sequence has at each of its places, if that is the same."""
    if isinstance(sequence, Constant):
        if not hasattr(sequence.aval.dtype, "itemsize") or sequence.aval.dtype.kind not in "fib":
            return None
        array = np.asarray(sequence.value)
        return Constant(array[0], aval) if array.size and _repeats(array) else None
    maker = scope.maker(sequence)
    if maker is None or maker.primitive.name != "broadcast_in_dim":
        return None
    axes, operand = maker.params["broadcast_dimensions"], maker.invars[0]
    if 0 in axes:
        return None
    if operand.aval.shape == aval.shape:
        return operand
    return spread(scope, operand, aval, tuple(axis - 1 for axis in axes), sources)


def _repeats(array: np.ndarray) -> bool:
    """Whether all that an array has along its first axis is the same, bit for bit."""
    return np.broadcast_to(array[:1], array.shape).tobytes() == array.tobytes()


def spread(scope: Scope, atom: Atom, aval: Any, axes: tuple[int, ...], sources: Sources) -> Atom:
    """An array broadcast, its axes standing at ``axes`` of the result."""
    params = {"shape": aval.shape, "broadcast_dimensions": axes, "sharding": None}
    return scope.place(lax.broadcast_in_dim_p, params, [atom], [aval], sources)[0]
