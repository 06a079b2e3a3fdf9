"""Removal of what no result needs: equations, carries and stacks of loops, branches' results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from explorax.compiler.graph.nodes import Equation, Graph, Var, variables


def prune(graph: Graph) -> None:
    """Remove the equations, and the results of loops, that no result of the graph needs."""
    needed = set(variables(graph.outvars))
    kept = []
    for equation in reversed(graph.equations):
        wanted = [var in needed for var in equation.outvars]
        if not any(wanted) and equation.outvars:
            continue  # without results it is done for its effect, which the lowering refuses
        name = equation.primitive.name
        if name == "scan":
            _prune_loop(equation, wanted, equation.params["carries"])
        elif name == "while":
            _prune_loop(equation, wanted, len(wanted))
        elif name == "cond":
            for branch in equation.params["branches"]:
                branch.outvars = tuple(compress(branch.outvars, wanted))
                prune(branch)
            equation.outvars = tuple(compress(equation.outvars, wanted))
        needed |= equation.reads()
        kept.append(equation)
    graph.equations[:] = kept[::-1]


def _prune_loop(equation: Equation, wanted: list[bool], carries: int) -> None:
    """Drop the carries and stacks that nobody reads, and the sequences that then nobody reads."""
    params = equation.params
    body, test = params["body"], params.get("test")
    if test is not None:
        prune(test)
        read = test.reads()
        wanted = [w or var in read for w, var in zip(wanted, test.invars, strict=True)]
    while True:
        needed = _needed(body, compress(body.outvars, wanted))
        more = [w or (i < carries and body.invars[i] in needed) for i, w in enumerate(wanted)]
        if more == wanted:
            break
        wanted = more
    body.outvars = tuple(compress(body.outvars, wanted))
    prune(body)
    read = body.reads()
    keep = [*wanted[:carries], *(var in read for var in body.invars[carries:])]
    body.invars = tuple(compress(body.invars, keep))
    equation.invars = tuple(compress(equation.invars, keep))
    if test is not None:
        test.invars = tuple(compress(test.invars, keep))
    else:
        params["carries"] = sum(wanted[:carries])
    equation.outvars = tuple(compress(equation.outvars, wanted))


def _needed(graph: Graph, results: Iterable[object]) -> set[Var]:
    """Return what some results of a graph stand on."""
    needed = {atom for atom in results if isinstance(atom, Var)}
    for equation in reversed(graph.equations):
        if not needed.isdisjoint(equation.outvars):
            needed |= equation.reads()
    return needed
