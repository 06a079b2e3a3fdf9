"""Fuse loops of equal length if no turn then reads what a later turn writes."""

from __future__ import annotations

from explorax.compiler import ir
from explorax.compiler.passes.effects import Access, Effects, affine, commute, effects
from explorax.compiler.traverse import rewritten, with_blocks

REACH = 48  # statements that a loop is moved over, at most


def fuse(block: list[ir.Statement]) -> list[ir.Statement]:
    """Fuse the loops of a block, bodies included."""
    done: list[ir.Statement] = []
    known: list[Effects] = []
    for statement in block:
        mine = effects(statement)
        if isinstance(statement, ir.For):
            partner = _partner(done, known, statement, mine)
            if partner is not None:
                position, up = partner
                fused = _fused(done[position], statement)
                if not up:
                    del done[position], known[position]
                    position = len(done)
                done[position : position + 1] = [fused]
                known[position : position + 1] = [effects(fused)]
                continue
        done.append(statement)
        known.append(mine)
    return [with_blocks(statement, fuse) for statement in done]


def _partner(
    done: list[ir.Statement], known: list[Effects], loop: ir.For, mine: Effects
) -> tuple[int, bool] | None:
    """Find the nearest earlier loop to fuse with.

    Returns:
      Its position, and whether ``loop`` moves up to it (or it down).
    """
    free = True  # whether ``loop`` can be moved up to here
    for position in range(len(done) - 1, max(-1, len(done) - 1 - REACH), -1):
        other = done[position]
        if (
            isinstance(other, ir.For)
            and (other.count, other.reverse) == (loop.count, loop.reverse)
            and _fusible(other, known[position], loop, mine)
        ):
            if free:
                return position, True
            if all(commute(known[position], between) for between in known[position + 1 :]):
                return position, False
        free = free and commute(mine, known[position])
    return None


def _fused(first: ir.Statement, second: ir.For) -> ir.For:
    assert isinstance(first, ir.For)

    def rename(node: ir.Expression) -> ir.Expression:
        same = isinstance(node, ir.Local) and node.name == second.index
        return ir.Local(first.index) if same else node

    body = [*first.body, *rewritten(second.body, rename)]
    return ir.For(first.index, first.count, body, first.reverse)


def _fusible(first: ir.For, a: Effects, second: ir.For, b: Effects) -> bool:
    """Tell whether turn by turn gives what one loop after the other gives."""
    if a.sets & (b.uses | b.sets) or b.sets & a.uses:
        return False
    shared = (a.written & b.buffers) | (b.written & a.buffers)
    return all(
        _in_step(x, first.index, a, y, second.index, b)
        for x in a.accesses
        if x.buffer in shared
        for y in b.accesses
        if y.buffer is x.buffer and (x.writes or y.writes)
    )


def _in_step(x: Access, i: str, a: Effects, y: Access, j: str, b: Effects) -> bool:
    """Tell whether two accesses of the same element are always in the same turn.

    Each turn then has a stretch of the buffer of its own, as long as the index's stride.
    """
    spans = []
    for access, counter, around in ((x, i, a), (y, j, b)):
        if access.index is None:
            return False
        terms, constant = affine(access.index)
        stride = terms.pop(ir.Local(counter), 0)
        low = high = constant
        for node in list(terms):
            if isinstance(node, ir.Local) and node.name in access.inner:
                reach = terms.pop(node) * (access.inner[node.name] - 1)
                low, high = min(low, low + reach), max(high, high + reach)
            elif not isinstance(node, ir.Local) or node.name in around.within:
                return False  # it may be anywhere
        spans.append((stride, terms, low, high))
    (stride, terms, low, high), (other, others, least, most) = spans
    if not stride or stride != other or terms != others:
        return False
    return max(high, most) - min(low, least) < abs(stride)
