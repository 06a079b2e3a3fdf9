"""Let scratch buffers that are never needed together share memory."""

from __future__ import annotations

from collections.abc import Sequence

from explorax.compiler import ir
from explorax.compiler.traverse import blocks, nodes, own_nodes, own_parts, rewritten, walk


def reuse(
    body: list[ir.Statement], buffers: Sequence[ir.Buffer]
) -> tuple[list[ir.Statement], tuple[ir.Buffer, ...]]:
    """Return the statements with shared buffers, and the buffers that are left."""
    lifetimes = _lifetimes(body)
    taken: dict[ir.Buffer, int] = {}  # until when the memory of a buffer is needed
    sizes: dict[ir.Buffer, int] = {}
    homes: dict[ir.Buffer, ir.Buffer] = {}
    scratch = [b for b in lifetimes if b.role == "scratch"]
    for buffer in sorted(scratch, key=lambda b: lifetimes[b][0]):
        first, last = lifetimes[buffer]
        free = [b for b, until in taken.items() if until < first and b.dtype == buffer.dtype]
        home = min(free, key=lambda b: abs(sizes[b] - buffer.size), default=buffer)
        taken[home], homes[buffer] = last, home
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


def _lifetimes(body: list[ir.Statement]) -> dict[ir.Buffer, tuple[int, int]]:
    """Find the first and the last statement, by number, that needs each buffer.

    What a loop shares with its outside is needed all through it.
    """
    lifetimes: dict[ir.Buffer, tuple[int, int]] = {}
    loops: list[tuple[int, int]] = []
    clock = 0

    def touch(buffer: ir.Buffer, at: int) -> None:
        first, last = lifetimes.get(buffer, (at, at))
        lifetimes[buffer] = min(first, at), max(last, at)

    def visit(statement: ir.Statement) -> None:
        nonlocal clock
        clock += 1
        start = clock
        loaded = (node.buffer for node in own_nodes(statement) if isinstance(node, ir.Load))
        for buffer in (*loaded, *(p for p in own_parts(statement) if isinstance(p, ir.Buffer))):
            touch(buffer, start)
        for block in blocks(statement):
            for below in block:
                visit(below)
        clock += 1
        if isinstance(statement, ir.For | ir.Loop):
            loops.append((start, clock))
        if isinstance(statement, ir.For):
            for each in walk(statement.body):  # what is written one turn after another
                if isinstance(each, ir.Store) and ir.Local(statement.index) in nodes(each.index):
                    touch(each.buffer, start)
                    touch(each.buffer, clock)

    for statement in body:
        visit(statement)
    for start, end in loops:  # the inner ones come first
        for buffer, (first, last) in lifetimes.items():
            if first < start <= last < end:
                lifetimes[buffer] = first, end
            elif start < first <= end < last:
                lifetimes[buffer] = start, last
    return lifetimes
