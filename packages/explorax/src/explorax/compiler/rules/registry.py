"""The rules by the names of their primitives, and what most of them need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorax.compiler.graph import Equation
from explorax.compiler.lower import Rule
from explorax.compiler.values import Indices, Value

RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule under the primitives' names."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def result(equation: Equation, number: int = 0) -> tuple[tuple[int, ...], str]:
    """Return shape and dtype of an equation's result; the dtype of random keys is ``"key"``."""
    aval: Any = equation.outvars[number].aval
    if jnp.issubdtype(aval.dtype, jax.dtypes.prng_key):
        return tuple(aval.shape), "key"
    return tuple(aval.shape), np.dtype(aval.dtype).name


def reindexed(shape: tuple[int, ...], value: Value, index: Callable[[Indices], Indices]) -> Value:
    """View ``value`` through a function of its indices."""
    return Value(shape, value.dtype, lambda indices: value.at(index(indices)), value.cheap)
