"""Equations that give back an input, or the same number everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from jax import lax

from explorax.compiler.graph.nodes import Atom, Constant, Sources, atom_key
from explorax.compiler.graph.scope import Scope, rewrite

# Primitives that act on each element by itself, whatever the shape.
ELEMENTWISE = (
    "add", "sub", "mul", "div", "neg", "abs", "sign", "max", "min", "sqrt", "exp", "log", "sin",
    "cos", "tanh", "logistic", "select_n", "convert_element_type", "eq", "ne", "lt", "le", "gt",
    "ge", "and", "or", "not", "xor", "integer_pow", "square", "pow", "is_finite", "add_any",
)  # fmt: skip
NEUTRAL = {"mul": 1, "max": -np.inf, "min": np.inf}  # these leave NaN and -0 as they are
NEUTRAL_OF_BOOLEANS = {"and": True, "eq": True, "or": False, "ne": False, "xor": False}


@rewrite("device_put")
def _placed(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    """Keep an array where all are: there is one place in a page."""
    return inputs


@rewrite("stop_gradient", "copy", "copy_p", "convert_element_type")
def _same(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    return [inputs[0]] if _fits(inputs[0], equation) else None


@rewrite(*NEUTRAL, *NEUTRAL_OF_BOOLEANS)
def _neutral(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> list[Atom] | None:
    """Take the other operand, where one leaves it as it is."""
    boolean = str(inputs[0].aval.dtype) == "bool"
    value = (NEUTRAL_OF_BOOLEANS if boolean else NEUTRAL).get(equation.primitive.name)
    for atom, other in (inputs, inputs[::-1]):
        if not isinstance(atom, Constant) or value is None or not _fits(other, equation):
            continue
        if np.all(np.asarray(atom.value) == value):
            return [other]
    return None


@rewrite("select_n")
def _select(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> list[Atom] | None:
    """Choose at once, where the choice is known or the cases are the same."""
    which, first, *others = inputs
    chosen = first
    if isinstance(which, Constant) and which.aval.shape == ():
        chosen = (first, *others)[int(np.asarray(which.value))]
    elif any(atom_key(case) != atom_key(first) for case in others):
        return None
    return [chosen] if _fits(chosen, equation) else None


def _fits(atom: Atom, equation: Any) -> bool:
    aval = equation.outvars[0].aval
    return bool(atom.aval.shape == aval.shape and atom.aval.dtype == aval.dtype)


@rewrite(*ELEMENTWISE)
def _of_scalars(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> Sequence[Atom] | None:
    """Do an operation of arrays that are the same everywhere once."""
    aval = equation.outvars[0].aval
    elements = [uniform_element(scope, atom, aval.shape) for atom in inputs]
    scalars = [atom for atom in elements if atom is not None]
    if not aval.shape or len(scalars) < len(inputs):
        return None
    single = aval.update(shape=())
    (result,) = scope.add(equation.primitive, equation.params, scalars, [single], sources)
    return [broadcast(scope, result, aval, (), sources)]


def uniform_element(scope: Scope, atom: Atom, shape: tuple[int, ...]) -> Atom | None:
    """Return the scalar that stands everywhere in an array of a shape, if it is known to."""
    if atom.aval.shape == ():
        return atom
    if atom.aval.shape != shape:
        return None
    if isinstance(atom, Constant):
        array = np.asarray(atom.value).reshape(-1)
        return Constant(array[0], atom.aval.update(shape=())) if _repeats(array) else None
    producer = scope.producer(atom)
    if producer is not None and producer.primitive.name == "broadcast_in_dim":
        return uniform_element(scope, producer.invars[0], producer.invars[0].aval.shape)
    return None


def constant_element(scope: Scope, sequence: Atom, aval: Any, sources: Sources) -> Atom | None:
    """Return what a sequence has at each of its places, if that is the same."""
    if isinstance(sequence, Constant):
        if getattr(sequence.aval.dtype, "kind", "key") not in "fib":
            return None
        array = np.asarray(sequence.value)
        return Constant(array[0], aval) if _repeats(array) else None
    producer = scope.producer(sequence)
    if producer is None or producer.primitive.name != "broadcast_in_dim":
        return None
    axes, operand = producer.params["broadcast_dimensions"], producer.invars[0]
    if 0 in axes:
        return None
    if operand.aval.shape == aval.shape:
        return operand
    return broadcast(scope, operand, aval, (axis - 1 for axis in axes), sources)


def _repeats(array: np.ndarray) -> bool:
    """Tell whether all that an array has along its first axis is the same, bit for bit."""
    return array.size > 0 and np.broadcast_to(array[:1], array.shape).tobytes() == array.tobytes()


def broadcast(scope: Scope, atom: Atom, aval: Any, axes: Iterable[int], sources: Sources) -> Atom:
    """Broadcast an array, its axes standing at ``axes`` of the result."""
    params = {"shape": aval.shape, "broadcast_dimensions": tuple(axes), "sharding": None}
    return scope.add(lax.broadcast_in_dim_p, params, [atom], [aval], sources)[0]
