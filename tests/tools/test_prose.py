"""A number in prose is established by a cell next to it, to its printed digits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tools.prose import numbers, unpaired, value_of


def found(markdown: str) -> list[str]:
    return [number.printed for number in numbers(markdown)]


def prose(text: str, *tags: str) -> Any:
    return new_markdown_cell(text, id="prose", metadata={"tags": list(tags)} if tags else {})


def code(source: str = "pass", printed: str = "") -> Any:
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, outputs=outputs)


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
    assert found(markdown) == expected


def test_values_are_what_is_printed() -> None:
    assert value_of("30 %") == value_of("0.30") == Decimal("0.3")
    assert value_of("−1,234.5") == Decimal("-1234.5")
    assert value_of("1.67") != value_of("1.672")


@pytest.mark.parametrize(
    "cell",
    [
        code("assert round(total, 2) == 1.67"),
        code("for t in (1, 2):\n    assert abs(t) < 1.67"),
        code("print(total)", "T = 1.67\n"),
    ],
)
def test_an_assertion_or_an_output_establishes_a_number(cell: Any) -> None:
    assert complaints(prose("It receives 1.67."), cell) == []


@pytest.mark.parametrize(
    "cell",
    [
        code("total = 1.67"),  # mentioned, not asserted
        code("assert round(total, 2) == 1.68"),
        code("assert round(total, 3) == 1.672"),
        code("print(total)", "T = 1.6719\n"),
        code("print(total)", "T = 11.67, v1.67.2\n"),
        code("# assert total == 1.67"),
    ],
)
def test_nothing_else_establishes_it(cell: Any) -> None:
    (complaint,) = complaints(prose("It receives 1.67."), cell)
    assert complaint.startswith("cell 1 (prose): 1.67 is in the prose")


def test_a_percentage_is_established_as_a_fraction_or_as_printed() -> None:
    text = prose("It changes 30 % of the values.")
    assert complaints(text, code("assert round(share, 2) == 0.30")) == []
    assert complaints(text, code("print()", "changed 30%\n")) == []
    assert complaints(text, code("assert share == 0.31"))


def test_a_number_that_is_given_may_be_any_literal() -> None:
    assert complaints(prose("At $s = 0.5$ it halves."), code("f(x, 0.5)")) == []
    assert complaints(prose("At $s = 0.5$ it halves."), code("f(x, 0.25)"))
    assert complaints(prose("It becomes 0.5."), code("f(x, 0.5)"))


def test_a_cell_far_away_does_not_count() -> None:
    far = [code("assert total == 1.67"), code(), prose("## Next\n\nIt receives 1.67."), code()]
    assert len(complaints(*far)) == 1
    assert complaints(*far, code("assert total == 1.67")) == []  # the second one after it
    assert len(complaints(*far, code(), code("assert total == 1.67"), prose("## On"))) == 0
    beyond = [prose("## On"), code("assert total == 1.67")]
    assert len(complaints(*far, code(), *beyond)) == 1


def test_a_number_from_elsewhere_is_named_with_its_reason() -> None:
    text = "The paper reports 0.65."
    assert complaints(prose(text, "cited: 0.65 from the paper's table 2")) == []
    assert len(complaints(prose(text, "cited: 0.66 from the paper's table 2"))) == 2
    assert any("must read" in c for c in complaints(prose(text, "cited: 0.65")))
    assert len(complaints(prose("Nothing.", "cited: 0.65 from the paper"))) == 1


def test_a_check_belongs_to_the_code_before_it_and_is_not_counted() -> None:
    check = new_code_cell("assert x == 1.5", metadata={"tags": ["check"]})
    said = prose("It is 1.67.")
    after = (code("a"), check, code("b"), check, code("print(x)", "1.67\n"))
    head = prose("## Next")
    assert complaints(code("0"), said, head, check, *after[:2], after[4]) == []
    assert len(complaints(code("0"), said, head, *after)) == 1  # the third
    before = (code("print(x)", "1.67\n"), check, check)
    assert complaints(*before, head, said, head) == []
    assert len(complaints(before[0], code("c"), check, head, said, head)) == 1
