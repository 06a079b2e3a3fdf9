"""The notebook of a set, with its solutions, in nbgrader's form."""

from __future__ import annotations

import json
from typing import Any

from gradlab_classroom.course import Assignment, Written
from gradlab_classroom.release import source_form
from gradlab_classroom.variants.family import Variant

Cell = dict[str, Any]

INSTALL = """\
# Installs gradlab where it is missing, as on Colab. Elsewhere it does nothing.
INSTALL = ""  # what your course installs; if empty, the gradlab-*.whl beside this notebook

import importlib.util
from pathlib import Path

if importlib.util.find_spec("gradlab") is None:
    wheels = sorted(Path.cwd().glob("gradlab-*.whl"))
    what = INSTALL or (str(wheels[-1]) if wheels else "")
    if not what:
        raise ModuleNotFoundError(
            "gradlab is not installed here, and no gradlab-*.whl lies beside this notebook. Ask "
            f"your instructor for that file, put it into {Path.cwd()} (on Colab: upload it "
            "under Files), and run this cell again."
        )
    %pip install --quiet "{what}"
"""

IMPORTS = '''\
import jax
import jax.numpy as jnp
import numpy as np

from gradlab.ops import clip_by_norm, scale_gradient

def rounded(value):
    return jax.tree.map(lambda one: np.asarray(one, float).round(4).tolist(), value)

def example(call, expected):
    """Runs one example, and prints what comes out beside what should."""
    try:
        print("comes out:", rounded(call()))
    except Exception as error:
        print(f"comes out: {type(error).__name__}: {error}")
    print("should be:", rounded(expected))
'''

TITLE = """\
# {title}

An assignment of *Scale, Clip, Constrain*. {chapters}

**Time:** {minutes} minutes, an estimate. **Points:** {points:g}.

**How it is graded.** Each function earns its points for what it does, on inputs that you do not see, and not for
how it is written; some mistakes leave a part of them. There is no check here: each task has an equation and two
examples, and what comes out stands beside what should. The answer in words is marked by a person."""

HAND_IN = """\
## Before you hand in

Restart the kernel and run all cells, from the top: what counts is what a fresh kernel makes of this file. Then save
it, and hand in `{name}.ipynb` under this name."""


def notebook(assignment: Assignment, variants: list[Variant], answers: dict[str, str]) -> str:
    """Return the notebook's text.

    Args:
      assignment: as the course has it, with the points.
      variants: the exercises, in their order.
      answers: to the written questions, by name.
    """
    *others, last = assignment.chapters
    chapters = f"It follows chapters {', '.join(others)} and {last}."
    title = TITLE.format(
        title=assignment.title, chapters=chapters, minutes=assignment.minutes,
        points=assignment.points,
    )  # fmt: skip
    cells = [
        _cell("title", "markdown", title),
        _cell("install", "code", INSTALL, tags=["install"]),
        _cell("imports", "code", IMPORTS),
    ]
    for number, variant in enumerate(variants, 1):
        cells += _exercise(number, variant, assignment.functions[variant.name])
    for name, written in assignment.written.items():
        cells += _question(name, written, answers[name])
    cells.append(_cell("hand-in", "markdown", HAND_IN.format(name=assignment.name)))
    whole = {
        "cells": cells,
        "metadata": {"gradlab": {"assignment": assignment.name}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return source_form(json.dumps(whole))


def _exercise(number: int, variant: Variant, points: float) -> list[Cell]:
    heading = f"## {number}. {variant.title} ({points:g} points)\n\n"
    graded = f"""\
# This cell is graded when you have handed the notebook in. Leave it as it is.
### BEGIN HIDDEN TESTS
from gradlab_classroom.variants.private import points

points("{variant.name}", globals(), of={points:g})
### END HIDDEN TESTS"""
    answer = variant.cell("### BEGIN SOLUTION", "### END SOLUTION")
    return [
        _cell(f"{variant.name}-task", "markdown", heading + variant.texts.task),
        _cell(
            f"{variant.name}-answer",
            "code",
            answer,
            **_grading(f"answer_{variant.name}", solution=True),
        ),
        _cell(f"{variant.name}-examples-read", "markdown", "Two examples:"),
        _cell(f"{variant.name}-examples", "code", variant.texts.examples),
        _cell(
            f"{variant.name}-points",
            "code",
            graded,
            **_grading(variant.name, points=points, locked=True),
        ),
    ]


def _question(name: str, written: Written, answer: str) -> list[Cell]:
    rubric = "\n".join(f"- {line}" for line in written.rubric)
    text = (
        f"**Your answer ({name}):**\n\n### BEGIN SOLUTION\n{answer}\n\nWhat earns points:\n\n{rubric}\n"
        "### END SOLUTION"
    )
    task = (
        f"## In words ({written.points:g} points)\n\n{written.question}\n\nWrite into the cell below, and "
        "leave its first line."
    )
    grading = _grading(f"written_{name}", points=written.points, solution=True)
    return [
        _cell(f"{name}-task", "markdown", task),
        _cell(f"{name}-written", "markdown", text, **grading),
    ]


def _cell(name: str, kind: str, source: str, **metadata: Any) -> Cell:
    code: Cell = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": name, "metadata": metadata, "source": source, **code}


def _grading(
    grade_id: str, *, points: float = 0, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    """Return what nbgrader wants to know of a cell, in its schema 3."""
    known: dict[str, Any] = {
        "grade": points > 0, "grade_id": grade_id, "locked": locked, "schema_version": 3,
        "solution": solution, "task": False,
    }  # fmt: skip
    return {"nbgrader": {**known, **({"points": points} if points else {})}}
