"""Primitives that are written with others: a JAX function of the operands, traced in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from explorax.compiler import special_functions
from explorax.compiler.graph.nodes import Atom, Sources
from explorax.compiler.graph.scope import Scope, rewrite
from explorax.compiler.jaxprs import expanded

# From the primitive's parameters and its operands to its results, an array or a sequence of them.
Expansion = Callable[..., Any]
EXPANSIONS: dict[str, Expansion] = {}


def expansion(*names: str) -> Callable[[Expansion], Expansion]:
    """Register what some primitives are, in JAX."""

    def register(function: Expansion) -> Expansion:
        EXPANSIONS.update(dict.fromkeys(names, function))

        @rewrite(*names)
        def expand(
            scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
        ) -> Sequence[Atom]:
            return _inlined(scope, partial(function, equation.params), inputs, sources)

        return function

    return register


def _inlined(
    scope: Scope, function: Expansion, inputs: list[Atom], sources: Sources
) -> Sequence[Atom]:
    form: Any = jax.ShapeDtypeStruct
    avals = [form(atom.aval.shape, atom.aval.dtype) for atom in inputs]
    return scope.inline(jax.make_jaxpr(function)(*avals), inputs, sources)


@expansion("one_minus_square")
def _one_minus_square(params: dict[str, Any], x: jax.Array) -> jax.Array:
    return (1 + x) * (1 - x)


@expansion("log2")
def _log2(params: dict[str, Any], x: jax.Array) -> jax.Array:
    return jnp.log(x) * (1 / jnp.log(jnp.asarray(2, x.dtype)))


@expansion("polynomial")
def _polynomial(params: dict[str, Any], x: jax.Array, *coefficients: jax.Array) -> jax.Array:
    """Follow Horner's rule; JAX begins a long one, which it makes a loop of, from zero."""
    first = len(coefficients) > (params.get("unroll") or 8)
    value = 0 * x + coefficients[-1] if first else coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


expansion("call_hi_primitive")(expanded)


@rewrite("random_gamma")
def _random_gamma(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> Sequence[Atom]:
    """Draw as JAX does where it runs the primitive at once."""
    function = partial(equation.primitive.impl, **equation.params)
    return _inlined(scope, function, inputs, sources)


BY_JAX = ("igamma", "igammac", "igamma_grad_a", "regularized_incomplete_beta")
for _name, _function in {
    "bessel_i0e": special_functions.bessel_i0e,
    "bessel_i1e": special_functions.bessel_i1e,
    **{name: special_functions.by_jax(name) for name in BY_JAX},
}.items():
    if _function is not None:
        expansion(_name)(lambda params, *operands, f=_function: f(*operands))
