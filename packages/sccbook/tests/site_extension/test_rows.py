"""Names with blocks of code become a table, and a cell of another form is reported."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_each_name_is_the_heading_of_a_row_with_its_code_and_remarks_are_below(book: Any) -> None:
    (table,) = book.page("01_clipping.html").select("table.rows")
    rows = [
        (row.th.get_text().strip(), row.td.pre.get_text().strip()) for row in table.select("tr")
    ]
    assert rows == [
        ("NumPy, by hand", "np.clip(g, -1, 1)"),
        ("tf.gone was here. Now:", "tf.clip(g)"),
    ]
    assert table.select("th code")
    assert table.find_next("li").get_text().strip() == "Sonnet has none."
    assert sum("a cell of rows holds names" in line for line in book.warnings) == 1
