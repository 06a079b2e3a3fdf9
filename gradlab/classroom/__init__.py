"""Checks for the readers' own answers, and the feedback that they give."""

from gradlab.classroom.checking import Result, check, points

__all__ = ["Result", "check", "points"]
