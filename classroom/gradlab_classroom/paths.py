"""Paths of the files that a teacher works with, from the root of the repository."""

from __future__ import annotations

from pathlib import Path

ASSIGNMENTS = Path("classroom", "assignments")
COURSE = ASSIGNMENTS / "course.yml"
INVENTORY = ASSIGNMENTS / "inventory.yml"
RELEASE = ASSIGNMENTS / "release"
