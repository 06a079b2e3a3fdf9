"""Every promise of a chapter is assessed, and whatever assesses belongs to a promise."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest
import yaml
from gradlab_classroom import course, inventory, objectives

from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE, ROOT
from gradlab.exercises.checking.catalogue import EXERCISES

NOTEBOOKS = ROOT / "notebooks"
PATH = ASSIGNMENTS / "objectives.yml"
KINDS = ("quiz", "check", "inventory", "written")


@pytest.fixture(scope="module")
def stated():
    return objectives.stated(NOTEBOOKS)


@pytest.fixture(scope="module")
def taught():
    return course.load(COURSE_FILE)


@pytest.fixture(scope="module")
def items(taught):
    asked = inventory.read(ASSIGNMENTS / "inventory.yml")
    return objectives.items(NOTEBOOKS, asked, taught)


@pytest.fixture(scope="module")
def raw():
    return yaml.safe_load(PATH.read_text(encoding="utf-8"))


@pytest.fixture
def found(raw, stated, items, taught, tmp_path):
    """Alter a copy of the file, and return the problems that are found in it."""

    def after(alter=lambda entries: None, *, stated=stated, items=items, taught=taught):
        changed = copy.deepcopy(raw)
        alter({entry["id"]: entry for entry in changed["objectives"]})
        changed["objectives"] = [entry for entry in changed["objectives"] if entry]
        path = tmp_path / "changed.yml"
        path.write_text(yaml.safe_dump(changed, allow_unicode=True), encoding="utf-8")
        return objectives.problems(objectives.read(path), stated, items, taught)

    return after


def test_every_objective_is_assessed_and_every_item_assesses_one(found):
    assert found() == []


def test_every_chapter_and_every_kind_of_item_is_there(stated, items):
    chapters = {
        path.stem
        for path in NOTEBOOKS.glob("*.ipynb")
        if "exercise"
        in str([cell["metadata"] for cell in json.loads(path.read_text("utf-8"))["cells"]])
    }
    assert {chapter for _, chapter in stated.values()} == chapters
    assert len(chapters) >= 13
    count = {kind: sum(item.startswith(f"{kind}:") for item in items) for kind in KINDS}
    assert count["inventory"] == 12
    assert count["check"] >= 19
    assert count["written"] == 6
    assert 2 * len(chapters) <= count["quiz"] <= 3 * len(chapters)


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_that_belongs_to_no_objective_is_found(found, items, kind):
    assert found(items=items | {f"{kind}:new"}) == [f"{kind}:new assesses no objective."]


def test_every_graded_function_is_an_item_whether_or_not_a_chapter_asks_for_it(taught, items):
    graded = {
        f"check:{function}" for each in taught.assignments.values() for function in each.functions
    }
    assert graded < items


def test_what_chapters_and_the_course_ask_for_are_exercises(items):
    asked = {item.removeprefix("check:") for item in items if item.startswith("check:")}
    assert asked <= set(EXERCISES)


def test_a_chapter_whose_exercise_is_not_written_owes_no_objectives(tmp_path):
    cell = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# T"}
    (tmp_path / "03_t.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert objectives.stated(tmp_path) == {}


@pytest.mark.parametrize("item", ["quiz:03/quiz-1", "check:scaled_unroll", "inventory:8"])
def test_an_item_that_is_gone_is_found(found, items, raw, item):
    users = [entry["id"] for entry in raw["objectives"] if item in entry["assessed"]]
    gone = found(items=items - {item})
    assert gone == [f"{user} names {item}, which does not exist." for user in users]
    assert gone


def test_an_objective_that_nothing_assesses_is_found(found):
    def alter(entries):
        entries["03.1"]["assessed"] = []

    assert "03.1 is assessed by nothing." in found(alter)


def test_an_objective_without_an_entry_is_found(found):
    assert "12.4 is promised by its chapter, and has no entry." in found(
        lambda entries: entries["12.4"].clear()
    )


def test_an_entry_without_an_objective_is_found(found, stated):
    fewer = {key: value for key, value in stated.items() if key != "17.4"}
    assert found(stated=fewer) == ["17.4 is no bullet of a chapter."]


@pytest.mark.parametrize("key", ["text", "chapter"])
def test_an_entry_that_says_something_else_than_its_chapter_is_found(found, stated, key):
    def alter(entries):
        entries["02.3"][key] += "s"

    (problem,) = found(alter)
    assert problem.startswith(f"02.3 should read {stated['02.3'][0]!r}")


def test_points_that_are_not_the_courses_are_found(found, taught):
    def alter(entries):
        entries["08.2"]["points"]["3_clipping/turned_by_the_clip"] = 2

    assert found(alter) == [
        "3_clipping/turned_by_the_clip is worth 3 points, and the objectives share 2."
    ]
    name = "3_clipping"
    other = dataclasses.replace(
        taught.assignments[name],
        functions={**taught.assignments[name].functions, "turned_by_the_clip": 4},
    )
    changed = dataclasses.replace(taught, assignments={**taught.assignments, name: other})
    assert found(taught=changed) == [
        "3_clipping/turned_by_the_clip is worth 4 points, and the objectives share 3."
    ]


def test_points_for_what_the_course_does_not_have_are_found(found):
    def alter(entries):
        entries["08.2"]["points"]["3_clipping/turned"] = 1

    assert found(alter) == [
        "08.2 has points for 3_clipping/turned, which the course does not have."
    ]


def test_points_for_what_does_not_assess_the_objective_are_found(found):
    def alter(entries):
        entries["08.2"]["assessed"].remove("check:turned_by_the_clip")
        entries["08.3"]["assessed"].append("check:turned_by_the_clip")

    assert found(alter) == [
        "08.2 has points for 3_clipping/turned_by_the_clip, and is not assessed by "
        "check:turned_by_the_clip."
    ]


def write_chapter(folder, title):
    exercise = {"cell_type": "code", "id": "x", "metadata": {"tags": ["exercise"]}, "source": "..."}
    text = json.dumps({"cells": [title, exercise]})
    (folder / "03_t.ipynb").write_text(text, encoding="utf-8")


def test_a_bullet_over_two_lines_is_one_text(tmp_path):
    title = "# T\n\nWhen you have read this chapter you can\n\n- say a,\n  and b;\n- do c.\n\n- no."
    cell = {
        "cell_type": "markdown",
        "id": "title",
        "metadata": {},
        "source": title.splitlines(True),
    }
    write_chapter(tmp_path, cell)
    assert objectives.stated(tmp_path) == {
        "03.1": ("say a, and b", "03_t"),
        "03.2": ("do c", "03_t"),
    }


def test_a_chapter_without_objectives_is_refused(tmp_path):
    cell = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# T"}
    write_chapter(tmp_path, cell)
    with pytest.raises(ValueError, match="has no list after"):
        objectives.stated(tmp_path)


ENTRY = {"id": "01.1", "chapter": "01_t", "text": "say", "assessed": [], "points": {}}


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ([ENTRY], "must have a list under the key objectives"),
        ({"objectives": [ENTRY, ENTRY]}, "more than one entry for 01.1"),
        ({"objectives": [{"id": "01.1"}]}, "Objective 1 must have id, chapter"),
        ({"objectives": [{**ENTRY, "id": 1.1}]}, "must be text; quote them"),
        ({"objectives": [{**ENTRY, "assessed": "quiz:01/quiz-1"}]}, "assessed must be a list"),
        ({"objectives": [{**ENTRY, "points": {"a/b": 0}}]}, "must be above 0, not 0"),
    ],
)
def test_a_malformed_file_is_refused(tmp_path, given, match):
    path = tmp_path / "objectives.yml"
    path.write_text(yaml.safe_dump(given), encoding="utf-8")
    with pytest.raises(ValueError, match=match):
        objectives.read(path)
