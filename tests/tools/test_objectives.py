"""Every promise of a chapter is assessed, and whatever assesses belongs to a promise."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from classroom.tests.paths import ASSIGNMENTS, ROOT
from sccbook.exercises.catalogue import EXERCISES
from sccbook_classroom.course import load
from sccbook_classroom.inventory import Inventory

OBJECTIVES = yaml.safe_load((ASSIGNMENTS / "objectives.yml").read_text("utf-8"))["objectives"]
COURSE = load(ASSIGNMENTS / "course.yml").assignments
CHAPTERS = {
    path.stem: json.loads(path.read_text("utf-8"))["cells"]
    for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    if '"exercise"' in path.read_text("utf-8")  # others owe no objectives
}


def promised() -> dict[str, tuple[str, str]]:
    """The bullets of each chapter's "you can": chapter and text, by ids as ``01.2``."""
    found = {}
    for name, cells in CHAPTERS.items():
        after = "".join(cells[0]["source"]).partition("you can\n\n")[2].split("\n\n")[0]
        bullets = re.findall(r"^- (.*(?:\n  .*)*)", after, re.MULTILINE)
        assert bullets, f"{name} has no list after “After this chapter you can”"
        for n, bullet in enumerate(bullets, start=1):
            found[f"{name[:2]}.{n}"] = name, " ".join(bullet.split()).rstrip(";.")
    return found


def assessing() -> set[str]:
    """All that assesses: quizzes, exercises, questions of the inventory, and answers in words."""
    found = {
        f"inventory:{one.id}" for one in Inventory.read(ASSIGNMENTS / "inventory.yml").questions
    }
    for assignment in COURSE.values():
        found |= {f"check:{name}" for name in assignment.functions}
        found |= {f"written:{name}" for name in assignment.written}
    for name, cells in CHAPTERS.items():
        for cell in cells:
            tags = cell["metadata"].get("tags", [])
            if "quiz" in tags:
                found.add(f"quiz:{name[:2]}/{cell['id']}")
            if "exercise" in tags:
                checks = re.findall(r'^check\("(\w+)"', "".join(cell["source"]), re.MULTILINE)
                found |= {f"check:{check}" for check in checks}
    return found


def worth() -> dict[str, float]:
    """The points of each graded item, as ``4_constraining/max_norm``."""
    found = {}
    for name, one in COURSE.items():
        written = {key: question.points for key, question in one.written.items()}
        found |= {f"{name}/{item}": own for item, own in {**one.functions, **written}.items()}
    return found


def problems(objectives: list[dict[str, Any]]) -> Iterator[str]:
    """What doesn't fit together, one line each."""
    stated = {one["id"]: (one["chapter"], one["text"]) for one in objectives}
    for own in sorted(set(stated.items()) ^ set(promised().items())):
        yield f"either classroom/assignments/objectives.yml or a chapter lacks {own}"
    used = {item for one in objectives for item in one["assessed"]}
    for item in sorted(used ^ assessing()):
        yield f"{item} assesses no objective, or doesn't exist"
    shared = Counter[str]()
    for one in objectives:
        if not one["assessed"]:
            yield f"{one['id']} is assessed by nothing"
        for item, points in one["points"].items():
            shared[item] += points
            name = item.partition("/")[2]
            if not {f"check:{name}", f"written:{name}"} & {*one["assessed"]}:
                yield f"{one['id']} has points for {item}, which doesn't assess it"
    for item, points in sorted(set(shared.items()) ^ set(worth().items())):
        yield f"{item}: {points:g} points in the course, or shared among objectives, but not both"


def test_every_objective_is_assessed_and_every_item_assesses_one() -> None:
    found = list(problems(OBJECTIVES))
    assert not found, "\n".join(found)
    assert len({one["id"] for one in OBJECTIVES}) == len(OBJECTIVES)
    assert {item[6:] for item in assessing() if item.startswith("check:")} <= set(EXERCISES)
