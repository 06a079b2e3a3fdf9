"""What was not run is named to the student, and the points that it may have cost are left open."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from gradlab_classroom.grading import counts, feedback, sheets, summary, tables, written
from gradlab_classroom.grading.grade_one import GradingOptions, grade_one
from gradlab_classroom.grading.reading import parsed
from gradlab_classroom.grading.roster import Roster
from gradlab_classroom.grading.submissions import Submission
from gradlab_classroom.grading.unrun import unrun, unrun_in

from classroom.tests.answers import AXIS, PLACES
from classroom.tests.classmates import COURSE, JANE, ROSTER, Page, rows
from classroom.tests.hostile import RIGHT
from classroom.tests.notebooks_for_tests import FOURTH, as_bytes, cells, code, notebook
from classroom.tests.sandboxed import need_sandbox
from gradlab.exercises.checking.probes import Observation, Observations

ASSIGNMENT = COURSE.assignments[FOURTH]
NOT_RUN = "Code cell 1, which begins with '%%writefile h.py', was not run: only Python is run."
OPEN = replace(
    JANE,
    marks=(JANE.marks[0], *(replace(mark, points=None) for mark in JANE.marks[1:])),
    unrun=(NOT_RUN,),
    digest="0123456789",
)
"""Jane's first function passed, and her two others are left open."""


# ------------------------------------------------------------------------- it is named


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("%%writefile h.py\ndef f(): pass", "begins with '%%writefile h.py', was not run"),
        ("%%bash\nls", "begins with '%%bash', was not run"),
        ("x = 1\n%run h.py", "begins with 'x = 1', was run without its line '%run h.py'"),
        ("%%time\n!wget http://x", "was run without its line '!wget http://x'"),
        ("if x:\n    files = !ls *.py", "was run without its line '!ls *.py'"),
        ("a, b = %sx ls", "was run without its line '%sx ls'"),
    ],
)
def test_a_magic_or_command_that_is_not_run_is_named_with_its_cell(source, says):
    (sentence,) = unrun(["import jax", source], {})
    assert sentence.startswith("Code cell 2, which ")
    assert says in sentence


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline\nx = 1",
        "%%capture out\n%pip install jax",
        "!pip install jax",
        "%%html\n<!doctype html>\n!important",
        'def f():\n    """\n    %%bash\n    !ls\n    """',
        "x = (7\n% 4)",
        "def broken(:",
        "",
    ],
)
def test_what_runs_and_what_only_shows_or_installs_is_not_named(source):
    assert unrun([source], {}) == ()


@pytest.mark.parametrize(
    "error",
    [
        "ModuleNotFoundError: No module named 'helper'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'w.npy'",
        "NameError: name '_' is not defined",
        "NameError: name '_12' is not defined",
        "NameError: name 'Out' is not defined",
        "URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
    ],
)
def test_what_needs_other_files_or_jupyter_is_named(error):
    (sentence,) = unrun(["use = it"], {0: error})
    assert "'use = it'" in sentence
    assert error in sentence
    answered = Observations((Observation(1.0), Observation(error=error)))
    assert unrun_in("max_norm", answered).startswith(f"max_norm did not get to its end: {error}")


@pytest.mark.parametrize(
    "source",
    ["-" * 100_000 + "1 1", "+".join(["a"] * 100_000), "x = (" + "\n" * 100_000],
    ids=["signs", "sums", "lines"],
)
def test_a_cell_on_which_a_parser_or_a_pattern_could_be_lost_is_read_at_once(source):
    assert unrun([source], {}) == ()


def test_an_error_that_would_be_raised_anywhere_is_not_named():
    assert unrun(["use = it"], {0: "NameError: name 'it' is not defined"}) == ()
    assert unrun_in("max_norm", Observations((Observation(error="ValueError: no"),))) == ""
    assert unrun_in("max_norm", None) == ""


# ------------------------------------------------------- from the notebook to the points


def graded(*answer):
    """Grade a notebook whose ``max_norm`` is in these cells; its other answers: right, and wrong."""
    others = cells(FOURTH, ["", AXIS["limit ignored"], PLACES["by hand"]])
    made = notebook([*others, *map(code, answer)], FOURTH)
    submission = Submission("jane", FOURTH, "jane.ipynb", parsed(as_bytes(made)))
    found = grade_one(submission, ASSIGNMENT, GradingOptions())
    return found, [mark.points for mark in found.marks]


@pytest.mark.exhaustive
def test_a_right_answer_lost_by_writefile_is_left_open_and_what_passed_keeps_its_points():
    need_sandbox()
    found, points = graded(f"%%writefile helper.py\n{RIGHT}", "from helper import max_norm")
    assert (found.status, points, found.points) == ("graded", [None, None, 6], None)
    assert "begins with '%%writefile helper.py', was not run" in found.unrun[0]
    assert "No module named 'helper'" in found.unrun[1]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("answer", "points"),
    [
        (("import asyncio\nawait asyncio.sleep(0)\n" + RIGHT,), [5, 0.99, 6]),
        (("%%time\n%matplotlib inline\n" + RIGHT,), [5, 0.99, 6]),
        (("1 + 1", "_ + 1\n" + RIGHT), [None, None, 6]),
        (("import helper\n" + RIGHT,), [None, None, 6]),
        (("def max_norm(w, limit):\n    import helper",), [None, 0.99, 6]),
        (("!ls\n" + RIGHT,), [5, None, 6]),
        (("def max_norm(w, limit): return w",), [0, 0.99, 6]),
    ],
    ids=["await", "time", "underscore", "module", "module in answer", "command", "wrong"],
)
def test_points_are_left_open_where_something_was_not_run_and_nowhere_else(answer, points):
    need_sandbox()
    found, earned = graded(*answer)
    assert earned == points
    assert bool(found.unrun) == (None in points)


# ----------------------------------------------------------------------- in the reports


def test_an_open_function_is_blank_in_the_tables_and_the_others_are_told(tmp_path):
    assert OPEN.points is None
    tables.canvas(tmp_path / "canvas.csv", [OPEN], COURSE, ROSTER, {})
    assert [row[ASSIGNMENT.title] for row in rows(tmp_path / "canvas.csv")] == ["17", "", ""]
    tables.moodle(tmp_path / "moodle.csv", [OPEN], ASSIGNMENT, Roster(), {})
    (row,) = rows(tmp_path / "moodle.csv")
    assert row["Grade"] == ""
    assert row["Feedback comments"].startswith(
        "max_norm: 5 of 5; wrong_axis: left open of 3; three_places: left open of 6"
    )


def test_open_functions_are_no_part_of_the_classes_numbers():
    part = counts.count_assignment(ASSIGNMENT, [JANE, OPEN])
    assert [(row.all, row.part, row.none) for row in part.functions] == [
        (2, 0, 0), (0, 1, 0), (0, 0, 1),
    ]  # fmt: skip
    assert [counted.count for counted in part.findings] == [1, 1]


def test_feedback_says_what_was_not_run_and_that_the_instructor_will_look(tmp_path):
    feedback.write(tmp_path, [OPEN], COURSE, {}, {}, {})
    (path,) = (tmp_path / "feedback").iterdir()
    text = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    assert "Not added up yet, of 17 points" in text
    assert "your instructor has them on a list" in text
    assert NOT_RUN in text
    assert text.count("Left open") == 4
    assert "None" not in text
    assert "0 of" not in text


@pytest.mark.slow
def test_the_summary_lists_what_is_open_first(tmp_path):
    late = replace(JANE, student="ada", file="ada.ipynb", notes=("it was handed in late",))
    summary.write(tmp_path, [late, OPEN], COURSE, Roster(), {})
    text = " ".join(Page((tmp_path / "summary.html").read_text(encoding="utf-8")).text.split())
    assert "2 functions left open" in text
    assert f"jane.ipynb: wrong_axis, three_places{NOT_RUN}" in text  # two points of a list
    assert text.index("wrong_axis, three_places") < text.index("handed in late")


# ---------------------------------------------------------------------- marked by a person


def filled_in(path, given):
    found = sheets.read(path)[1]
    rows_ = [{**row, **given.get(row["question"], {})} for row in found]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, written.HEADER)
        writer.writeheader()
        writer.writerows(rows_)
    return written.read(path)


def test_a_person_marks_what_is_open_and_then_it_adds_up(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, [OPEN], COURSE, {})
    marks = filled_in(
        path, {"wrong_axis": {"mark": "3"}, "three_places": {"mark": "1,5", "comment": "The cap."}}
    )
    written.check_range(marks, COURSE, path)
    written.check(marks, [OPEN], COURSE, path)
    settled = written.settled(OPEN, marks)
    assert [mark.points for mark in settled.marks] == [5, 3, 1.5]
    assert settled.marks[2].message == "The cap."
    assert written.total(settled, ASSIGNMENT, marks) == written.Total(9.5, 17, 1)
    written.write(path, [settled], COURSE, marks)
    assert written.read(path).keys() == marks.keys()

    again = replace(OPEN, digest="another file")
    assert written.settled(again, marks) == again


def test_a_mark_for_a_function_that_is_not_open_or_is_worth_less_is_refused(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, [OPEN], COURSE, {})
    marks = filled_in(path, {"wrong_axis": {"mark": "4"}})
    with pytest.raises(sheets.SheetError, match="wrong_axis: the mark 4 is not from 0 to 3"):
        written.check_range(marks, COURSE, path)
    with pytest.raises(sheets.SheetError, match="wrong_axis: no such question was answered"):
        written.check(marks, [JANE], COURSE, path)
