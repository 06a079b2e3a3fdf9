"""A run as a figure: a step that the page takes again and again, and what it records on the way."""

from gradlab.figure.runs import defaults
from gradlab.figure.runs.run import HORIZON, Run, RunProgram

__all__ = ["HORIZON", "Run", "RunProgram", "defaults"]
