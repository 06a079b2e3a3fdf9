"""A number in prose is established by a cell next to it, to its printed digits."""

from __future__ import annotations

from typing import Any

import pytest
from nbformat import NotebookNode

from tests.tools.test_frame import code, prose
from tools.prose import numbers, unpaired


def complaints(*cells: Any) -> list[str]:
    return [str(fault) for fault in unpaired(NotebookNode(cells=list(cells)))]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("It is 1.67, or 30 % of 5.57.", ["1.67", "30 %", "5.57"]),
        ("About 29.6% (and −0.5).", ["29.6%", "−0.5"]),
        (r"In maths, $T = 1.67$ and $30\,\%$ and $30\%$.", ["1.67", r"30\%"]),
        ("A thousand is 1,234.5.", ["1,234.5"]),
        ("20 per cent", ["20 per cent"]),
        ("Whole numbers: 6 steps in 2020, chapter 03.", []),
        ("Code: `0.5`, ``a 0.5``.\n\n```python\nx = 0.25\n```\n", []),
        ("[arXiv 1911.08265](https://arxiv.org/abs/1911.08265) and 1308.3432v1", []),
        ("[a link](../0.5/page.md), https://x.org/0.5, JAX 0.10.2, 10.1038/s41586", []),
        ("<!-- 0.5 -->", []),
    ],
)
def test_the_numbers_of_prose(markdown: str, expected: list[str]) -> None:
    assert [printed for printed, *_ in numbers(markdown)] == expected


SAID, PERCENT, GIVEN = (
    "It receives 1.67.",
    "It changes 30 % of the values.",
    "At $s = 0.5$ it halves.",
)
CITED = "The paper reports 0.65."


@pytest.mark.parametrize(
    ("text", "cell", "established"),
    [
        (SAID, code("assert round(total, 2) == 1.67"), True),
        (SAID, code("for t in (1, 2):\n    assert abs(t) < 1.67"), True),
        (SAID, code("print(total)", printed="T = 1.67\n"), True),
        ("It is −1,234.5.", code("assert total == -1234.5"), True),
        (PERCENT, code("assert round(share, 2) == 0.30"), True),
        (PERCENT, code("print()", printed="changed 30%\n"), True),
        (GIVEN, code("f(x, 0.5)"), True),  # any literal
        (SAID, code("total = 1.67"), False),  # mentioned, not asserted
        (SAID, code("assert round(total, 2) == 1.68"), False),
        (SAID, code("assert round(total, 3) == 1.672"), False),
        (SAID, code("print(total)", printed="T = 1.6719\n"), False),
        (SAID, code("print(total)", printed="T = 11.67, v1.67.2\n"), False),
        (SAID, code("# assert total == 1.67"), False),
        (PERCENT, code("assert share == 0.31"), False),
        (GIVEN, code("f(x, 0.25)"), False),
        ("It becomes 1.5.", code("f(x, 1.5)"), False),
    ],
)
def test_a_cell_next_to_a_number_establishes_it(text: str, cell: Any, established: bool) -> None:
    found = complaints(prose(text), cell)
    assert len(found) == (not established)
    assert established or "no cell next to it asserts or prints it" in found[0]


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("cited: 0.65 from the paper's table 2", []),
        ("cited: 0.65", ["0.65 is in", "must read"]),
        ("cited: 0.66 from the paper's table 2", ["0.65 is in", "names no number of its cell"]),
    ],
)
def test_a_number_from_elsewhere_is_named_with_its_reason(tag: str, found: list[str]) -> None:
    for complaint, words in zip(complaints(prose(CITED, tag)), found, strict=True):
        assert words in complaint


CHECK = code("assert x == 1.5", "check")
FAR = [code("assert total == 1.67"), code("pass"), prose(f"## Next\n\n{SAID}"), code("pass")]
HEAD, PRINTS = prose("## Next"), code("print(x)", printed="1.67\n")
AFTER = (code("a"), CHECK, code("b"), CHECK, PRINTS)


@pytest.mark.parametrize(
    ("cells", "faults"),
    [
        (FAR, 1),
        ([*FAR, code("assert total == 1.67")], 0),  # the second one after it
        ([*FAR, code("pass"), code("assert total == 1.67"), prose("## On")], 0),
        ([*FAR, code("pass"), prose("## On"), code("assert total == 1.67")], 1),
        # a check belongs to the code before it, and is not counted
        ([code("0"), prose(SAID), HEAD, CHECK, *AFTER[:2], AFTER[4]], 0),
        ([code("0"), prose(SAID), HEAD, *AFTER], 1),  # the third
        ([PRINTS, CHECK, CHECK, HEAD, prose(SAID), HEAD], 0),
        ([PRINTS, code("c"), CHECK, HEAD, prose(SAID), HEAD], 1),
    ],
)
def test_a_cell_far_away_does_not_count(cells: list[Any], faults: int) -> None:
    assert len(complaints(*cells)) == faults
