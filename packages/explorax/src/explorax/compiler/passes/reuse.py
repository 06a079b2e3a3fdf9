"""Let scratch buffers that are never needed together share memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorax.compiler import ir
from explorax.compiler.traverse import blocks, nodes, own_nodes, own_parts, rewritten, walk


@dataclass
class _Lifetime:
    """From the first to the last statement, by number, that needs a buffer."""

    first: int
    last: int


def reuse(
    body: list[ir.Statement], buffers: Sequence[ir.Buffer]
) -> tuple[list[ir.Statement], tuple[ir.Buffer, ...]]:
    """Return the statements with shared buffers, and the buffers that are left."""
    lifetimes = _lifetimes(body)
    slots: list[tuple[ir.Buffer, int]] = []  # what a slot is called, and until when it is taken
    sizes: dict[ir.Buffer, int] = {}
    homes: dict[ir.Buffer, ir.Buffer] = {}
    scratch = [b for b in lifetimes if b.role == "scratch"]
    for buffer in sorted(scratch, key=lambda b: lifetimes[b].first):
        life = lifetimes[buffer]
        free = [
            n
            for n, (home, until) in enumerate(slots)
            if until < life.first and home.dtype == buffer.dtype
        ]
        if free:
            chosen = min(free, key=lambda n: abs(sizes[slots[n][0]] - buffer.size))
            home = slots[chosen][0]
            slots[chosen] = (home, life.last)
        else:
            home = buffer
            slots.append((home, life.last))
        homes[buffer] = home
        sizes[home] = max(sizes.get(home, 0), buffer.size)
    made = {
        home: ir.Buffer(f"b{number}", size, home.dtype)
        for number, (home, size) in enumerate(sizes.items(), 1)
    }
    constants = [b for b in buffers if b.role == "constant" and b in lifetimes]
    named = {
        b: ir.Buffer(f"constant{number}", b.size, b.dtype, "constant", b.data)
        for number, b in enumerate(constants, 1)
    }
    swap = {buffer: made[home] for buffer, home in homes.items()} | named
    return rewritten(body, buffers=swap), (*named.values(), *made.values())


def _lifetimes(body: list[ir.Statement]) -> dict[ir.Buffer, _Lifetime]:
    """Find when each buffer is needed: what a loop shares with its outside, all through it."""
    lifetimes: dict[ir.Buffer, _Lifetime] = {}
    loops: list[tuple[int, int]] = []
    clock = 0

    def touch(buffer: ir.Buffer, at: int) -> None:
        life = lifetimes.setdefault(buffer, _Lifetime(at, at))
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
            for buffer in _written_in_turn(statement):
                touch(buffer, start)
                touch(buffer, clock)

    for statement in body:
        visit(statement)
    for start, end in loops:  # the inner ones come first
        for life in lifetimes.values():
            if life.first < start <= life.last < end:
                life.last = end
            if start < life.first <= end < life.last:
                life.first = start
    return lifetimes


def _own_buffers(statement: ir.Statement) -> Iterator[ir.Buffer]:
    """Yield the buffers that a statement reads or writes by itself."""
    yield from (n.buffer for n in own_nodes(statement) if isinstance(n, ir.Load))
    yield from (part for part in own_parts(statement) if isinstance(part, ir.Buffer))


def _written_in_turn(loop: ir.For) -> Iterator[ir.Buffer]:
    """Yield the buffers whose elements a loop writes one turn after another."""
    for statement in walk(loop.body):
        if isinstance(statement, ir.Store) and ir.Local(loop.index) in nodes(statement.index):
            yield statement.buffer
