"""A fixed sample of the grammar: each row of the tables and each structure, alone."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from random import Random

import numpy as np

from tests.compiler.fuzzing.programs import WRITER, Example, make_argument, returned
from tests.compiler.fuzzing.rows import write_row
from tests.compiler.fuzzing.structures import STRUCTURES
from tests.compiler.fuzzing.tables import SETTINGS, TABLES
from tests.compiler.fuzzing.writer import FLOATS, Scope, Text

CALLS = ("plain", "halves", "special", "extreme", "wide", "halves")
TRIES = 60  # shapes that do not fit, before a row gives up


def single(kind: str, row: str, dtype: str) -> Example | None:
    """A program of one statement; None where no shapes were found that it takes."""
    for attempt in range(TRIES):
        random = Random(zlib.crc32(f"{kind}{row}{dtype}{attempt}".encode()))
        text = Text(random.randrange, float=dtype, sizes=(3, 2, 4))
        scope = Scope(text)
        if kind in STRUCTURES:
            scope.made(text.shape(), dtype)
            STRUCTURES[kind](scope, WRITER)
        elif write_row(scope, row, SETTINGS) is None:
            continue
        if not scope.own:
            continue
        source = returned(scope)
        numbers = np.random.default_rng(attempt)
        calls = tuple(
            tuple(make_argument(v, style, numbers) for v in text.inputs) for style in CALLS
        )
        return Example(source, calls, dtype, (kind,))
    return None


def corpus(structures: int = 6) -> Iterator[tuple[str, Example | None]]:
    """Each row in each precision, and each structure so many times, with what it is."""
    for kind, rows in TABLES.items():
        for row in rows:
            for dtype in FLOATS:
                yield f"{kind}, {row}, {dtype}", single(kind, row, dtype)
    for kind in STRUCTURES:
        for number in range(structures):
            dtype = FLOATS[number % 2]
            yield f"{kind} {number}", single(kind, str(number), dtype)
