"""What is stored and read again in the same turn is handed on in a variable.

A scratch buffer that nobody reads after that is gone.
"""

from __future__ import annotations

from collections import Counter

from gradlab.program import ir
from gradlab.program.passes.effects import affine, blocks, effects, expressions, own_expressions
from gradlab.program.passes.rewrite import changed, rewritten

Key = tuple[ir.Buffer, frozenset[tuple[ir.Expression, int]], int]


def forward(body: list[ir.Statement]) -> list[ir.Statement]:
    """A program's statements with fewer loads, stores and variables."""
    fresh = Counter[str]()
    body = _block(body, {}, fresh)
    while True:
        smaller = _without_dead(body)
        if smaller == body:
            return body
        body = smaller


def _key(buffer: ir.Buffer, index: ir.Expression) -> Key:
    terms, constant = affine(index)
    return buffer, frozenset(terms.items()), constant


def _block(
    block: list[ir.Statement], known: dict[Key, ir.Expression], fresh: Counter[str]
) -> list[ir.Statement]:
    """Replaces loads by what ``known`` says their elements hold; ``known`` is updated."""
    done: list[ir.Statement] = []
    wanted = [_loads(statement) for statement in block]

    def read(node: ir.Expression) -> ir.Expression:
        if isinstance(node, ir.Load) and known:
            return known.get(_key(node.buffer, node.index), node)
        return node

    for position, statement in enumerate(block):
        if isinstance(statement, ir.Store):
            buffer, index = statement.buffer, changed(statement.index, read)
            value = changed(statement.value, read)
            key = _key(buffer, index)
            _forget(known, {buffer})
            if not isinstance(value, ir.Local | ir.Number) and any(
                key in each for each in wanted[position + 1 :]
            ):
                fresh["x"] += 1
                name = f"x{fresh['x']}"
                done.append(ir.Let(name, value))
                value = ir.Local(name, buffer.dtype)
            if isinstance(value, ir.Local | ir.Number):
                known[key] = value
            done.append(ir.Store(buffer, index, value))
        elif blocks(statement):
            done.append(_compound(statement, known, fresh))
        else:
            done += rewritten([statement], read)
            did = effects(statement)
            _forget(known, set(did.written))
            _forget_variables(known, did.sets)
    return done


def _compound(
    statement: ir.Statement,
    known: dict[Key, ir.Expression],
    fresh: Counter[str],
) -> ir.Statement:
    """A loop or a branch: inside, only what it does not change stays known."""
    did = effects(statement)
    if not isinstance(statement, ir.If):
        _forget(known, set(did.written))
        _forget_variables(known, did.sets)
    match statement:
        case ir.For(index, count, body, reverse):
            made: ir.Statement = ir.For(index, count, _block(body, dict(known), fresh), reverse)
        case ir.Loop(body):
            made = ir.Loop(_block(body, dict(known), fresh))
        case ir.If(condition, then, otherwise):

            def look(node: ir.Expression) -> ir.Expression:
                if isinstance(node, ir.Load):
                    return known.get(_key(node.buffer, node.index), node)
                return node

            made = ir.If(
                changed(condition, look),
                _block(then, dict(known), fresh),
                _block(otherwise, dict(known), fresh),
            )
        case _:
            raise AssertionError(statement)
    _forget(known, set(did.written))
    _forget_variables(known, did.sets)
    return made


def _forget(known: dict[Key, ir.Expression], buffers: set[ir.Buffer]) -> None:
    for key in [key for key in known if key[0] in buffers]:
        del known[key]


def _forget_variables(known: dict[Key, ir.Expression], names: frozenset[str]) -> None:
    """Forgets what a variable that has changed held, and what stands at an index made of it."""
    for key, value in list(known.items()):
        terms = (value, *(term for term, _ in key[1]))
        words = (n for term in terms for n in expressions(term))
        if any(isinstance(n, ir.Local) and n.name in names for n in words):
            del known[key]


def _loads(statement: ir.Statement) -> set[Key]:
    found = {
        _key(node.buffer, node.index)
        for expression in own_expressions(statement)
        for node in expressions(expression)
        if isinstance(node, ir.Load)
    }
    for block in blocks(statement):
        for below in block:
            found |= _loads(below)
    return found


def _without_dead(body: list[ir.Statement]) -> list[ir.Statement]:
    """The statements without stores to what nobody reads, unused variables and empty loops."""
    loaded: set[ir.Buffer] = set()
    used: set[str] = set()

    def look(statement: ir.Statement) -> None:
        for expression in own_expressions(statement):
            for node in expressions(expression):
                if isinstance(node, ir.Load):
                    loaded.add(node.buffer)
                elif isinstance(node, ir.Local):
                    used.add(node.name)
        if isinstance(statement, ir.Call):
            loaded.update(a for a in statement.arguments if isinstance(a, ir.Buffer))
        for block in blocks(statement):
            for below in block:
                look(below)

    for statement in body:
        look(statement)

    def kept(block: list[ir.Statement]) -> list[ir.Statement]:
        return [smaller for statement in block if (smaller := without(statement)) is not None]

    def without(statement: ir.Statement) -> ir.Statement | None:
        match statement:
            case ir.Store(buffer) if buffer.role == "scratch" and buffer not in loaded:
                return None
            case ir.Let(name) | ir.Assign(name) if name not in used:
                return None
            case ir.For(index, count, inner, reverse):
                inner = kept(inner)
                return ir.For(index, count, inner, reverse) if inner else None
            case ir.If(condition, then, otherwise):
                then, otherwise = kept(then), kept(otherwise)
                return ir.If(condition, then, otherwise) if then or otherwise else None
            case ir.Loop(inner):
                return ir.Loop(kept(inner))
        return statement

    return kept(body)
