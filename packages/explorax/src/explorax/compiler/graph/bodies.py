"""Primitives with jaxprs inside: what the bodies read from outside, and what does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr

from explorax.compiler.graph.nodes import Atom, Constant, Graph, Sources
from explorax.compiler.graph.scope import Scope, rewrite
from explorax.compiler.graph.simplify import broadcast, constant_element
from explorax.compiler.jaxprs import closed_jaxpr, constants_and_carries, solution


@rewrite("custom_linear_solve")
def _solve(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    return scope.inline(*solution(equation.params, inputs), sources)


@rewrite("scatter")
def _scatter(
    scope: Scope, equation: Any, inputs: list[Atom], sources: Sources
) -> Sequence[Atom] | None:
    """Make a body of the function by which ``x.at[i].apply(f)`` updates."""
    function = equation.params["update_jaxpr"]
    if function is None:
        return None
    closed = ClosedJaxpr(function, equation.params["update_consts"])
    body = scope.body(closed, [None, None], sources)
    params = equation.params | {"update_jaxpr": body, "update_consts": ()}
    return scope.add(equation.primitive, params, inputs, [equation.outvars[0].aval], sources)


@rewrite("cond")
def _cond(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    index, operands = inputs[0], inputs[1:]
    branches = equation.params["branches"]
    if isinstance(index, Constant):
        chosen = int(np.clip(np.asarray(index.value).astype(int), 0, len(branches) - 1))
        return scope.inline(branches[chosen], operands, sources)
    bodies = tuple(scope.body(branch, operands, sources) for branch in branches)
    avals = [v.aval for v in equation.outvars]
    return scope.add(equation.primitive, {"branches": bodies}, [index], avals, sources)


def _loop_body(
    scope: Scope,
    jaxpr: Any,
    given: Sequence[Atom],
    initial: Sequence[Atom],
    elements: Sequence[Atom | None],
    sources: Sources,
) -> tuple[Graph, dict[int, Atom]]:
    """Make the body of a loop, without the carries that it hands on as it got them.

    Returns:
      The body, and by number the carries that are no parameters of it: what they are.
    """
    fixed: dict[int, Atom] = {}
    while True:
        carries = [fixed.get(i) for i in range(len(initial))]
        body = scope.body(jaxpr, [*given, *carries, *elements], sources, hoists=True)
        free = [i for i in range(len(initial)) if i not in fixed]
        same = [i for i, v in zip(free, body.invars, strict=False) if body.outvars[i] is v]
        if not same:
            return body, fixed
        fixed |= {i: initial[i] for i in same}


@rewrite("scan")
def _scan(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params, jaxpr = equation.params, equation.params["jaxpr"]
    (start, carries), length = constants_and_carries(params), params["length"]
    given, initial = inputs[:start], inputs[start : start + carries]
    sequences = inputs[start + carries :]
    avals = [v.aval for v in closed_jaxpr(jaxpr).jaxpr.invars[start + carries :]]
    elements = [
        constant_element(scope, sequence, aval, sources) if length else None
        for sequence, aval in zip(sequences, avals, strict=True)
    ]
    sequences = [s for s, same in zip(sequences, elements, strict=True) if same is None]
    body, results = _loop_body(scope, jaxpr, given, initial, elements, sources)
    free = [i for i in range(carries) if i not in results]
    whole = dict(zip(body.invars[len(free) :], sequences, strict=True))
    inside = body.defines()
    for number in range(carries, len(equation.outvars)):
        atom, aval = body.outvars[number], equation.outvars[number].aval
        if atom in whole:
            results[number] = whole[atom]
        elif length and atom not in inside:
            results[number] = broadcast(scope, atom, aval, range(1, len(aval.shape)), sources)
    outputs = [n for n in range(len(equation.outvars)) if n not in results]
    body = Graph(body.invars, body.equations, tuple(body.outvars[n] for n in outputs))
    placed = scope.add(
        equation.primitive,
        {"body": body, "carries": len(free), "length": length, "reverse": params["reverse"]},
        [*(initial[i] for i in free), *sequences],
        [equation.outvars[n].aval for n in outputs],
        sources,
    )
    results |= dict(zip(outputs, placed, strict=True))
    return [results[n] for n in range(len(equation.outvars))]


@rewrite("while")
def _while(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params = equation.params
    test_consts, body_consts = params["cond_nconsts"], params["body_nconsts"]
    start = test_consts + body_consts
    for_test, for_body, initial = inputs[:test_consts], inputs[test_consts:start], inputs[start:]
    body, results = _loop_body(scope, params["body_jaxpr"], for_body, initial, (), sources)
    carries = [results.get(i) for i in range(len(initial))]
    test = scope.body(params["cond_jaxpr"], [*for_test, *carries], sources, hoists=True)
    free = [i for i, atom in enumerate(carries) if atom is None]
    body = Graph(body.invars, body.equations, tuple(body.outvars[i] for i in free))
    placed = scope.add(
        equation.primitive,
        {"test": test, "body": body},
        [initial[i] for i in free],
        [equation.outvars[i].aval for i in free],
        sources,
    )
    results |= dict(zip(free, placed, strict=True))
    return [results[i] for i in range(len(initial))]
