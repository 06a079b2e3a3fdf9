"""What no result needs is removed: equations, carries and stacks of loops, results of branches."""

from __future__ import annotations

from gradlab.program.graph.nodes import Equation, Graph, Wire, captured_by


def prune(graph: Graph) -> None:
    """Removes the equations, and the results of loops, that no result of the graph needs."""
    needed = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    kept = []
    for equation in reversed(graph.equations):
        wanted = [wire in needed for wire in equation.outvars]
        if not any(wanted) and equation.outvars:
            continue  # without results it is done for its effect, which the lowering refuses
        name = equation.primitive.name
        if name == "scan":
            _prune_loop(equation, wanted, equation.params["carries"])
        elif name == "while":
            _prune_loop(equation, wanted, len(wanted))
        elif name == "cond":
            _prune_branches(equation, wanted)
        needed.update(atom for atom in equation.invars if isinstance(atom, Wire))
        needed.update(captured_by(equation.params))
        kept.append(equation)
    graph.equations[:] = kept[::-1]


def _prune_branches(equation: Equation, wanted: list[bool]) -> None:
    branches = equation.params["branches"]
    for branch in branches:
        branch.outvars = tuple(a for a, keep in zip(branch.outvars, wanted, strict=True) if keep)
        prune(branch)
    outvars = zip(equation.outvars, wanted, strict=True)
    equation.outvars = tuple(wire for wire, keep in outvars if keep)


def _prune_loop(equation: Equation, wanted: list[bool], carries: int) -> None:
    """Drops the carries and stacks that nobody reads, and the sequences that then nobody reads."""
    params = equation.params
    body, test = params["body"], params.get("test")
    if test is not None:
        prune(test)
        read = _read(test)
        wanted = [w or wire in read for w, wire in zip(wanted, test.invars, strict=True)]
    while True:
        trial = Graph(
            body.invars,
            list(body.equations),
            tuple(a for a, keep in zip(body.outvars, wanted, strict=True) if keep),
        )
        read = _needed(trial)
        more = [w or (i < carries and body.invars[i] in read) for i, w in enumerate(wanted)]
        if more == wanted:
            break
        wanted = more
    body.outvars = trial.outvars
    prune(body)
    read = _read(body)
    keep = [wanted[i] if i < carries else body.invars[i] in read for i in range(len(body.invars))]
    body.invars = tuple(w for w, k in zip(body.invars, keep, strict=True) if k)
    equation.invars = tuple(a for a, k in zip(equation.invars, keep, strict=True) if k)
    if test is not None:
        test.invars = tuple(w for w, k in zip(test.invars, keep, strict=True) if k)
    else:
        params["carries"] = sum(wanted[:carries])
    equation.outvars = tuple(w for w, k in zip(equation.outvars, wanted, strict=True) if k)


def _needed(graph: Graph) -> set[Wire]:
    """What the results of a graph stand on, without changing it."""
    needed = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    for equation in reversed(graph.equations):
        if any(wire in needed for wire in equation.outvars):
            needed.update(atom for atom in equation.invars if isinstance(atom, Wire))
            needed.update(captured_by(equation.params))
    return needed


def _read(graph: Graph) -> set[Wire]:
    """All that a graph reads."""
    read = {atom for atom in graph.outvars if isinstance(atom, Wire)}
    for equation in graph.equations:
        read.update(atom for atom in equation.invars if isinstance(atom, Wire))
        read.update(captured_by(equation.params))
    return read
