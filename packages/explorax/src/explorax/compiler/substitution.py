"""Replace what a page lacks by JAX functions, in the jaxpr itself.

So JAX takes the same singular vectors and eigenvectors here as in the page, where mathematics
leaves a choice; and ``jnp.frexp`` does without the bits of float64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, Jaxpr

from explorax.compiler import linear_algebra
from explorax.compiler.special_functions import frexp, is_frexp

MOST = 64  # of the shorter side: an SVD of that size takes two frames of a page
Params = dict[str, Any]


def _svd(params: Params, a: jax.Array) -> Sequence[jax.Array]:
    u, s, vt = linear_algebra.svd(a, params["full_matrices"])
    return (s, u, vt) if params["compute_uv"] else (s,)


# From the primitive's parameters and one matrix of each operand to its results.
FACTORISATIONS: dict[str, Callable[..., Sequence[jax.Array]]] = {
    "eigh": lambda params, a: linear_algebra.eigh(a, params["lower"]),
    "geqrf": lambda params, a: linear_algebra.geqrf(a),
    "householder_product": lambda params, a, taus: (linear_algebra.householder_product(a, taus),),
    "qr": lambda params, a: linear_algebra.qr(a, params["full_matrices"]),
    "svd": _svd,
}


def refusal(equation: Any) -> str:
    """Say what isn't supported of a factorisation; empty if it is."""
    matrix, params = equation.invars[0].aval, equation.params
    m, n = matrix.shape[-2:]
    if not jnp.issubdtype(matrix.dtype, jnp.floating):
        return f"of {matrix.dtype}"
    if min(m, n) > MOST:
        return f"of a {m} x {n} matrix; the shorter side may be {MOST}"
    if params.get("pivoting"):
        return "with pivoting"
    return "of a part of the values" if params.get("subset_by_index") else ""


def substituted(jaxpr: ClosedJaxpr) -> ClosedJaxpr:
    """Replace each factorisation and ``frexp``, those in loops and branches included."""
    result: ClosedJaxpr = _of_jaxpr(jaxpr)
    return result


def _of_jaxpr(value: Any) -> Any:
    """Replace factorisations in a jaxpr, closed or open; anything else stays."""
    if not _is_jaxpr(value):
        return value
    inside = getattr(value, "jaxpr", value)
    if inside is not value:  # before JAX 0.12 a closed jaxpr is another kind of thing
        inner = _of_jaxpr(inside)
        return value if inner is inside else ClosedJaxpr(inner, value.consts)
    equations = [_of_equation(each) for each in value.eqns]
    same = all(new is old for new, old in zip(equations, value.eqns, strict=True))
    return value if same else value.replace(eqns=equations)


def _of_equation(equation: Any) -> Any:
    name, params = equation.primitive.name, equation.params
    if name in FACTORISATIONS:
        return equation if refusal(equation) else _traced(FACTORISATIONS[name], equation)
    if is_frexp(equation):
        return _traced(lambda _, x: frexp(x), equation)
    parts, structure = jax.tree.flatten(params, is_leaf=_is_jaxpr)
    inner = [_of_jaxpr(part) for part in parts]
    if all(new is old for new, old in zip(inner, parts, strict=True)):
        return equation
    return equation.replace(params=jax.tree.unflatten(structure, inner))


def _is_jaxpr(value: Any) -> bool:
    return isinstance(value, ClosedJaxpr | Jaxpr)


def _traced(function: Callable[..., Any], equation: Any) -> Any:
    """Make an equation a call of a function, at the shapes of its operands."""
    single = partial(function, equation.params)
    for _ in equation.invars[0].aval.shape[:-2]:
        single = jax.vmap(single)
    traced = jax.make_jaxpr(jax.jit(single))(*(variable.aval for variable in equation.invars))
    (call,) = traced.jaxpr.eqns
    return equation.replace(primitive=call.primitive, params=call.params)
