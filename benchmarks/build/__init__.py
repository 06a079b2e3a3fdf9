"""Reading the book, and testing it, from a fresh clone."""

MEASURES = (
    "Makefile",
    "constraints.txt",
    "hatch_build.py",
    "notebooks",
    "tests",
    "classroom/tests",
)
"""The paths that this benchmark measures most of: the time goes into packages, chapters and tests."""
