"""Whose a file is, for which assignment, and which of several is the newest."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest
from answers import AXIS, CAP, PLACES, REPORT, SCALE
from notebooks_for_tests import FIRST, FOURTH, as_bytes, cells, code, notebook

from gradlab.classroom.course import load
from gradlab.classroom.grading import roster
from gradlab.classroom.grading.naming import named
from gradlab.classroom.grading.reading import Cell, Document
from gradlab.classroom.grading.recognising import recognised
from gradlab.classroom.grading.roster import Roster
from gradlab.classroom.grading.sheets import SheetError
from gradlab.classroom.grading.submissions import find

COURSE = load(Path(__file__).parents[3] / "assignments" / "course.yml")
NOTEBOOK = as_bytes(
    notebook(cells(FOURTH, [CAP["where"], AXIS["lists"], PLACES["by hand"]]), FOURTH)
)
PEOPLE = """student id;name;canvas_id;moodle_id;email
jd1;Jane Doe;12345;77;jane.doe@example.org
ml2;Møller, Lars;12346;78;lars@example.org
"""


def handed_in(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.fixture
def people(tmp_path_factory) -> Roster:
    path = tmp_path_factory.mktemp("roster") / "roster.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    return roster.read(path)


FORMS = {
    "doejane_LATE_12345_67890_3_clipping-1.ipynb": ("doejane", 1, "doejane_LATE_12345_67890_3_clipping-1.html"),
    "doejane_12345_67890_3_clipping.ipynb": ("doejane", 0, "doejane_12345_67890_3_clipping.html"),
    "Jane Doe_123456_assignsubmission_file_/x.ipynb": ("Jane Doe", 0, "Jane Doe_123456_assignsubmission_file_/feedback.html"),
    "Jane Doe_123456_assignsubmission_file/x.ipynb": ("Jane Doe", 0, "Jane Doe_123456_assignsubmission_file/feedback.html"),
    "Jane Doe_123456_assignsubmission_file_x (2).ipynb": ("Jane Doe", 2, "Jane Doe_123456_assignsubmission_file_feedback.html"),
    "submitted/jane/3_clipping/3_clipping.ipynb": ("jane", 0, ""),
    "submitted/jane/week3/any.ipynb": ("jane", 0, ""),
    "jane/3_clipping/3_clipping.ipynb": ("jane", 0, ""),
    "jane/homework.ipynb": ("jane", 0, ""),
    "jane_3_clipping.ipynb": ("jane", 0, ""),
    "3_clipping-jane.ipynb": ("jane", 0, ""),
    "jane_2026_3_clipping (1).ipynb": ("jane_2026", 1, ""),
    "student-3.ipynb": ("student-3", 0, ""),
}  # fmt: skip


@pytest.mark.parametrize("path", FORMS)
def test_names_are_read_as_each_platform_writes_them(path):
    found = named(PurePosixPath(path), COURSE.assignments)
    assert (found.student, found.version, found.back) == FORMS[path]
    assert found.late == ("LATE" in path)


@pytest.mark.parametrize(
    "path",
    [
        "doejane_12345_67890_any.ipynb",
        "someone_12345_67890_any.ipynb",
        "Anybody_77_assignsubmission_file_/x.ipynb",
        "Jane Doe_999_assignsubmission_file_/x.ipynb",
        "jd1/x.ipynb",
        "JANE.DOE@example.org/x.ipynb",
        "jane.doe/x.ipynb",
        "Jane Doe/x.ipynb",
        "Doe, Jane/x.ipynb",
        "jd1_4_constraining.ipynb",
        "4_constraining_hw_jd1.ipynb",
        "submitted/jd1/4_constraining/x.ipynb",
    ],
)
def test_the_roster_knows_a_student_by_any_of_their_names(tmp_path, people, path):
    handed_in(tmp_path, {path: NOTEBOOK})
    (found,) = find(tmp_path, COURSE, people)
    assert (found.student, found.assignment) == ("jd1", FOURTH)
    assert not any("roster" in note for note in found.notes)


def test_whom_the_roster_does_not_know_is_called_by_the_files_name_with_a_note(tmp_path, people):
    handed_in(tmp_path, {"guest/x.ipynb": NOTEBOOK})
    (found,) = find(tmp_path, COURSE, people)
    assert found.student == "guest"
    assert "the roster has nobody called 'guest'" in found.notes


def test_a_name_in_the_notebooks_file_cannot_pass_for_another_student(tmp_path, people):
    handed_in(
        tmp_path, {"ml2/jd1_4_constraining.ipynb": NOTEBOOK, "ml2/canvas:12345.ipynb": NOTEBOOK}
    )
    assert {one.student for one in find(tmp_path, COURSE, people)} == {"ml2"}
    upload = tmp_path / "upload"
    handed_in(upload, {"moellerlars_12346_1_jd1_canvas:12345.ipynb": NOTEBOOK})
    assert [one.student for one in find(upload, COURSE, people)] == ["ml2"]


def test_rosters_of_canvas_and_moodle_are_read_as_they_are_exported(tmp_path):
    canvas = tmp_path / "canvas.csv"
    canvas.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Clipping (4711)\n"
        '    Points Possible,,,,,14\n"Doe, Jane",12345,S-9,jdoe,A,\n',
        encoding="utf-8",
    )
    found = roster.read(canvas).people
    assert list(found) == ["S-9"]
    assert (found["S-9"].canvas, found["S-9"].login, found["S-9"].name) == (
        "12345",
        "jdoe",
        "Doe, Jane",
    )
    moodle = tmp_path / "moodle.csv"
    moodle.write_text("Identifier,Full name,Email address\nParticipant 77,Jane Doe,jane@x.org\n")
    (person,) = roster.read(moodle).people.values()
    assert (person.id, person.moodle) == ("jane@x.org", "77")


def test_a_roster_that_cannot_be_used_says_what_is_wrong(tmp_path):
    path = tmp_path / "roster.csv"
    for text, says in (
        ("colour,size\nred,3\n", "'student id' or 'name'"),
        ("student id,name\na,A\na,B\n", "row 3: there is a second 'a'"),
        ("", "empty"),
    ):
        path.write_text(text)
        with pytest.raises(SheetError, match=says):
            roster.read(path)
    with pytest.raises(SheetError, match="cannot be read"):
        roster.read(tmp_path / "none.csv")


def test_of_several_versions_the_newest_is_graded_and_the_others_are_named(tmp_path):
    names = [
        f"doejane_12345_{1000 - n}_4_constraining{f'-{n}' if n else ''}.ipynb" for n in range(11)
    ]
    handed_in(tmp_path, dict.fromkeys(names, NOTEBOOK))
    (found,) = find(tmp_path, COURSE, Roster())
    assert found.file == names[10]
    assert "the newest of 11 was graded" in found.notes[-1]


def test_of_two_files_without_a_version_the_later_one_is_graded(tmp_path):
    handed_in(
        tmp_path, {"jane/a.ipynb": NOTEBOOK, "jane/b.ipynb": NOTEBOOK, "joe/c.ipynb": NOTEBOOK}
    )
    os.utime(tmp_path / "jane/b.ipynb", (1, 1))
    jane, _ = find(tmp_path, COURSE, Roster())
    assert jane.file == "jane/a.ipynb"
    assert "not graded: jane/b.ipynb" in jane.notes[-1]


def test_a_newer_file_that_cannot_be_read_is_not_passed_over(tmp_path):
    handed_in(
        tmp_path,
        {"doejane_1_22_4_constraining.ipynb": NOTEBOOK, "doejane_1_23_4_constraining-1.ipynb": b""},
    )
    (found,) = find(tmp_path, COURSE, Roster())
    assert "empty" in found.problem
    assert "not graded: doejane_1_22_4_constraining.ipynb" in found.notes[-1]


def test_files_of_one_folder_that_is_nobodys_have_a_student_each(tmp_path):
    handed_in(tmp_path, {f"week4/{who}_4_constraining.ipynb": NOTEBOOK for who in ("jane", "joe")})
    assert [one.student for one in find(tmp_path, COURSE, Roster())] == ["jane", "joe"]


def test_two_people_of_one_name_are_told_apart_by_the_platforms_ids(tmp_path):
    folders = [f"Jane Doe_{id}_assignsubmission_file_" for id in (12, 34)]
    handed_in(tmp_path, {f"{folder}/x.ipynb": NOTEBOOK for folder in folders})
    assert [one.student for one in find(tmp_path, COURSE, Roster())] == [
        "Jane Doe (12)",
        "Jane Doe (34)",
    ]


def test_what_is_handed_in_instead_is_named_and_what_lies_beside_a_notebook_is_not(tmp_path):
    handed_in(
        tmp_path,
        {
            "jane/work.py": b"x = 1",
            "joe/4_constraining.zip": b"PK\x03\x04",
            "ann/4_constraining.ipynb": NOTEBOOK,
            "ann/helper.py": b"x = 1",
            "ann/.ipynb_checkpoints/4_constraining-checkpoint.ipynb": NOTEBOOK,
            "__MACOSX/ann/._4_constraining.ipynb": b"\0",
            "ann/timestamp.txt": b"2026",
        },
    )
    found = {one.student: one for one in find(tmp_path, COURSE, Roster())}
    assert set(found) == {"ann", "jane", "joe"}
    assert "Python script" in found["jane"].problem
    assert "zip archive" in found["joe"].problem
    assert found["ann"].problem == ""
    assert found["joe"].assignment == FOURTH


def test_the_folder_of_results_is_not_searched(tmp_path):
    handed_in(tmp_path, {"jane/4_constraining.ipynb": NOTEBOOK, "out/feedback/x.html": b"<html>"})
    assert len(find(tmp_path, COURSE, Roster(), skip=[tmp_path / "out"])) == 1


# ------------------------------------------------------------------ which assignment it is


def document(*sources, assignment="", ids=()):
    return Document(
        (*(Cell(True, one) for one in sources), *(Cell(True, "x", one) for one in ids)), assignment
    )


SIGNS = {
    "metadata": (document("def max_norm(w, c): pass", assignment=FIRST, ids=["max_norm"]), ["4_constraining"], "", FIRST),
    "nbgrader's names": (document("def max_norm(w, c): pass", ids=["test_scale_gradient"]), ["4_constraining"], "", FIRST),
    "a prefix": (document(ids=["1_the_missing_function-cell-3"]), [], "", FIRST),
    "the file's name": (document("def max_norm(w, c): pass"), ["hw", "1_The_Missing_Function final"], "", FIRST),
    "who grades": (document("def max_norm(w, c): pass"), ["homework"], FIRST, FIRST),
    "its functions": (document("def max_norm(w, c):\n  return w", "not python (\ndef wrong_axis(l): 3"), ["homework"], "", FOURTH),
    "nothing": (document("x = 1"), ["homework"], "", ""),
    "metadata of no assignment": (document("def max_norm(w, c): pass", assignment="9_none"), ["x"], "", FOURTH),
}  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
def test_an_assignment_is_told_by_the_surest_sign(sign):
    given, names, wanted, expected = SIGNS[sign]
    assert recognised(given, names, COURSE, wanted)[0] == expected


def test_signs_that_disagree_are_noted():
    found, note = recognised(document(assignment=FIRST), [FOURTH], COURSE)
    assert found == FIRST
    assert FOURTH in note


def test_what_nothing_tells_is_the_instructors_to_decide(tmp_path):
    handed_in(tmp_path, {"jane/x.ipynb": as_bytes(notebook([code("x = 1")]))})
    (found,) = find(tmp_path, COURSE, Roster())
    assert "--assignment" in found.problem
    (found,) = find(tmp_path, COURSE, Roster(), assignment=FIRST)
    assert (found.problem, found.assignment) == ("", FIRST)


def test_a_student_may_hand_in_several_assignments(tmp_path):
    first = as_bytes(notebook(cells(FIRST, [SCALE["one line"], REPORT["a rule"]])))
    handed_in(tmp_path, {"jane/a.ipynb": first, "jane/b.ipynb": NOTEBOOK})
    assert [(one.student, one.assignment) for one in find(tmp_path, COURSE, Roster())] == [
        ("jane", FIRST),
        ("jane", FOURTH),
    ]
