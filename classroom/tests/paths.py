"""Where the files lie that the tests look at."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = ROOT / "classroom" / "assignments"
COURSE_FILE = ASSIGNMENTS / "course.yml"
