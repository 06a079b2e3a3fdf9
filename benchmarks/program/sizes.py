"""What a program weighs on its way to a page, and how long JAX and the compiler take to make it."""

from __future__ import annotations

import gzip
import json
import re
import statistics
import subprocess
import time
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradlab.node import find_node
from gradlab.program import Program, compile

RECORDED = re.compile(r'"[A-Za-z0-9+/=]{64,}"')
"""An array in a module's text."""
DESCRIPTION = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)
BROTLI = """
const { readFileSync } = require("node:fs");
const texts = JSON.parse(readFileSync(0, "utf8"));
const sizes = texts.map((text) => require("node:zlib").brotliCompressSync(text).length);
process.stdout.write(JSON.stringify(sizes));
"""


@dataclass
class Payload:
    """Bytes of a program. ``arrays`` are written in it, compressed; the rest counts without them."""

    raw: int
    gzip: int
    brotli: int
    arrays: int


def payloads(modules: Sequence[tuple[str, bool]]) -> list[Payload]:
    """Weigh modules; of those that hold a recorded array it is weighed apart.

    Args:
      modules: the text of each, and whether it holds a recorded array.
    """
    programs, arrays = [], []
    for text, recorded in modules:
        programs.append(RECORDED.sub('""', text) if recorded else text)
        arrays.append("".join(RECORDED.findall(text)) if recorded else "")
    done = subprocess.run(
        [find_node(), "--eval", BROTLI],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return [
        Payload(len(text.encode()), _gzip(text), brotli, _gzip(held) if held else 0)
        for text, held, brotli in zip(programs, arrays, json.loads(done.stdout), strict=True)
    ]


def _gzip(text: str) -> int:
    return len(gzip.compress(text.encode(), 9, mtime=0))


def unknown(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function as one that JAX has not seen, and so has not traced."""
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"{function!r} is no plain function, so its trace cannot be timed afresh.")
    copy = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def compiled(
    function: Callable[..., Any], arguments: Sequence[Any], rounds: int
) -> tuple[Program, float, float]:
    """Compile a function a few times.

    Returns:
      Its program; the seconds that the first time took, and the median of the rest. Each
      time the function is one that JAX has not traced.
    """
    times = []
    for _ in range(1 + rounds):
        fresh = unknown(function)
        start = time.perf_counter()
        program = compile(fresh, *arguments)
        times.append(time.perf_counter() - start)
    return program, times[0], statistics.median(times[1:] or times)


@dataclass(frozen=True)
class Shown:
    """A figure in a page of the built book.

    Attributes:
      page: the page's path under the book.
      place: which figure of that page it is, from 0.
      description: what the page holds of it.
    """

    page: str
    place: int
    description: dict[str, Any]

    @property
    def name(self) -> str:
        """The figure's class."""
        return str(self.description["name"])


def figures_in(book: Path) -> list[Shown]:
    """Find the figures in the pages of a built book.

    One that stands in several pages is found once, or once for each choice of controls that
    it has in sight.
    """
    found: dict[str, Shown] = {}
    for page in sorted(book.rglob("*.html")):
        texts = DESCRIPTION.findall(page.read_text(encoding="utf-8"))
        for place, text in enumerate(texts):
            shown = Shown(page.relative_to(book).as_posix(), place, json.loads(text))
            what = [shown.description[part] for part in ("name", "program", "sight", "more")]
            found.setdefault(json.dumps(what), shown)
    return list(found.values())
