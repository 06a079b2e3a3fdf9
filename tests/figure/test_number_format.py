"""Numbers are printed as the book prints them, and as the page does: one table of cases for both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gradlab.figure.number_format import DEFAULT, format_number

CASES = json.loads(
    (Path(__file__).parents[2] / "gradlab/frontend/tests/cases/number_format.json").read_text(
        encoding="utf-8"
    )
)


@pytest.mark.parametrize(("spec", "value", "text"), CASES)
def test_a_number_is_written_as_the_table_of_cases_says(spec: str, value: str, text: str) -> None:
    assert format_number(float(value), spec or DEFAULT) == text


def test_a_format_outside_the_subset_is_named() -> None:
    with pytest.raises(ValueError, match=r"'\+\.2e' is no number format; expected one such as"):
        format_number(1.0, "+.2e")
