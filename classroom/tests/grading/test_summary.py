"""The summary of a class."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from gradlab_classroom.grading import counts, summary
from gradlab_classroom.grading.result import Result, few
from gradlab_classroom.grading.roster import Roster

from classroom.tests.classmates import ANN, COURSE, JANE, JOE, KIM, ROSTER, SCRIPT, Page
from classroom.tests.notebooks_for_tests import FOURTH


def test_the_summary_counts_points_findings_and_predictions():
    part = counts.count_assignment(
        COURSE.assignments[FOURTH], [JANE, JOE, replace(JANE, student="jim"), ANN]
    )
    assert [(function.all, function.part, function.none) for function in part.functions] == [
        (3, 0, 0),
        (1, 2, 0),
        (1, 0, 2),
    ]
    assert part.functions[1].mean == pytest.approx((3 + 2 * 0.99) / 3)
    assert [(counted.name, counted.finding, counted.count) for counted in part.findings] == [
        ("three_places", "not_three_places", 2),
        ("wrong_axis", "not_wrong_axis", 2),
    ]
    assert [count for _, count in part.predictions] == [0, 0, 2, 0, 1]
    assert part.predictions[-1][0] == "something else"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_summary_of_nothing_that_could_be_graded_is_drawn_too(tmp_path):
    summary.write(tmp_path, [ANN], COURSE, Roster(), {})
    assert (tmp_path / "summary.svg").stat().st_size > 1000


def test_what_was_found_survives_json():
    one = replace(JANE, errors={3: "NameError"}, notes=("a", "b"), prints={"f": "x"})
    assert Result.from_json(json.loads(json.dumps(one.as_json()))) == one


def test_what_is_no_result_is_refused():
    good = json.loads(json.dumps(JANE.as_json()))
    assert Result.from_json(good) == JANE
    for change in (
        {"errors": []}, {"errors": {"1": 2}}, {"marks": {}}, {"marks": [3]}, {"marks": [{}]}, {"notes": [3]},
        {"written": {"a": 1}}, {"student": None}, {"seconds": "1"}, {"more": 1},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not what was found"):
            Result.from_json({**good, **change})
    for strange in ([], 3, None, "x", {}):
        with pytest.raises(ValueError, match="not what was found"):
            Result.from_json(strange)


def test_of_many_cells_that_failed_twenty_are_kept_and_the_others_are_counted():
    errors = {number: f"error {number}" for number in range(1, 10_001)}
    kept = few(errors)
    assert list(kept) == list(range(1, 22))
    assert kept[20] == "error 20"
    assert kept[21] == "this cell failed, and 9979 more after it"
    assert few(kept) == kept
    assert few({3: "x"}) == {3: "x"}


@pytest.mark.slow
def test_equal_files_are_named_where_something_was_written(tmp_path):
    def alike_in(*found):
        summary.write(tmp_path, found, COURSE, Roster(), {})
        text = (tmp_path / "summary.html").read_text(encoding="utf-8")
        return " ".join(Page(text).text.split())

    jane, joe, jim = (replace(JANE, student=name, digest="same") for name in ("jane", "joe", "jim"))
    assert f"{FOURTH}, the whole file: jane, joe" in alike_in(
        jane, joe, replace(jim, digest="else")
    )
    assert "the whole file" not in alike_in(jane, replace(joe, digest="else"))
    stubs = tuple(replace(mark, credit=0.0, finding="not_attempted") for mark in JANE.marks)
    untouched = {"marks": stubs, "written": {"not_a_gradient": ""}, "prediction": ""}
    assert "the whole file" not in alike_in(
        *(replace(graded, **untouched) for graded in (jane, joe))
    )
    words = {**untouched, "written": {"not_a_gradient": "Words."}}
    assert "the whole file" in alike_in(*(replace(graded, **words) for graded in (jane, joe)))


@pytest.mark.slow
def test_a_summary_is_written_whatever_a_students_text_holds(tmp_path):
    one = replace(ANN, student="a\udcff", reason="\ud800\x1b[0m")
    summary.write(tmp_path, [one], COURSE, Roster(), {})
    text = (tmp_path / "summary.html").read_text(encoding="utf-8")
    assert "a?" in text
    assert "\x1b" not in text
