"""Checks for the readers' own answers, and the feedback that they give; one exercise a file."""

from sccbook.checking.check import Result, check, points
from sccbook.checking.personal import numbers as personal_numbers

__all__ = ["Result", "check", "personal_numbers", "points"]
