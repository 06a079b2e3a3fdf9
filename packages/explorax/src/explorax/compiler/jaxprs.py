"""What a jaxpr's equations hold, in every JAX from 0.8 on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

# Primitives that call a jaxpr in place, by the parameter that holds it.
CALLS = {
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "closed_call": "call_jaxpr",
    "eval_jaxpr": "call_jaxpr",  # its name from JAX 0.12 on
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


def closed_jaxpr(jaxpr: Any) -> ClosedJaxpr:
    """Return a jaxpr with its constants; an open one has none."""
    return jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, ())


def inner_jaxprs(params: dict[str, Any]) -> Iterator[ClosedJaxpr]:
    """Yield the jaxprs among the parameters of an equation."""
    for parameter in params.values():
        for inner in parameter if isinstance(parameter, tuple) else (parameter,):
            if hasattr(inner, "eqns"):
                yield closed_jaxpr(inner)


def with_inner(closed: ClosedJaxpr) -> Iterator[ClosedJaxpr]:
    """Yield a jaxpr, and all that are inside it."""
    yield closed
    for equation in closed.jaxpr.eqns:
        for inner in inner_jaxprs(equation.params):
            yield from with_inner(inner)


def captured(closed: ClosedJaxpr) -> Iterator[Any]:
    """Yield what a jaxpr captures, and the jaxprs inside it."""
    return (array for each in with_inner(closed) for array in each.consts)


def constants_and_carries(scan: dict[str, Any]) -> tuple[int, int]:
    """Return how many operands of a scan of these parameters are constants, and how many carried."""
    if "ft_in" in scan:  # from JAX 0.11 on, which groups them
        constants, carries, _ = scan["ft_in"].unpack()
        return len(constants), len(carries)
    return scan["num_consts"], scan["num_carry"]


def solution(linear_solve: dict[str, Any], operands: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return the jaxpr by which a ``custom_linear_solve`` solves, and its operands.

    The rest of what the primitive holds is for derivatives, which have been taken.
    """
    lengths = linear_solve["const_lengths"]
    before = lengths.matvec + lengths.vecmat
    given = [*operands[before : before + lengths.solve], *operands[sum(lengths) :]]
    return linear_solve["jaxprs"].solve, given


def expanded(params: dict[str, Any], *operands: jax.Array) -> list[jax.Array]:
    """Write what JAX calls a high-level primitive as JAX itself does."""
    primitive = params["_prim"]
    arguments = jax.tree.unflatten(primitive.in_tree, operands)
    return jax.tree.leaves(primitive.expand(*arguments))
