"""Check readers' answers to the exercises, and say what is wrong with them. One exercise a file."""

from sccbook.checking.check import Result, check, points
from sccbook.checking.personal import numbers as personal_numbers

__all__ = ["Result", "check", "personal_numbers", "points"]
