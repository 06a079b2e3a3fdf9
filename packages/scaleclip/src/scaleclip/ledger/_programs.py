"""Compile a program once, however often its functions are made anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any
from weakref import WeakKeyDictionary

import jax

PROGRAMS = 64
"""Compiled programs that are kept; those that were called last."""


@dataclass(frozen=True)
class _Program:
    """A program before it is compiled; it equals one of the same text, trees and devices."""

    key: Any
    lowered: Any = field(compare=False)


_of_trace: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""Compiled programs by their traces, which ``jit`` keeps for each function, and by devices."""


def call_compiled(jitted: Any, static: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
    """Call ``jitted(*static, *arguments)``, and compile only what computes something new.

    ``jit`` knows a program by its functions, so it compiles again for a lambda of a loop or of a
    cell that is run again. Here a new function is traced, which is quick, and its program known by
    its text, with the arrays that it closes over. Inside other transformations, which compile for
    themselves, where JAX looks for NaN, and with callbacks to Python, which a text does not tell
    apart, it is ``jit``'s.

    Args:
      jitted: a function of ``jax.jit``, the first of whose arguments are static.
      static: those; hashable.
      arguments: the others, pytrees of arrays.
    """
    leaves, structure = jax.tree.flatten(arguments)
    is_traced = any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
    config: Any = jax.config
    is_watched = config.jax_disable_jit or config.jax_debug_nans or config.jax_debug_infs
    if is_traced or is_watched:
        return jitted(*static, *arguments)
    traced = jitted.trace(*static, *arguments)
    if len(traced.jaxpr.in_avals) > len(leaves):  # a function closes over what is traced
        return jitted(*static, *arguments)
    placed = tuple(leaf.sharding for leaf in leaves)
    programs = _of_trace.setdefault(traced.jaxpr, {})
    if placed not in programs:
        lowered = traced.lower()
        text = lowered.as_text()
        key = sha256(text.encode()).digest(), structure, jax.tree.structure(traced.out_info), placed
        calls_python = any(word in text for word in ("callback", "host_transfer"))
        programs[placed] = jitted if calls_python else _compiled(_Program(key, lowered))
    program = programs[placed]
    return jitted(*static, *arguments) if program is jitted else program(*arguments)


@lru_cache(maxsize=PROGRAMS)
def _compiled(program: _Program) -> Any:
    return program.lowered.compile()
