"""Numbers are printed as the book prints them, and as the page does: one table of cases for both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorax.words.number_format import DEFAULT, format_number, format_vector

FOLDER = Path(__file__).parents[2] / "src/explorax/frontend/tests/cases"
CASES, VECTORS = (
    json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("number_format", "vector_format")
)


@pytest.mark.parametrize(("spec", "value", "text"), CASES)
def test_a_number_is_written_as_the_table_of_cases_says(spec: str, value: str, text: str) -> None:
    assert format_number(float(value), spec or DEFAULT) == text


@pytest.mark.parametrize(("spec", "values", "text"), VECTORS)
def test_vector_entries_have_equal_decimals(spec: str, values: list[str], text: str) -> None:
    assert format_vector([float(value) for value in values], spec) == text


def test_unknown_format_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'\+\.2e' is no number format; expected one such as"):
        format_number(1.0, "+.2e")
