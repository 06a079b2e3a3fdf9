"""Logical lines are counted by part, and a budget that is exceeded is reported."""

from __future__ import annotations

import pytest

from tools.lines import kind, problems, python_lines

PARTS = {"packages/one": {"product": 10, "tests": 5}, "tests": {"product": 0, "tests": 5}}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"""Docs."""\n\n# why\nx = f(\n    1,\n    2,\n)\n', 1),
        ('def f():\n    """Docs."""\n    if x:\n        return 1\n', 3),
        ("class Empty:\n    '''Docs.'''\n", 2),
    ],
)
def test_a_statement_counts_once_and_docs_not_at_all(text: str, lines: int) -> None:
    assert python_lines(text) == lines


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("packages/one/src/one/figures/a/figure.py", "product"),
        ("packages/one/src/one/figures/a/test_a.py", "tests"),
        ("packages/one/src/one/figures/a/view.test.js", "tests"),
        ("packages/one/tests/helpers.py", "tests"),
        ("tools/tests.py", "product"),
    ],
)
def test_tests_are_told_by_folder_or_name(path: str, expected: str) -> None:
    assert kind(path) == expected


def test_budgets_are_checked_by_part_and_kind() -> None:
    def found(lines: dict[str, int], total: int = 20) -> list[str]:
        return problems(lines, {"total": total, "parts": PARTS})

    assert found({"packages/one/a.py": 10, "packages/one/tests/test_a.py": 5}) == []
    (over,) = found({"packages/one/a.py": 6, "packages/one/b.js": 5})
    assert over == "packages/one has 11 logical lines of product; its budget is 10"
    (stray,) = found({"packages/other/a.py": 1})
    assert "packages/other/a.py belongs to no part" in stray
    (planned,) = found({}, total=19)
    assert planned == "the budgets add up to 20, more than the total of 19"
