"""Submissions in a folder: whose each is, for which assignment, and which of several is the newest."""

from __future__ import annotations

import os
import time
from pathlib import PurePosixPath

import pytest
from gradlab_classroom.course import load
from gradlab_classroom.grading import roster
from gradlab_classroom.grading.naming import named
from gradlab_classroom.grading.reading import Cell, Document
from gradlab_classroom.grading.recognising import recognised
from gradlab_classroom.grading.roster import Person, Roster
from gradlab_classroom.grading.sheets import SheetError
from gradlab_classroom.grading.submissions import find

from classroom.tests.answers import AXIS, CAP, PLACES, REPORT, SCALE
from classroom.tests.notebooks_for_tests import FIRST, FOURTH, as_bytes, cells, code, notebook
from classroom.tests.paths import COURSE_FILE

COURSE = load(COURSE_FILE)
NOTEBOOK = as_bytes(
    notebook(cells(FOURTH, [CAP["where"], AXIS["lists"], PLACES["by hand"]]), FOURTH)
)
FIRST_NOTEBOOK = as_bytes(notebook(cells(FIRST, [SCALE["one line"], REPORT["a rule"]])))
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
    found = named(PurePosixPath(path), COURSE.assignments).claim
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
    assert {submission.student for submission in find(tmp_path, COURSE, people)} == {"ml2"}
    upload = tmp_path / "upload"
    handed_in(upload, {"moellerlars_12346_1_jd1_canvas:12345.ipynb": NOTEBOOK})
    assert [submission.student for submission in find(upload, COURSE, people)] == ["ml2"]


FORGED = {
    "Moodle": ("Møller, Lars_78_assignsubmission_file_/Jane Doe_77_assignsubmission_file_(9).ipynb", "Jane Doe_77_assignsubmission_file_/x.ipynb"),
    "Moodle, in a folder": ("Møller, Lars_78_assignsubmission_file_/Jane Doe_77_assignsubmission_file_/x(9).ipynb", "Jane Doe_77_assignsubmission_file_/x.ipynb"),
    "Moodle, of Canvas": ("Møller, Lars_78_assignsubmission_file_/jd1_12345_1_x-9.ipynb", "Jane Doe_77_assignsubmission_file_/x.ipynb"),
    "Canvas, of Moodle": ("moellerlars_12346_1_Jane Doe_77_assignsubmission_file_x (9).ipynb", "doejane_12345_2_x.ipynb"),
    "nbgrader": ("submitted/ml2/4_constraining/jd1_12345_2_4_constraining-9.ipynb", "submitted/jd1/4_constraining/4_constraining.ipynb"),
    "nbgrader, of Moodle": ("submitted/ml2/Jane Doe_77_assignsubmission_file_/x(9).ipynb", "submitted/jd1/4_constraining/4_constraining.ipynb"),
    "folders": ("ml2/jd1_12345_2_4_constraining-9.ipynb", "jd1/4_constraining.ipynb"),
    "folders, of Moodle": ("ml2/Jane Doe_77_assignsubmission_file_/x(9).ipynb", "jd1/4_constraining.ipynb"),
    "folders, of folders": ("ml2/jd1/4_constraining(9).ipynb", "jd1/4_constraining.ipynb"),
    "folders, of nbgrader": ("ml2/submitted/jd1/4_constraining(9).ipynb", "jd1/4_constraining.ipynb"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORGED)
@pytest.mark.parametrize("known", [True, False])
def test_a_name_further_in_cannot_replace_what_another_student_handed_in(
    tmp_path, people, form, known
):
    forged, honest = FORGED[form]
    handed_in(tmp_path, {forged: NOTEBOOK, honest: NOTEBOOK})
    found = {
        submission.file: submission
        for submission in find(tmp_path, COURSE, people if known else Roster())
    }
    assert set(found) == {forged, honest}
    assert found[forged].student != found[honest].student
    assert found[forged].platform not in ("canvas:12345", "moodle:77")
    if known:
        assert (found[forged].student, found[honest].student) == ("ml2", "jd1")
    if form != "Canvas, of Moodle":
        assert "it was taken as handed in by " in found[forged].notes[0]
    assert found[honest].notes == ()


def test_a_student_who_uses_many_names_takes_nobodys_and_keeps_one_submission(tmp_path):
    names = ["3_clipping", "jane_3_clipping(9)", "12_34_3_clipping(9)", "joe_1_2_x-9", "ann/x"]
    honest = [f"{who}/3_clipping.ipynb" for who in ("ann", "jane", "joe")]
    handed_in(
        tmp_path, dict.fromkeys([*honest, *(f"mal/{name}.ipynb" for name in names)], NOTEBOOK)
    )
    found = find(tmp_path, COURSE, Roster(), assignment=FOURTH)
    assert [submission.student for submission in found] == ["ann", "jane", "joe", "mal"]
    assert [submission.file for submission in found[:3]] == honest
    assert "with --roster" in found[3].notes[-1]


def test_a_name_of_several_people_is_somebodys(tmp_path):
    people = Roster({id: Person(id, name="Ann Lee") for id in ("a1", "a2")} | {"j": Person("j")})
    handed_in(tmp_path, {"Ann Lee/j_4_constraining.ipynb": NOTEBOOK})
    (found,) = find(tmp_path, COURSE, people)
    assert found.student == "Ann Lee"
    assert found.notes[0] == "the roster has several called 'Ann Lee'"


OUTSIDE = {
    "groups of Moodle": [f"{group}/{who}_assignsubmission_file_/x.ipynb" for group, who in (("A", "Jane Doe_77"), ("A", "Joe_79"), ("B", "Lars Møller_78"))],
    "a folder of Moodle's": ["HW 3-4711/Jane Doe_77_assignsubmission_file_/x.ipynb"],
    "Canvas in the assignment's": ["4_constraining/doejane_12345_1_x.ipynb", "4_constraining/mollerlars_12346_1_x.ipynb"],
    "Canvas in any folder": ["week 4/doejane_12345_1_x.ipynb", "week 4/mollerlars_12346_1_x.ipynb"],
    "Canvas in one for each week": [f"week {n}/{who}_1_x.ipynb" for n in (3, 4) for who in ("doejane_12345", "mollerlars_12346")],
    "nbgrader": ["course/submitted/jd1/4_constraining/4_constraining.ipynb"],
}  # fmt: skip


@pytest.mark.parametrize("form", OUTSIDE)
def test_folders_outside_of_a_platforms_names_are_nobodys(tmp_path, people, form):
    handed_in(tmp_path, dict.fromkeys(OUTSIDE[form], NOTEBOOK))
    known = {submission.student for submission in find(tmp_path, COURSE, people)}
    assert known <= {"jd1", "ml2", "Joe"}
    unknown = find(tmp_path, COURSE, Roster())
    names = {"Jane Doe", "Joe", "Lars Møller", "doejane", "mollerlars", "jd1"}
    assert {submission.student for submission in unknown} <= names
    assert len(known) == len({submission.student for submission in unknown})
    assert not any("taken" in note for submission in unknown for note in submission.notes)


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
        ("student id,name\na,A\n\nA,B\n", "row 4: there is a second 'A'. Row 2 has the same id"),
        (
            "name,canvas_id\nA,1\nB,1\n",
            "row 3: there is a second '1'. Row 2 has the same canvas_id",
        ),
        ("student id,name\na,A\nA,B\n", "there is a second 'A'. Row 2 has the same id"),
        ("student id,email\na,X@y.org\nb,x@y.org\n", "the same email"),
        ("student id,name,Name\na,A,B\n", "several columns called 'Name': leave one"),
        (
            f"student id,name\na,{'A' * 200_000}\n",
            "roster.csv is no table: .* save it as CSV again",
        ),
        ('student id,name\na,"A\nb,B\n', "row 2: .*a quotation mark is not closed"),
        ('student id,name\na,"A\n' + "b,B\n" * 50_000, "a quotation mark is not closed"),
    ):
        path.write_text(text)
        with pytest.raises(SheetError, match=says):
            roster.read(path)
    with pytest.raises(SheetError, match="cannot be read"):
        roster.read(tmp_path / "none.csv")


def test_a_roster_may_have_quotes_and_lines_in_its_cells(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text('student id,name,comment\na,"Doe, ""J"" A.","two\nlines"\nb,B,x\n')
    assert [person.name for person in roster.read(path).people.values()] == ['Doe, "J" A.', "B"]


def test_a_folder_whose_name_is_a_platforms_is_not_whoever_has_no_id_there():
    people = Roster({"a": Person("a", canvas="1"), "b": Person("b")})
    assert people.find(["canvas"]) is None
    assert people.find(["canvas:1"]).id == "a"


def test_a_class_of_500_is_looked_up_in_no_time():
    people = Roster({f"s{n}": Person(f"s{n}", name=f"Student {n}") for n in range(500)})
    start = time.process_time()
    for n in range(3000):
        assert people.find(["nobody", f"Student {n % 500}"]).id == f"s{n % 500}"
    assert time.process_time() - start < 1  # 27 s, where each is compared with everybody


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
    assert [submission.student for submission in find(tmp_path, COURSE, Roster())] == [
        "jane",
        "joe",
    ]


def test_folders_of_several_students_are_nobodys_and_what_has_no_name_is_the_folders(tmp_path):
    files = {f"{week}/{who}_{name}.ipynb": data for week, name, data in
             (("week1", FIRST, FIRST_NOTEBOOK), ("week4", FOURTH, NOTEBOOK))
             for who in ("bob", "jane", "joe")}  # fmt: skip
    files[f"week1/{FIRST}.ipynb"] = FIRST_NOTEBOOK
    handed_in(tmp_path / "weeks", files)
    found = find(tmp_path / "weeks", COURSE, Roster())
    assert {submission.file for submission in found} == files.keys()
    assert {submission.student for submission in found} == {"bob", "jane", "joe", "week1"}
    assert not any(submission.notes for submission in found)
    for group in ("A", "B"):
        handed_in(tmp_path / "groups" / group, {f"{who}{group}/x.ipynb": NOTEBOOK for who in "xyz"})
    assert len(find(tmp_path / "groups", COURSE, Roster())) == 6


def test_folders_as_deep_as_a_disk_allows_cost_no_time():
    deep = PurePosixPath("mal", *["a"] * 1900, "x.ipynb")
    start = time.process_time()
    for _ in range(100):
        assert named(deep, COURSE.assignments).claim.student == "mal"
    assert time.process_time() - start < 2


def test_versions_of_a_student_are_no_students(tmp_path):
    names = ("jane/3_clipping_v1", "jane/3_clipping final", "jane/old/x", "joe/3_clipping-Copy1")
    handed_in(tmp_path, {f"{name}.ipynb": NOTEBOOK for name in names})
    assert {submission.student for submission in find(tmp_path, COURSE, Roster())} == {
        "jane",
        "joe",
    }


def test_spaces_in_names_are_one_and_not_at_the_ends(tmp_path, people):
    handed_in(
        tmp_path,
        {
            " Jane  Doe _77_assignsubmission_file_/x.ipynb": NOTEBOOK,
            " ann\u00a0 lee /x.ipynb": NOTEBOOK,
            "Joe\u2009 Roe _4_constraining.ipynb": NOTEBOOK,
        },
    )
    found = [submission.student for submission in find(tmp_path, COURSE, Roster())]
    assert found == ["Jane Doe", "Joe Roe", "ann lee"]
    assert "jd1" in {submission.student for submission in find(tmp_path, COURSE, people)}


def test_names_that_are_not_utf_8_become_text_that_can_be_written(tmp_path):
    for name in (b"m\xff_4_constraining.ipynb", b"j\xff/x.ipynb", b"z\xff/x.py", b"e\xff/x.ipynb"):
        path = tmp_path / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"" if name.startswith(b"e") else NOTEBOOK)
    found = find(tmp_path, COURSE, Roster())
    assert [submission.student for submission in found] == ["e?", "j?", "m?", "z?"]
    for submission in found:
        assert submission.file.startswith(submission.student)
        " ".join(
            (
                submission.student,
                submission.file,
                submission.back,
                submission.problem,
                *submission.notes,
            )
        ).encode()


def test_two_people_of_one_name_are_told_apart_by_the_platforms_ids(tmp_path):
    folders = [f"Jane Doe_{id}_assignsubmission_file_" for id in (12, 34)]
    handed_in(tmp_path, {f"{folder}/x.ipynb": NOTEBOOK for folder in folders})
    assert [submission.student for submission in find(tmp_path, COURSE, Roster())] == [
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
    found = {submission.student: submission for submission in find(tmp_path, COURSE, Roster())}
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
        (
            *(Cell(True, source) for source in sources),
            *(Cell(True, "x", cell_id) for cell_id in ids),
        ),
        assignment,
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
    handed_in(tmp_path, {"jane/a.ipynb": FIRST_NOTEBOOK, "jane/b.ipynb": NOTEBOOK})
    assert [
        (submission.student, submission.assignment)
        for submission in find(tmp_path, COURSE, Roster())
    ] == [
        ("jane", FIRST),
        ("jane", FOURTH),
    ]
