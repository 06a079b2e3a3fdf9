"""Fewer loops, buffers and stores that compute the same bits."""

from __future__ import annotations

from dataclasses import replace

from explorax.compiler import ir
from explorax.compiler.passes.forward import forward
from explorax.compiler.passes.fusion import fuse
from explorax.compiler.passes.reuse import reuse


def improve(module: ir.Module) -> ir.Module:
    """Fuse loops, hand values on without memory, and let buffers share their memory."""
    body = fuse(list(module.body))
    body = forward(body)
    body, buffers = reuse(body, module.buffers)
    return replace(module, body=tuple(body), buffers=buffers)
