"""The first step: a JAX function of example arguments becomes a jaxpr with named leaves."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr

from explorax.compiler.errors import COMPLEX, ProgramError
from explorax.compiler.jaxprs import captured
from explorax.compiler.substitution import substituted
from explorax.compiler.traced_values import advised

DTYPES = ("float64", "float32", "int64", "int32", "bool")  # of arguments and results
SMALL = ("int8", "int16", "uint8", "uint16")
INSIDE = (*DTYPES, *SMALL, "uint32", "uint64")  # and of what lies between
KEY_CURE = (
    "A page has no keys: make the key inside the function from a seed that is known "
    "(jax.random.key(0), jax.random.fold_in(key, i)), or draw before and pass what was drawn."
)


@dataclass(frozen=True)
class Leaf:
    """One array of a flattened argument or result.

    Attributes:
      name: the path to it, ``argument.path``; a result that is an array alone is ``result``.
      shape: its shape.
      dtype: one of ``DTYPES``.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Trace:
    """A traced function.

    Attributes:
      name: the function's name.
      jaxpr: what JAX traced, its constants included.
      inputs, outputs: the flattened leaves, in order.
      arguments, result: the structures of the arguments and of the result.
    """

    name: str
    jaxpr: ClosedJaxpr
    inputs: tuple[Leaf, ...]
    outputs: tuple[Leaf, ...]
    arguments: Any
    result: Any


def strong(value: Any, dtype: str) -> jax.Array:
    """Make a strongly typed array of a leaf: floats in ``dtype``; integers and booleans stay.

    To be called with x64 enabled. A Python integer becomes int64.
    """
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        raise ProgramError(f"An argument is a random key. {KEY_CURE}")
    array = np.asarray(value)
    if np.issubdtype(array.dtype, np.floating):
        return jnp.asarray(array, dtype=dtype)
    if array.dtype.name in DTYPES:
        return jnp.asarray(array, dtype=array.dtype)
    cure = f" If it is a random key: {KEY_CURE}" if array.dtype == np.uint32 else ""
    raise ProgramError(
        f"An argument has dtype {array.dtype}; expected a real number or array, one of "
        f"{', '.join(DTYPES)}. Given: {value!r}.{cure}"
    )


def trace(function: Callable[..., Any], *arguments: Any, dtype: str = "float64") -> Trace:
    """Trace ``function`` at the shapes of ``arguments``; their values don't matter.

    Args:
      function: pure; positional arguments and results are pytrees of arrays.
      *arguments: examples, one for each parameter.
      dtype: ``"float64"`` or ``"float32"``; what floating-point leaves become. The caller's x64
        flag plays no part. A captured float32 array keeps its dtype until it meets a float64.

    Raises:
      ProgramError: for arguments that don't fit the function, a leaf that isn't a real number or
        array, a captured float64 array in a float32 program, a loop or a branch that changes
        float32 to float64, and for what needs the number behind a traced argument.
    """
    if dtype not in ("float64", "float32"):
        raise ProgramError(f"dtype is {dtype!r}; expected 'float64' or 'float32'.")
    name = getattr(function, "__name__", type(function).__name__)
    parameters = _parameter_names(_bound(function, name, arguments))
    with jax.enable_x64(True), advised(name):
        examples = [jax.tree.map(lambda leaf: strong(leaf, dtype), a) for a in arguments]
        jaxpr, shapes = jax.make_jaxpr(function, return_shape=True)(*examples)
        _refuse_captured(jaxpr, name, dtype)
        jaxpr = substituted(jaxpr)
    result = jax.tree.unflatten(jax.tree.structure(shapes), jaxpr.out_avals)
    inputs = tuple(
        leaf
        for parameter, example in zip(parameters, examples, strict=True)
        for leaf in _leaves(example, parameter)
    )
    return Trace(
        name=name,
        jaxpr=jaxpr,
        inputs=inputs,
        outputs=tuple(_leaves(result, "")),
        arguments=jax.tree.structure(arguments),
        result=jax.tree.structure(result),
    )


def _bound(
    function: Callable[..., Any], name: str, arguments: tuple[Any, ...]
) -> inspect.BoundArguments:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise ProgramError(
            f"{name} has no arguments that could be named: {error}. Expected a Python function "
            "of arrays; put it into one: lambda x: ..."
        ) from error
    try:
        return signature.bind(*arguments)
    except TypeError as error:
        raise ProgramError(
            f"{name} cannot take {len(arguments)} example arguments: {error}."
        ) from error


def _parameter_names(bound: inspect.BoundArguments) -> list[str]:
    names: list[str] = []
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        several = kind is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}{i}" for i in range(len(value))] if several else [name]
    return names


def _leaves(tree: Any, prefix: str) -> list[Leaf]:
    leaves = []
    for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
        below = jax.tree_util.keystr(path, simple=True, separator=".")
        name = ".".join(part for part in (prefix, below) if part) or "result"
        dtype = str(leaf.dtype)
        if dtype not in DTYPES:
            cure = COMPLEX if "complex" in dtype else "Convert it inside the function."
            raise ProgramError(
                f"The result {name} has dtype {dtype}; expected one of {', '.join(DTYPES)}. " + cure
            )
        leaves.append(Leaf(name, tuple(leaf.shape), dtype))
    return leaves


def _refuse_captured(jaxpr: ClosedJaxpr, name: str, dtype: str) -> None:
    """Refuse captured floats that the program can't hold; float32 meets float64 as JAX lets it."""
    allowed = (dtype, "float32")
    for array in captured(jaxpr):
        given = str(array.dtype)
        if jnp.issubdtype(array.dtype, jnp.floating) and given not in allowed:
            raise ProgramError(
                f"{name} captures a {given} array of shape {tuple(array.shape)}, or makes one of "
                f"given numbers, in a {dtype} program. Make it with dtype={dtype}, or pass it as "
                "an argument."
            )
