"""Fewer loops, buffers and stores that compute the same bits."""

from __future__ import annotations

from dataclasses import replace

from gradlab.program import ir
from gradlab.program.passes.forward import forward
from gradlab.program.passes.fusion import fuse
from gradlab.program.passes.reuse import reuse


def improve(module: ir.Module) -> ir.Module:
    """Fuse loops, hand values on without memory, and let buffers share their memory."""
    body = fuse(list(module.body))
    body = forward(body)
    body, buffers = reuse(body, module.buffers)
    return replace(module, body=tuple(body), buffers=buffers)
