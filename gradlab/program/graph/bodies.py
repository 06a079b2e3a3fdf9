"""Branches and loops: what their bodies read from outside, and what does not change in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradlab.program.graph.nodes import Atom, Constant, Graph, Sources, Wire
from gradlab.program.graph.scope import Scope, closed_jaxpr, rewrite
from gradlab.program.graph.simplify import every, spread


@rewrite("cond")
def _cond(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    index, operands = inputs[0], inputs[1:]
    branches = equation.params["branches"]
    if isinstance(index, Constant):
        chosen = int(np.clip(np.asarray(index.value).astype(int), 0, len(branches) - 1))
        return scope.inline(branches[chosen], operands, sources)
    bodies = tuple(scope.body(branch, operands, sources, hoists=False) for branch in branches)
    avals = [v.aval for v in equation.outvars]
    params = {"branches": bodies}
    return scope.place(equation.primitive, params, [index], avals, sources)


def _unchanging(given: list[Atom | None], body: Graph, initial: Sequence[Atom]) -> list[int]:
    """The carries that a body hands on as it got them."""
    free = [i for i, atom in enumerate(given[: len(initial)]) if atom is None]
    handed = dict(zip(free, body.invars, strict=False))
    return [i for i, wire in handed.items() if body.outvars[i] is wire]


@rewrite("scan")
def _scan(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params = equation.params
    consts, carries, length = params["num_consts"], params["num_carry"], params["length"]
    given_consts = inputs[:consts]
    initial, sequences = inputs[consts : consts + carries], inputs[consts + carries :]
    elements_of = [
        every(scope, sequence, variable.aval, sources) if length else None
        for sequence, variable in zip(
            sequences, closed_jaxpr(params["jaxpr"]).jaxpr.invars[consts + carries :], strict=True
        )
    ]
    fixed: list[Atom | None] = [*([None] * carries), *elements_of]
    sequences = [s for s, same in zip(sequences, elements_of, strict=True) if same is None]
    while True:
        body = scope.body(
            closed_jaxpr(params["jaxpr"]), [*given_consts, *fixed], sources, hoists=True
        )
        same = _unchanging(fixed, body, initial)
        if not same:
            break
        for i in same:
            fixed[i] = initial[i]
    free = [i for i in range(carries) if fixed[i] is None]
    results: dict[int, Atom] = {i: initial[i] for i in range(carries) if fixed[i] is not None}
    elements = dict(zip(body.invars[len(free) :], sequences, strict=True))
    stacked = []
    for number in range(carries, len(equation.outvars)):
        atom, aval = body.outvars[number], equation.outvars[number].aval
        if isinstance(atom, Wire) and atom in elements:
            results[number] = elements[atom]
        elif length and not _belongs(atom, body):
            results[number] = spread(scope, atom, aval, tuple(range(1, len(aval.shape))), sources)
        else:
            stacked.append(number)
    outputs = [*free, *stacked]
    body = Graph(body.invars, body.equations, tuple(body.outvars[n] for n in outputs))
    placed = scope.place(
        equation.primitive,
        {"body": body, "carries": len(free), "length": length, "reverse": params["reverse"]},
        [*(initial[i] for i in free), *sequences],
        [equation.outvars[n].aval for n in outputs],
        sources,
    )
    results |= dict(zip(outputs, placed, strict=True))
    return [results[n] for n in range(len(equation.outvars))]


def _belongs(atom: Atom, body: Graph) -> bool:
    """Whether an atom is made inside a body."""
    if isinstance(atom, Constant):
        return False
    made = (wire for equation in body.equations for wire in equation.outvars)
    return atom in body.invars or any(wire is atom for wire in made)


@rewrite("while")
def _while(scope: Scope, equation: Any, inputs: list[Atom], sources: Sources) -> Sequence[Atom]:
    params = equation.params
    test_consts, body_consts = params["cond_nconsts"], params["body_nconsts"]
    for_test = inputs[:test_consts]
    for_body = inputs[test_consts : test_consts + body_consts]
    initial = inputs[test_consts + body_consts :]
    fixed: list[Atom | None] = [None] * len(initial)
    while True:
        body = scope.body(params["body_jaxpr"], [*for_body, *fixed], sources, hoists=True)
        same = _unchanging(fixed, body, initial)
        if not same:
            break
        for i in same:
            fixed[i] = initial[i]
    test = scope.body(params["cond_jaxpr"], [*for_test, *fixed], sources, hoists=True)
    free = [i for i, atom in enumerate(fixed) if atom is None]
    body = Graph(body.invars, body.equations, tuple(body.outvars[i] for i in free))
    placed = scope.place(
        equation.primitive,
        {"test": test, "body": body},
        [initial[i] for i in free],
        [equation.outvars[i].aval for i in free],
        sources,
    )
    results: dict[int, Atom] = dict(zip(free, placed, strict=True))
    return [results.get(i, initial[i]) for i in range(len(initial))]
