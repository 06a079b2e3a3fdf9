"""The exercises of a private folder, for the grader and for the test cells that nbgrader runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.check import points_of
from gradlab.exercises.checking.findings import Exercise
from gradlab_classroom.variants.sets import read

PRIVATE = "GRADLAB_PRIVATE"
"""The environment variable that names the folder, for nbgrader."""


def load(folder: Path) -> Mapping[str, Exercise]:
    """Return the exercises of a folder that ``variants`` has made. The seed is not needed.

    Args:
      folder: where ``variants.json`` lies.

    Raises:
      ValueError: if it is no such folder; it says what is wrong.
    """
    return {variant.name: variant.exercise for variant in read(folder).variants}


def points(name: str, namespace: Mapping[str, Any], *, of: float) -> float:
    """Return what ``gradlab.exercises.points`` would, for an exercise of the folder in ``GRADLAB_PRIVATE``.

    Raises:
      ValueError: if there is no such folder, or no such exercise in it.
    """
    folder = os.environ.get(PRIVATE, "")
    if not folder:
        raise ValueError(
            f"{PRIVATE} is not set: it names the folder of the private exercises. Run nbgrader in that "
            "folder, whose nbgrader_config.py sets it."
        )
    exercises = load(Path(folder))
    if name not in exercises:
        known = ", ".join(exercises)
        raise ValueError(f"There is no exercise {name!r} in {folder}. There are: {known}.")
    return points_of(exercises[name], namespace, of=of)
