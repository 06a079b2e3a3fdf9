"""Names with blocks of code become a table: a row each, and what else there is to say below it."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_each_name_is_the_heading_of_a_row_with_its_code(book: Any) -> None:
    (table,) = book.page("01_clipping.html").select("table.rows")
    headings = [row.th.get_text().strip() for row in table.select("tr")]
    assert headings == ["NumPy, by hand", "tf.gone was here. Now:"]
    assert [row.td.pre.get_text().strip() for row in table.select("tr")] == [
        "np.clip(g, -1, 1)", "tf.clip(g)"
    ]  # fmt: skip
    assert table.select("th code")


def test_further_remarks_are_below_the_table(book: Any) -> None:
    table = book.page("01_clipping.html").select_one("table.rows")
    below = table.find_next("li")
    assert below.get_text().strip() == "Sonnet has none."


def test_malformed_rows_are_reported(book: Any) -> None:
    assert sum("a cell of rows holds names" in line for line in book.warnings) == 1
