"""The reports: tables for platforms, written answers, feedback and the summary."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from notebooks_for_tests import FIRST, FOURTH

from gradlab.classroom.course import load
from gradlab.classroom.grading import feedback, likeness, sheets, summary, tables, words, written
from gradlab.classroom.grading.marked import GRADED, MACHINE, UNREADABLE, Mark, Marked
from gradlab.classroom.grading.reading import Cell
from gradlab.classroom.grading.roster import Person, Roster
from gradlab.classroom.grading.sheets import SheetError
from gradlab.classroom.objectives import Objective

COURSE = load(Path(__file__).parents[3] / "assignments" / "course.yml")
SCRIPT = "<script>alert('x')</script>"


def marked(student, assignment=FOURTH, credits=(1.0, 0.33, 0.0), **more):
    of = COURSE.assignments[assignment].functions
    marks = tuple(
        Mark(name, points, round(points * credit, 2), "passed" if credit == 1 else f"not_{name}",
             f"{name} was {SCRIPT}.", credit)
        for (name, points), credit in zip(of.items(), credits, strict=True)
    )  # fmt: skip
    written = dict.fromkeys(COURSE.assignments[assignment].written, f"By {student}.")
    return replace(
        Marked(student, assignment, f"{student}.ipynb", GRADED, marks=marks, written=written),
        **more,
    )


JANE = marked("jane", prediction="C", platform="canvas:12", back="doejane_12_3_x-1.html")
JOE = marked("joe", credits=(1, 1, 1), platform="moodle:34", prediction=SCRIPT,
             back="Joe_34_assignsubmission_file_/feedback.html")  # fmt: skip
ANN = Marked("ann", FOURTH, "ann.ipynb", UNREADABLE, f"it is {SCRIPT}")
KIM = Marked("kim", FOURTH, "kim.ipynb", MACHINE, "no memory", platform="moodle:35")
ALL = [JANE, JOE, ANN, KIM]
ROSTER = Roster(
    {
        "jane": Person("jane", "=Jane()", canvas="12", email="jane@x.org", login="jd", section="A"),
        "eve": Person("eve", "Eve"),
    },
    ["student id", "name"],
)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ------------------------------------------------------------------------------- tables


def test_canvas_gets_its_columns_the_points_possible_and_blanks_for_what_is_not_graded(tmp_path):
    path = tmp_path / "canvas.csv"
    tables.canvas(path, ALL, COURSE, ROSTER, {})
    header = path.read_text(encoding="utf-8").splitlines()[0]
    assert header == "Student,ID,SIS User ID,SIS Login ID,Section,Constraining weights"
    possible, *people = rows(path)
    assert possible["Student"].strip() == "Points Possible"
    assert possible["Constraining weights"] == "17"
    grades = {one["Student"]: (one["ID"], one["Constraining weights"]) for one in people}
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
    found = {one["Full name"]: one for one in rows(path)}
    assert list(found["joe"]) == list(tables.MOODLE)
    assert found["joe"]["Identifier"] == "Participant 34"
    assert (found["joe"]["Grade"], found["joe"]["Maximum Grade"]) == ("14", "17")
    assert found["'=Jane()"]["Feedback comments"] == (
        "max_norm: 5 of 5; wrong_axis: 0.99 of 3; three_places: 0 of 6; written answers not marked yet."
    )
    assert (found["kim"]["Grade"], found["kim"]["Status"]) == ("", "Submitted for grading")
    assert (found["Eve"]["Grade"], found["Eve"]["Status"]) == ("", "No submission")
    assert "<" not in path.read_text()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1"])
def test_text_that_a_spreadsheet_would_take_for_a_formula_is_text(tmp_path, text):
    path = tmp_path / "x.csv"
    sheets.write(path, ["a", "=b"], [{"a": text, "=b": "plain"}])
    assert rows(path) == [{"a": "'" + text, "'=b": "plain"}]
    assert sheets.as_written("'" + text) == text
    assert sheets.as_written("'quoted'") == "'quoted'"


def test_tables_of_other_spreadsheets_are_read(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("a;b\nÄ;2\n;\n\n3\n".encode("cp1252"))
    assert sheets.read(path) == (["a", "b"], [{"a": "Ä", "b": "2"}, {"a": "3", "b": ""}])


# ---------------------------------------------------------------------- written answers


def fill_in(path, *marks):
    """Fills in marks as a person with a spreadsheet does."""
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
    ("mark", "says"), [("3.5", "not from 0 to 3"), ("-1", "not from"), ("nan", "not from")]
)
def test_a_mark_outside_of_the_questions_points_is_refused(tmp_path, mark, says):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", mark, ""))
    with pytest.raises(SheetError, match=says):
        written.check(written.read(path), ALL, COURSE, path)


def test_marks_of_nobody_and_of_no_number_are_named(tmp_path):
    path = tmp_path / "written.csv"
    written.write(path, ALL, COURSE, {})
    fill_in(path, ("jane", "good", ""))
    with pytest.raises(SheetError, match="row 2: the mark 'good' is no number"):
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
    assert words.written_in(cells, ["one", "two", "three", "four", "five"]) == {
        "one": "First.\n\nMore.",
        "two": "Second.",
        "three": "Third, without its anchor.",
        "four": "",
        "five": "",
    }


# ----------------------------------------------------------------------------- feedback

OBJECTIVES = [
    Objective("10.1", "10_constraining_weights", "x", ["check:max_norm", "quiz:10/quiz-1"], {f"{FOURTH}/wrong_axis": 3})
]  # fmt: skip


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def pages(folder, found=ALL, marks=None, book=""):
    people = tables.people_of(found, ROSTER)
    chapters = feedback.chapters_of(OBJECTIVES, book)
    feedback.write(folder, found, COURSE, people, marks or {}, chapters)
    return {
        path.name: Page(path.read_text(encoding="utf-8"))
        for path in (folder / "feedback").iterdir()
    }


def test_every_submission_has_a_page_and_nothing_in_it_is_the_students_markup(tmp_path):
    found = pages(tmp_path)
    assert len(found) == len(ALL)
    for page in found.values():
        tags = [tag for tag, _ in page.elements]
        assert "script" not in tags
        assert not any(key.startswith("on") for _, given in page.elements for key in given)
        assert not any("src" in given for _, given in page.elements)  # nothing is fetched
        assert tags.count("h1") == tags.count("main") == 1
        assert ("html", {"lang": "en"}) in page.elements
        assert ("th", {"scope": "col"}) in page.elements or "not graded yet" in page.text
    assert SCRIPT in found[f"joe__{FOURTH}.html"].text


def test_feedback_says_what_was_earned_found_predicted_and_written(tmp_path):
    given = written.Given(2.0, "Say when.", {})
    text = pages(tmp_path, marks={("jane", FOURTH, "not_a_gradient"): given})[
        f"jane__{FOURTH}.html"
    ].text
    text = " ".join(text.split())
    assert "7.99 of 17 points" in text
    assert "To read again: chapter 10, Constraining weights." in text
    assert "You predicted C: It is a little below 0.1." in text
    assert "2 of 3 points" in text
    assert "Say when." in text
    assert "By jane." in text
    assert "not marked yet" not in text.lower()
    joe = " ".join(pages(tmp_path)[f"joe__{FOURTH}.html"].text.split())
    assert "14 of 17 points, so far: written answers not marked yet" in joe


def test_feedback_leads_to_the_chapter_where_the_book_has_an_address(tmp_path):
    page = pages(tmp_path, book="https://example.org/book/")[f"jane__{FOURTH}.html"]
    links = [given["href"] for tag, given in page.elements if tag == "a"]
    assert links == ["https://example.org/book/notebooks/10_constraining_weights.html"]


def test_what_could_not_be_graded_loses_no_points_in_words_either(tmp_path):
    found = pages(tmp_path)
    for name in ("ann", "kim"):
        text = found[f"{name}__{FOURTH}.html"].text
        assert "No points are taken for it" in text
        assert "0 of" not in text


def test_archives_of_feedback_have_the_names_that_the_platforms_gave(tmp_path):
    pages(tmp_path)
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        names = set(archive.namelist())
    assert names == {JANE.back, JOE.back, f"ann__{FOURTH}.html", f"kim__{FOURTH}.html"}
    pages(tmp_path, [JANE, replace(marked("jane", FIRST, (1, 1)), back=JANE.back)])
    assert sorted(path.name for path in tmp_path.glob("*.zip")) == [
        f"feedback_{FIRST}.zip",
        f"feedback_{FOURTH}.zip",
    ]


@pytest.mark.parametrize("student", ["../../etc/passwd", "a/b", "..", "con:", "x" * 300, "Jané D."])
def test_a_page_is_a_file_in_its_folder_whatever_a_student_is_called(tmp_path, student):
    one = replace(JANE, student=student, back="")
    assert len(pages(tmp_path, [one, replace(one, student=student + "?")])) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"feedback", "feedback.zip"}


# ------------------------------------------------------------------------------ summary


def test_the_summary_counts_points_findings_and_predictions():
    part = summary.of_assignment(
        COURSE.assignments[FOURTH], [JANE, JOE, replace(JANE, student="jim"), ANN]
    )
    assert [(one.all, one.part, one.none) for one in part.functions] == [
        (3, 0, 0),
        (1, 2, 0),
        (1, 0, 2),
    ]
    assert part.functions[1].mean == pytest.approx((3 + 2 * 0.99) / 3)
    assert [(one.name, one.finding, one.count) for one in part.findings] == [
        ("three_places", "not_three_places", 2),
        ("wrong_axis", "not_wrong_axis", 2),
    ]
    assert [count for _, count in part.predictions] == [0, 0, 2, 0, 1]
    assert part.predictions[-1][0] == "something else"


def test_the_summary_shows_the_class_what_needs_a_look_and_who_is_missing(tmp_path):
    prints = {"max_norm": "same"}
    found = [
        replace(JANE, prints=prints, notes=("it was handed in late",)),
        replace(JOE, prints=prints),
        ANN,
        KIM,
    ]
    summary.write(tmp_path, found, COURSE, ROSTER, {})
    text = (tmp_path / "summary.html").read_text(encoding="utf-8")
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 0
    flat = " ".join(page.text.split())
    assert (
        "2 graded, 1 unreadable, 1 that could not be run here; 2 written answers not marked" in flat
    )
    assert f"ann.ipynb: it is {SCRIPT}" in flat
    assert "it was handed in late" in flat
    assert f"{FOURTH}, max_norm: jane, joe" in flat
    assert f"{FOURTH}: eve" in flat
    (image,) = [given for tag, given in page.elements if tag == "img"]
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert image["alt"]
    picture = (tmp_path / "summary.svg").read_bytes()
    assert picture.startswith(b"<?xml")
    summary.write(tmp_path, found, COURSE, ROSTER, {})
    assert (tmp_path / "summary.svg").read_bytes() == picture


def test_a_summary_of_nothing_that_could_be_graded_is_drawn_too(tmp_path):
    summary.write(tmp_path, [ANN], COURSE, Roster(), {})
    assert (tmp_path / "summary.svg").stat().st_size > 1000


def test_what_was_found_survives_json():
    one = replace(JANE, errors={3: "NameError"}, notes=("a", "b"), prints={"f": "x"})
    assert Marked.from_json(json.loads(json.dumps(one.as_json()))) == one


# ----------------------------------------------------------------------------- likeness

LONG = """def max_norm(w, limit):
    {doc}norms = jnp.sqrt(jnp.sum(w ** 2, axis=0, keepdims=True))
    factor = jnp.where(norms > limit, limit / norms, 1.0)  {comment}
    result = w * factor
    return jnp.asarray(result, dtype=w.dtype)
"""


def prints(source):
    return likeness.fingerprints(likeness.trees([source]), ["max_norm"])


def test_comments_layout_and_docstrings_do_not_make_a_text_another_and_names_do():
    plain = LONG.format(doc="", comment="")
    disguised = LONG.format(doc='"""My own."""\n    ', comment="# mine").replace("w ** 2", "w**2")
    assert prints(plain) == prints(disguised) != {}
    assert prints(plain) != prints(plain.replace("factor", "f"))


def test_short_functions_are_alike_by_nature():
    assert prints("def max_norm(w, limit):\n    return w * jnp.minimum(1, limit / norm(w))") == {}


def test_the_last_definition_is_the_one_that_is_compared():
    assert (
        prints(LONG.format(doc="", comment="") + "\ndef max_norm(w, limit):\n    return w\n") == {}
    )


def test_students_whose_function_is_the_same_text_are_reported_once():
    found = likeness.alike(
        [
            ("a", FOURTH, {"f": "1"}),
            ("b", FOURTH, {"f": "1"}),
            ("c", FOURTH, {"f": "2"}),
            ("d", FIRST, {"f": "1"}),
        ]
    )
    assert list(found) == [(FOURTH, "f", ["a", "b"])]


@pytest.mark.parametrize(
    "source",
    [
        "from gradlab.ops import max_norm",
        "from gradlab.ops.constraints import max_norm as cap",
        "import gradlab.ops as ops\nf = ops.max_norm",
        "import gradlab\nf = gradlab.ops.max_norm",
        "from gradlab import ops\nf = ops.constraints.max_norm",
    ],
)
def test_the_packages_own_version_of_what_is_asked_for_is_noted(source):
    assert len(likeness.borrowed(likeness.trees([source]), ["max_norm"])) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from gradlab.ops import unit_norm",
        "from gradlab.classroom import check",
        "import optax\nf = optax.max_norm",
        "def max_norm(w): return w\nmy.max_norm",
        "not python (",
        "x = " + "(" * 5000,
    ],
)
def test_other_imports_are_not_noted(source):
    assert likeness.borrowed(likeness.trees([source]), ["max_norm"]) == []


def test_no_report_names_another_student_in_a_students_page(tmp_path):
    for name, page in pages(tmp_path).items():
        others = {"jane", "joe", "ann", "kim"} - {name.split("__")[0]}
        assert not re.search(rf"\b({'|'.join(others)})\b", page.text.replace("max_norm", ""))
