"""The objectives that chapters promise, and what assesses each: ``classroom/assignments/objectives.yml``.

``problems`` finds an objective that nothing assesses, an item that assesses nothing, and points
that are not those of the course.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gradlab_classroom.course import Course
from gradlab_classroom.inventory import Inventory

CAN = "you can\n\n"
"""The words before the list of objectives, in a chapter's title cell."""


@dataclass(frozen=True)
class Objective:
    """One promise of a chapter.

    Attributes:
      id: chapter and bullet, ``"01.2"``.
      chapter: the name of the notebook, without its ending.
      text: the bullet, in one line and without its last mark.
      assessed: ``"quiz:01/quiz-1"``, ``"check:scale_gradient"``, ``"inventory:3"`` or
        ``"written:tell_apart"``.
      points: by ``"assignment/item"``; an item's points may be shared among objectives.
    """

    id: str
    chapter: str
    text: str
    assessed: Sequence[str]
    points: Mapping[str, float]


def read(path: str | Path) -> list[Objective]:
    """Read the objectives.

    Raises:
      FileNotFoundError: if there is no such file.
      ValueError: if an entry has not what it needs, or an id comes twice.
    """
    found = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not isinstance(found.get("objectives"), list):
        raise ValueError(f"{path} must have a list under the key objectives.")
    objectives = [_objective(raw, n) for n, raw in enumerate(found["objectives"], start=1)]
    ids = [objective.id for objective in objectives]
    if twice := sorted({own for own in ids if ids.count(own) > 1}):
        raise ValueError(f"{path} has more than one entry for {', '.join(twice)}. Keep one.")
    return objectives


def stated(notebooks: Path) -> dict[str, tuple[str, str]]:
    """Return what the chapters promise: text and chapter of each bullet, by its id.

    Args:
      notebooks: the folder of the chapters, ``NN_name.ipynb``.

    Raises:
      ValueError: if a chapter's first cell has no list of objectives.
    """
    found = {}
    for path in _chapters(notebooks):
        title = _source(_cells(path)[0])
        _, begun, rest = title.partition(CAN)
        bullets = re.findall(r"^- (.*(?:\n  .*)*)", rest.split("\n\n")[0], re.MULTILINE)
        if not begun or not bullets:
            raise ValueError(f"{path} has no list after “When you have read this chapter you can”.")
        for n, bullet in enumerate(bullets, start=1):
            found[f"{path.name[:2]}.{n}"] = (" ".join(bullet.split()).rstrip(";."), path.stem)
    return found


def items(notebooks: Path, inventory: Inventory, course: Course) -> set[str]:
    """Return all that assesses something: quizzes, exercises, inventory and written questions."""
    cells = [(path, cell) for path in _chapters(notebooks) for cell in _cells(path)]
    quizzes = {
        f"quiz:{path.name[:2]}/{cell['id']}" for path, cell in cells if _tagged(cell, "quiz")
    }
    exercises = {
        name
        for _, cell in cells
        if _tagged(cell, "exercise")
        for name in re.findall(r'^check\("(\w+)"', _source(cell), re.MULTILINE)
    }
    asked = [
        question for assignment in course.assignments.values() for question in assignment.written
    ]
    graded = [
        function for assignment in course.assignments.values() for function in assignment.functions
    ]
    return (
        quizzes
        | {f"check:{name}" for name in (*exercises, *graded)}
        | {f"inventory:{question.id}" for question in inventory.forms["A"]}
        | {f"written:{name}" for name in asked}
    )


def problems(
    objectives: Sequence[Objective],
    stated: Mapping[str, tuple[str, str]],
    items: set[str],
    course: Course,
) -> list[str]:
    """Return what does not fit together, one sentence each; nothing if all does.

    Args:
      objectives: what ``read`` returned.
      stated: what the chapters promise, from ``stated``.
      items: all that can assess, from ``items``.
      course: whose points the objectives share out.
    """
    return [
        *_texts(objectives, stated),
        *_orphans(objectives, items),
        *_points(objectives, course),
    ]


def _texts(objectives: Sequence[Objective], stated: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    written = {objective.id: objective for objective in objectives}
    for missing in sorted(stated.keys() - written.keys()):
        yield f"{missing} is promised by its chapter, and has no entry."
    for objective in objectives:
        if objective.id not in stated:
            yield f"{objective.id} is no bullet of a chapter."
        elif (objective.text, objective.chapter) != stated[objective.id]:
            text, chapter = stated[objective.id]
            yield f"{objective.id} should read {text!r}, of the chapter {chapter}."


def _orphans(objectives: Sequence[Objective], items: set[str]) -> Iterator[str]:
    used = {item for objective in objectives for item in objective.assessed}
    for objective in objectives:
        if not objective.assessed:
            yield f"{objective.id} is assessed by nothing."
        for item in sorted(set(objective.assessed) - items):
            yield f"{objective.id} names {item}, which does not exist."
    for item in sorted(items - used):
        yield f"{item} assesses no objective."


def _points(objectives: Sequence[Objective], course: Course) -> Iterator[str]:
    worth = {
        f"{name}/{item}": (f"{kind}:{item}", float(points))
        for name, assignment in course.assignments.items()
        for kind, some in (
            ("check", assignment.functions),
            ("written", {key: question.points for key, question in assignment.written.items()}),
        )
        for item, points in some.items()
    }
    shared: dict[str, float] = defaultdict(float)
    for objective in objectives:
        for item, points in objective.points.items():
            shared[item] += points
            if item not in worth:
                yield f"{objective.id} has points for {item}, which the course does not have."
            elif worth[item][0] not in objective.assessed:
                yield f"{objective.id} has points for {item}, and is not assessed by {worth[item][0]}."
    for item, (_, points) in worth.items():
        if shared[item] != points:
            yield f"{item} is worth {points:g} points, and the objectives share {shared[item]:g}."


def _objective(raw: Any, place: int) -> Objective:
    keys = ("id", "chapter", "text", "assessed", "points")
    if not isinstance(raw, dict) or set(raw) != set(keys):
        raise ValueError(f"Objective {place} must have {', '.join(keys)}, and is {raw!r}.")
    texts = [raw["id"], raw["chapter"], raw["text"]]
    if not all(isinstance(text, str) and text for text in texts):
        raise ValueError(f"Objective {place}: id, chapter and text must be text; quote them.")
    if not isinstance(raw["assessed"], list) or not isinstance(raw["points"], dict):
        raise ValueError(f"{raw['id']}: assessed must be a list, and points a mapping.")
    for item, points in raw["points"].items():
        if isinstance(points, bool) or not isinstance(points, int | float) or not points > 0:
            raise ValueError(f"{raw['id']}: the points of {item} must be above 0, not {points!r}.")
    return Objective(**raw)


def _chapters(notebooks: Path) -> list[Path]:
    """The chapters that have an exercise: before it is written, a chapter owes no objectives."""
    chapters = sorted(notebooks.glob("[0-9][0-9]_*.ipynb"))
    return [path for path in chapters if any(_tagged(cell, "exercise") for cell in _cells(path))]


def _tagged(cell: Mapping[str, Any], tag: str) -> bool:
    return tag in cell["metadata"].get("tags", [])


def _cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def _source(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"])
