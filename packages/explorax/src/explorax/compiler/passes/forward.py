"""Pass values that are stored and read again in the same turn on in a variable.

A scratch buffer that nobody reads after that is gone.
"""

from __future__ import annotations

from collections import Counter

from explorax.compiler import ir
from explorax.compiler.passes.effects import affine, effects
from explorax.compiler.traverse import blocks, nodes, own_nodes, rewritten, walk, with_blocks

Place = tuple[ir.Buffer, frozenset[tuple[ir.Expression, int]], int]
Known = dict[Place, ir.Expression]  # what stands where


def forward(body: list[ir.Statement]) -> list[ir.Statement]:
    """Return a program's statements with fewer loads, stores and variables."""
    fresh = Counter[str]()
    body = _block(body, {}, fresh)
    while True:
        smaller = _without_dead(body)
        if smaller == body:
            return body
        body = smaller


def _place(buffer: ir.Buffer, index: ir.Expression) -> Place:
    terms, constant = affine(index)
    return buffer, frozenset(terms.items()), constant


def _block(block: list[ir.Statement], known: Known, fresh: Counter[str]) -> list[ir.Statement]:
    """Replace loads by what ``known`` says their elements hold; ``known`` is updated."""
    done: list[ir.Statement] = []
    loaded = [_loaded(statement) for statement in block]

    def read(node: ir.Expression) -> ir.Expression:
        if isinstance(node, ir.Load) and known:
            return known.get(_place(node.buffer, node.index), node)
        return node

    def inner(block: list[ir.Statement]) -> list[ir.Statement]:
        return _block(block, dict(known), fresh)

    for position, given in enumerate(block):
        did = effects(given)
        statement = given
        if isinstance(given, ir.For | ir.Loop):  # inside, only what it does not change is known
            _forget(known, did.written, did.sets)
            statement = with_blocks(given, inner)
        elif isinstance(given, ir.If):
            (head,) = rewritten([ir.If(given.condition)], read)
            assert isinstance(head, ir.If)
            statement = ir.If(head.condition, inner(given.then), inner(given.otherwise))
        else:
            (statement,) = rewritten([given], read)
        _forget(known, did.written, did.sets)
        if isinstance(statement, ir.Store):
            buffer, index, value = statement.buffer, statement.index, statement.value
            place = _place(buffer, index)
            is_atom = isinstance(value, ir.Local | ir.Number)
            if not is_atom and any(place in each for each in loaded[position + 1 :]):
                fresh["x"] += 1
                name = f"x{fresh['x']}"
                done.append(ir.Let(name, value))
                value = ir.Local(name, buffer.dtype)
                statement, is_atom = ir.Store(buffer, index, value), True
            if is_atom:
                known[place] = value
        done.append(statement)
    return done


def _forget(known: Known, buffers: frozenset[ir.Buffer], names: frozenset[str]) -> None:
    """Forget what some buffers held, and what depends on variables that have changed."""

    def depends(place: Place) -> bool:
        terms = (known[place], *(term for term, _ in place[1]))
        return any(
            isinstance(node, ir.Local) and node.name in names
            for term in terms
            for node in nodes(term)
        )

    for place in [p for p in known if p[0] in buffers or (names and depends(p))]:
        del known[place]


def _loaded(statement: ir.Statement) -> set[Place]:
    return {
        _place(node.buffer, node.index)
        for each in walk([statement])
        for node in own_nodes(each)
        if isinstance(node, ir.Load)
    }


def _without_dead(body: list[ir.Statement]) -> list[ir.Statement]:
    """Leave out stores to what nobody reads, unused variables and empty loops."""
    loaded: set[ir.Buffer] = set()
    used: set[str] = set()
    for statement in walk(body):
        for node in own_nodes(statement):
            if isinstance(node, ir.Load):
                loaded.add(node.buffer)
            elif isinstance(node, ir.Local):
                used.add(node.name)
        if isinstance(statement, ir.Call):
            loaded.update(a for a in statement.arguments if isinstance(a, ir.Buffer))

    def kept(block: list[ir.Statement]) -> list[ir.Statement]:
        smaller = [with_blocks(statement, kept) for statement in block]
        return [statement for statement in smaller if not dead(statement)]

    def dead(statement: ir.Statement) -> bool:
        match statement:
            case ir.Store(buffer):
                return buffer.role == "scratch" and buffer not in loaded
            case ir.Let(name) | ir.Assign(name):
                return name not in used
            case ir.For() | ir.If():
                return not any(blocks(statement))
        return False

    return kept(body)
