"""The tables that Canvas and Moodle import, and tables of spreadsheets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gradlab_classroom.grading import sheets, tables

from classroom.tests.classmates import ALL, COURSE, ROSTER, rows
from classroom.tests.notebooks_for_tests import FOURTH


def test_canvas_gets_its_columns_the_points_possible_and_blanks_for_what_is_not_graded(tmp_path):
    path = tmp_path / "canvas.csv"
    tables.canvas(path, ALL, COURSE, ROSTER, {})
    header = path.read_text(encoding="utf-8").splitlines()[0]
    assert header == "Student,ID,SIS User ID,SIS Login ID,Section,Constraining weights"
    possible, *people = rows(path)
    assert possible["Student"].strip() == "Points Possible"
    assert possible["Constraining weights"] == "17"
    grades = {row["Student"]: (row["ID"], row["Constraining weights"]) for row in people}
    assert grades == {
        "'=Jane()": ("12", "5.99"),
        "Eve": ("", ""),
        "joe": ("", "14"),
        "ann": ("", ""),
        "kim": ("", ""),
    }


def test_canvas_finds_the_column_of_its_own_export_again(tmp_path):
    path = tmp_path / "canvas.csv"
    tables.canvas(
        path, ALL, COURSE, replace(ROSTER, header=["Student", "Constraining Weights (4711)"]), {}
    )
    assert "Constraining Weights (4711)" in rows(path)[0]


def test_moodle_gets_participants_by_the_numbers_of_the_files(tmp_path):
    path = tmp_path / "moodle.csv"
    tables.moodle(path, ALL, COURSE.assignments[FOURTH], ROSTER, {})
    found = {row["Full name"]: row for row in rows(path)}
    assert list(found["joe"]) == list(tables.MOODLE)
    assert found["joe"]["Identifier"] == "Participant 34"
    assert (found["joe"]["Grade"], found["joe"]["Maximum Grade"]) == ("14", "17")
    assert found["'=Jane()"]["Feedback comments"] == (
        "max_norm: 5 of 5; wrong_axis: 0.99 of 3; three_places: 0 of 6; written answers not marked yet."
    )
    assert (found["kim"]["Grade"], found["kim"]["Status"]) == ("", "Submitted for grading")
    assert (found["Eve"]["Grade"], found["Eve"]["Status"]) == ("", "No submission")
    assert "<" not in path.read_text()


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        *((text, "'" + text) for text in ("=1+1", "+1", "-1", "@x", " =1", "'=1")),
        *(
            (text, "'" + text)
            for text in ("＝1+1", "﹢1", "－1", "＠x", "⩵1", "\u200b=1", "\xa0=1")
        ),
        ("\t=1", "\t'=1"),
        ("\r=1", "\r'=1"),
        ("a;=1+1", "a;'=1+1"),
        ("a；＝1+1", "a；'＝1+1"),
        ("a\t=1;b\n =1", "a\t'=1;b\n' =1"),
        ("a\n- b; c, -d", "a\n'- b; c, -d"),
        ("a = 1; b", "a = 1; b"),
        ("'quoted'", "'quoted'"),
    ],
)
def test_text_that_a_spreadsheet_would_take_for_a_formula_is_text(tmp_path, text, harmless):
    path = tmp_path / "x.csv"
    sheets.write(path, ["a", "=b"], [{"a": text, "=b": "plain"}])
    assert rows(path) == [{"a": harmless, "'=b": "plain"}]
    assert sheets.as_written(harmless) == text


def test_no_text_stops_a_table(tmp_path):
    path = tmp_path / "x.csv"
    sheets.write(path, ["a"], [{"a": "\ud800\0x\x1b"}])
    assert rows(path) == [{"a": "?x"}]


def test_rows_have_the_numbers_that_a_spreadsheet_shows(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n\n1,2\n,\n3,4\n")
    assert [n for n, _ in sheets.numbered(path)[1]] == [3, 5]


def test_what_is_no_table_is_said_to_be_none(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a\n" + "x" * 200_000)
    with pytest.raises(sheets.SheetError, match="no table"):
        sheets.read(path)


def test_tables_of_other_spreadsheets_are_read(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("a;b\nÄ;2\n;\n\n3\n".encode("cp1252"))
    assert sheets.read(path) == (["a", "b"], [{"a": "Ä", "b": "2"}, {"a": "3", "b": ""}])
