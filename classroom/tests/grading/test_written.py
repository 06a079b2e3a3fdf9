"""Answers in words: they are found, queued, marked by hand, and kept."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from gradlab_classroom.grading import sheets, student_text, written
from gradlab_classroom.grading.reading import Cell
from gradlab_classroom.grading.sheets import SheetError

from classroom.tests.classmates import ALL, ANN, COURSE, JANE, JOE
from classroom.tests.notebooks_for_tests import FOURTH


def fill_in(path, *marks):
    """Fill in marks as a person with a spreadsheet does."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    for row in found:
        for student, mark, comment in marks:
            if row["student"] == student:
                row |= {"mark": mark, "comment": comment}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, written.HEADER)
        writer.writeheader()
        writer.writerows(found)


def test_marks_come_back_and_are_added_and_kept(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    assert set(written.read(path)) == set()
    fill_in(path, ("jane", "2,5", "=good"))
    marks = written.read(path)
    written.check(marks, ALL, COURSE, path)
    assert written.total(JANE, COURSE.assignments[FOURTH], marks) == written.Total(8.49, 17, 0)
    assert written.total(JOE, COURSE.assignments[FOURTH], marks) == written.Total(14, 17, 1)
    assert written.total(ANN, COURSE.assignments[FOURTH], marks).points is None
    written.write(path, ALL, COURSE, marks)
    again = written.read(path)
    assert {key: (one.points, one.comment) for key, one in again.items()} == {
        ("jane", FOURTH, "not_a_gradient"): (2.5, "=good")
    }


def test_the_queue_has_the_question_the_rubric_and_the_answer_and_only_what_is_graded(tmp_path):
    path = tmp_path / "written.csv"
    written.write(
        path, [replace(JANE, written={"not_a_gradient": "=HYPERLINK()"}), ANN], COURSE, {}
    )
    (row,) = sheets.read(path)[1]
    assert row["answer"] == "'=HYPERLINK()"
    assert row["of"] == "3"
    assert row["rubric"].count("1 point") == 3


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        *((mark, "is not from 0 to 3") for mark in ("3.5", "30", "9" * 400)),
        *((mark, "is no number") for mark in ("-1", "nan", "inf", "1e300", "1_0", "+1", "1.", "٣")),
    ],
)
def test_a_mark_outside_of_the_questions_points_is_refused(tmp_path, mark, says):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", mark, ""))
    with pytest.raises(SheetError, match=rf"{path}.*row 2\D.*{says}"):
        written.check_range(written.read(path), COURSE, path)


def test_marks_found_in_place_may_be_of_students_and_questions_that_are_gone(tmp_path):
    path = tmp_path / "written.csv"
    lines = [f"gone,{FOURTH},not_a_gradient,3", "jane,9_dropped,why,50"]
    path.write_text("\n".join(["student,assignment,question,mark", *lines]))
    marks = written.read(path)
    written.check_range(marks, COURSE, path)
    assert len(marks) == 2
    path.write_text(path.read_text().replace(",3", ",4"))
    with pytest.raises(SheetError, match=r"row 2, gone / .*: the mark 4 is not from 0 to 3"):
        written.check_range(written.read(path), COURSE, path)


def test_two_rows_for_one_answer_are_refused_unless_they_say_the_same(tmp_path):
    path = tmp_path / "written.csv"
    row = f"jane,{FOURTH},not_a_gradient"
    header = "student,assignment,question,mark,comment"
    path.write_text("\n".join([header, f"{row},1,", "", f"{row},2,good", ""]))
    with pytest.raises(
        SheetError, match=r"rows 2 and 4: both mark jane / .*mark 1 .*mark 2 and the comment 'good'"
    ):
        written.read(path)
    path.write_text("\n".join([header, f"{row},1,", f"{row},1.0,", f"{row},,"]))
    assert len(written.read(path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "=1",
        "'=1",
        "''=1",
        "'quoted'",
        "＝1+1",
        "a;=1+1",
        "a\n- b\n'- c",
        "\t=1",
        "a; '+b",
        "\u200b=1",
    ],
)
def test_keys_comments_and_answers_come_back_as_they_were(tmp_path, text):
    path = tmp_path / "written.csv"
    one = replace(JANE, student=text.strip(), written={"not_a_gradient": text})
    key = (one.student, FOURTH, "not_a_gradient")
    written.write(path, [one], COURSE, {key: written.Given(1.0, text.strip(), {})})
    marks = written.read(path)
    assert set(marks) == {key}
    assert marks[key].comment == text.strip()
    assert written.changed([one], marks) == []


def test_an_answer_with_half_a_pair_or_control_characters_is_written(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, [replace(JANE, written={"not_a_gradient": "a\ud800\0\x1bb"})], COURSE, {})
    assert sheets.read(path)[1][0]["answer"] == "a?b"
    cells = [Cell(False, "**Your answer (one):** a\x1b\ud800\tb")]
    assert student_text.written_answers(cells, ["one"]) == {"one": "a?\tb"}


def test_marks_of_nobody_and_of_no_number_are_named(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", "good", ""))
    with pytest.raises(SheetError, match="row 2: the mark 'good' is no number of points"):
        written.read(path)
    fill_in(path, ("jane", "1", ""))
    with pytest.raises(SheetError, match=rf"jane / {FOURTH} / not_a_gradient: no such question"):
        written.check(written.read(path), [JOE], COURSE, path)
    path.write_text("student,mark\n")
    with pytest.raises(SheetError, match="no column 'assignment' and none 'question'"):
        written.read(path)


def test_marks_of_another_batch_stay_in_the_table(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", "1", "c"))
    written.write(path, [JOE], COURSE, written.read(path))
    assert [row["student"] for row in sheets.read(path)[1]] == ["joe", "jane"]
    assert len(written.read(path)) == 1


def test_an_answer_that_changed_after_it_was_marked_is_noted(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", "1", ""))
    marks = written.read(path)
    assert written.changed(ALL, marks) == []
    later = replace(JANE, written={"not_a_gradient": "Another answer."})
    assert written.changed([later], marks)[0][0] == "jane.ipynb"


def test_answers_in_words_are_found_by_anchor_or_by_the_cells_name():
    cells = [
        Cell(
            False, "Question?\n\n**Your answer (one):**\n\nFirst.\n\n**Your answer (two):** Second."
        ),
        Cell(False, "Third, without its anchor.", "written_three"),
        Cell(False, "**Your answer (four):**\n\nYOUR ANSWER HERE", "written_four"),
        Cell(False, "**Your answer (one):** More."),
        Cell(True, "**Your answer (five):** in code"),
    ]
    assert student_text.written_answers(cells, ["one", "two", "three", "four", "five"]) == {
        "one": "First.\n\nMore.",
        "two": "Second.",
        "three": "Third, without its anchor.",
        "four": "",
        "five": "",
    }
