"""Reads compiled programs: which are the same, what they compute, what memory they want."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax import Array

from benchmarks.operators.cases import CLIPS, OPERATORS, Operator, cubes, dynamics
from benchmarks.operators.trees import outline, outlined

METADATA = re.compile(r", (?:metadata|frontend_attributes)=\{[^}]*\}|, stack_frame_id=\d+")
NAME = re.compile(r"%?[A-Za-z_][\w-]*(?:\.[\w-]+)+|%[\w.-]+")
INSTRUCTION = re.compile(r"^\s*(?:ROOT )?%?\S+ = (?P<type>\(.*?\)|\S+) (?P<kind>[\w-]+)\(")
SIZES = re.compile(r"\[([\d,]*)\]")


def optimised(function: Callable[..., Any], *arguments: Any, donate: Sequence[int] = ()) -> Any:
    """Compiles a function for arguments, or outlines of them."""
    return jax.jit(function, donate_argnums=tuple(donate)).lower(*arguments).compile()


def canonical(compiled: Any) -> str:
    """A compiled program's text without its names, and without the places it came from."""
    lines = compiled.as_text().splitlines()
    # what stands between the head and the first computation is a list of source files
    first = next(n for n, line in enumerate(lines) if n and line.endswith("{"))
    head = re.sub(r"^HloModule \S+", "HloModule", lines[0])
    text = "\n".join(METADATA.sub("", line) for line in [head, *lines[first:]])
    numbers: dict[str, str] = {}
    return NAME.sub(lambda name: numbers.setdefault(name[0].lstrip("%"), f"%{len(numbers)}"), text)


@dataclass(frozen=True)
class Instruction:
    """One instruction: what it does, and how many entries its largest result has."""

    kind: str
    entries: int


def instructions(compiled: Any, entry: bool = False) -> list[Instruction]:
    """All instructions, those inside fusions too; with ``entry`` those of the entry alone."""
    text = compiled.as_text()
    if entry:
        text = text[text.index("\nENTRY ") :].partition("\n}")[0]
    found = []
    for line in text.splitlines():
        match = INSTRUCTION.match(line)
        if match:
            found.append(Instruction(match["kind"], _largest(match["type"])))
    return found


def _largest(kind: str) -> int:
    """The entries of the largest array of a type such as ``(f32[2,3]{1,0}, pred[])``."""
    counts = []
    for sizes in SIZES.findall(kind):
        count = 1
        for size in filter(None, sizes.split(",")):
            count *= int(size)
        counts.append(count)
    return max(counts, default=0)


def multiplications(compiled: Any) -> int:
    """How many arrays (not scalars) are the result of a multiplication."""
    return sum(one.kind == "multiply" and one.entries > 1 for one in instructions(compiled))


def kernels(compiled: Any) -> int:
    """How many times the program goes to memory: the entry's instructions that do work."""
    idle = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast"}
    return sum(one.kind not in idle for one in instructions(compiled, entry=True))


def scaling() -> list[dict[str, Any]]:
    """What an operator adds to the compiled programs of two functions and of their gradients."""
    held = {"w": outlined(64, 64), "b": outlined(64), "value": outlined(64)}
    many = outline(10**5)
    cases: list[tuple[str, Callable[..., Any], tuple[Any, ...], int]] = [
        ("sum of cubes", cubes, (many,), len(many)),
        ("dynamics", dynamics, (held, outlined(32, 64)), 5),
    ]
    return [
        {"function": words, "met": met, "operator": name, **_added(make, name, arguments)}
        for words, make, arguments, met in cases
        for name in ("gradlab", "optax")
    ]


def _added(
    make: Callable[[Operator], Callable[..., Array]], name: str, arguments: Sequence[Any]
) -> dict[str, Any]:
    without, operated = make(OPERATORS["without"]), make(OPERATORS[name])
    forward = [optimised(function, *arguments) for function in (without, operated)]
    back = [optimised(jax.grad(function), *arguments) for function in (without, operated)]
    return {
        "forward": canonical(forward[0]) == canonical(forward[1]),
        "multiplications": multiplications(back[1]) - multiplications(back[0]),
        "kernels": kernels(back[1]) - kernels(back[0]),
    }


def memory(size: int) -> list[dict[str, Any]]:
    """The memory that each clip wants beside gradients and results, and what it copies."""
    many = outline(size)
    largest = max(leaf.size * leaf.dtype.itemsize for leaf in many.values())
    found = []
    for name, step in CLIPS.items():
        for donate in ((), (0,)):
            compiled = optimised(step, many, outlined(), donate=donate)
            copies = [one for one in instructions(compiled) if one.kind.startswith("copy")]
            found.append(
                {
                    "size": size,
                    "program": name,
                    "donated": bool(donate),
                    "temporary": compiled.memory_analysis().temp_size_in_bytes,
                    "largest": largest,
                    "kernels": kernels(compiled),
                    "copies": sum(one.entries > 1 for one in copies),
                }
            )
    return found
