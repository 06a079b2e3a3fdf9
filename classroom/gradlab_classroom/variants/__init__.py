"""Graded exercises that stand nowhere: drawn from a seed that one person holds.

The public assignments and their solutions are for practice. ``python -m gradlab_classroom variants``
makes a set of others, in a folder that is to be kept private; see its README.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gradlab.exercises.checking.findings import Exercise

PRIVATE = "GRADLAB_PRIVATE"
"""The environment variable that names the folder, for nbgrader."""


def load(folder: Path) -> Mapping[str, Exercise]:
    """Returns the exercises of a folder that ``variants`` has made. The seed is not needed.

    Args:
      folder: where ``variants.json`` lies.

    Raises:
      ValueError: if it is no such folder; it says what is wrong.
    """
    from gradlab_classroom.variants.sets import read

    return {one.name: one.exercise for one in read(folder).variants}


def points(name: str, namespace: Mapping[str, Any], *, of: float) -> float:
    """The same as ``gradlab.exercises.points``, for an exercise of the folder in ``GRADLAB_PRIVATE``.

    Raises:
      ValueError: if there is no such folder, or no such exercise in it.
    """
    from gradlab.exercises.checking.check import points_of

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command that makes a set."""
    from gradlab_classroom.variants.command import main as run

    return run(arguments)
