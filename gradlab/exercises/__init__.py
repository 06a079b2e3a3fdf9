"""Checks for the readers' own answers, and the feedback that they give; one exercise a file."""

from gradlab.exercises.checking.check import Result, check, points

__all__ = ["Result", "check", "points"]
