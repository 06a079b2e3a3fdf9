"""Scratch buffers that are never needed at the same time share their memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gradlab.program import ir
from gradlab.program.passes.effects import blocks, expressions, own_expressions
from gradlab.program.passes.rewrite import rewritten


@dataclass
class _Life:
    """From the first to the last statement, by number, that needs a buffer."""

    first: int
    last: int


def reuse(
    body: list[ir.Statement], buffers: Sequence[ir.Buffer]
) -> tuple[list[ir.Statement], tuple[ir.Buffer, ...]]:
    """The statements with shared buffers, and the buffers that are left."""
    lives = _lives(body)
    slots: list[tuple[ir.Buffer, int]] = []  # what a slot is called, and until when it is taken
    sizes: dict[ir.Buffer, int] = {}
    homes: dict[ir.Buffer, ir.Buffer] = {}
    scratch = [b for b in lives if b.role == "scratch"]
    for buffer in sorted(scratch, key=lambda b: lives[b].first):
        free = [
            n
            for n, (home, until) in enumerate(slots)
            if until < lives[buffer].first and home.dtype == buffer.dtype
        ]
        if free:
            chosen = min(free, key=lambda n: abs(sizes[slots[n][0]] - buffer.size))
            home = slots[chosen][0]
            slots[chosen] = (home, lives[buffer].last)
        else:
            home = buffer
            slots.append((home, lives[buffer].last))
        homes[buffer] = home
        sizes[home] = max(sizes.get(home, 0), buffer.size)
    made = {
        home: ir.Buffer(f"b{number}", size, home.dtype)
        for number, (home, size) in enumerate(sizes.items(), 1)
    }
    constants = [b for b in buffers if b.role == "constant" and b in lives]
    named = {
        b: ir.Buffer(f"constant{number}", b.size, b.dtype, "constant", b.data)
        for number, b in enumerate(constants, 1)
    }
    swap = {buffer: made[home] for buffer, home in homes.items()} | named
    return rewritten(body, buffers=swap), (*named.values(), *made.values())


def _lives(body: list[ir.Statement]) -> dict[ir.Buffer, _Life]:
    """When each buffer is needed: what a loop shares with what is outside it, all through it."""
    lives: dict[ir.Buffer, _Life] = {}
    loops: list[tuple[int, int]] = []
    clock = 0

    def touch(buffer: ir.Buffer, at: int) -> None:
        life = lives.setdefault(buffer, _Life(at, at))
        life.first, life.last = min(life.first, at), max(life.last, at)

    def visit(statement: ir.Statement) -> None:
        nonlocal clock
        clock += 1
        start = clock
        for buffer in _own_buffers(statement):
            touch(buffer, start)
        for block in blocks(statement):
            for below in block:
                visit(below)
        clock += 1
        if isinstance(statement, ir.For | ir.Loop):
            loops.append((start, clock))
        if isinstance(statement, ir.For):
            for buffer in _indexed_by(statement, statement.index):
                touch(buffer, start)
                touch(buffer, clock)

    for statement in body:
        visit(statement)
    for start, end in loops:  # the inner ones come first
        for life in lives.values():
            if life.first < start <= life.last < end:
                life.last = end
            if start < life.first <= end < life.last:
                life.first = start
    return lives


def _own_buffers(statement: ir.Statement) -> Iterator[ir.Buffer]:
    """The buffers that a statement reads or writes by itself."""
    for expression in own_expressions(statement):
        yield from (n.buffer for n in expressions(expression) if isinstance(n, ir.Load))
    if isinstance(statement, ir.Store):
        yield statement.buffer
    if isinstance(statement, ir.Call):
        yield from (a for a in statement.arguments if isinstance(a, ir.Buffer))


def _indexed_by(statement: ir.Statement, counter: str) -> Iterator[ir.Buffer]:
    """The buffers whose elements a loop writes one turn after another."""
    if isinstance(statement, ir.Store):
        words = expressions(statement.index)
        if any(isinstance(n, ir.Local) and n.name == counter for n in words):
            yield statement.buffer
    for block in blocks(statement):
        for below in block:
            yield from _indexed_by(below, counter)
