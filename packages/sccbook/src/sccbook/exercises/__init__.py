"""Check readers' answers to the exercises, and say what is wrong with them. One exercise a file."""

from sccbook.checking.personal import numbers as personal_numbers
from sccbook.exercises.answers import Result, check, points, variant

__all__ = ["Result", "check", "personal_numbers", "points", "variant"]
