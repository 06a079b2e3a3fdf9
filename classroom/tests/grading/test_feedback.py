"""The pages of feedback, and the archives of them."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace

import pytest
from gradlab_classroom.grading import feedback, tables, written
from gradlab_classroom.objectives import Objective

from classroom.tests.classmates import ALL, COURSE, JANE, JOE, ROSTER, SCRIPT, Page, marked
from classroom.tests.notebooks_for_tests import FIRST, FOURTH

OBJECTIVES = [
    Objective("10.1", "10_constraining_weights", "x", ["check:max_norm", "quiz:10/quiz-1"], {f"{FOURTH}/wrong_axis": 3})
]  # fmt: skip


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
    assert "You predicted C: It is below 0.1, and above 0." in text
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


def test_no_report_names_another_student_in_a_students_page(tmp_path):
    for name, page in pages(tmp_path).items():
        others = {"jane", "joe", "ann", "kim"} - {name.split("__")[0]}
        assert not re.search(rf"\b({'|'.join(others)})\b", page.text.replace("max_norm", ""))


@pytest.mark.parametrize("letter", ["好", "x", "\ud800", "é"])
def test_long_names_are_cut_by_bytes_and_stay_apart(tmp_path, letter):
    names = [letter * 300 + end for end in ("1", "2")]
    found = [replace(JANE, student=name, back="") for name in names]
    assert len(pages(tmp_path, found)) == 2
    made = [feedback.file_name(name, "a" * 300) for name in names]
    assert len(set(made)) == 2
    assert all(len(name.encode()) < 200 for name in made)
    assert feedback.file_name("...", "") == "page.html"


def test_a_page_that_cannot_be_written_is_noted_and_the_others_are_there(tmp_path, monkeypatch):
    contents = feedback._contents

    def fails(one, *rest):
        if one is JOE:
            raise OSError("no such luck")
        return contents(one, *rest)

    monkeypatch.setattr(feedback, "_contents", fails)
    faults = feedback.write(tmp_path, ALL, COURSE, tables.people_of(ALL, ROSTER), {}, {})
    assert faults == ["the page of joe.ipynb: OSError: no such luck"]
    assert len(list((tmp_path / "feedback").iterdir())) == len(ALL) - 1
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert len(archive.namelist()) == len(ALL) - 1


def test_a_page_holds_no_control_characters_and_no_half_pairs(tmp_path):
    one = replace(
        JANE, back="a\udcff.html", prediction="\ud800", errors={1: "\x1b[31m<b>\0\ud800\n"}
    )
    (page,) = pages(tmp_path, [one]).values()
    assert "[31m<b>?" in page.text
    assert not re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", page.text)
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert archive.namelist() == ["a?.html"]
