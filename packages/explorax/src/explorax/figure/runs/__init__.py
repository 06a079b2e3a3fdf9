"""Runs: a step that the page takes again and again, and what it records on the way.

A figure of the book is one where its spec's ``function`` is a ``Run``; ``explore`` makes one of a
reader's step.
"""

from explorax.figure.runs.defaults import sentences, table, view
from explorax.figure.runs.run import HORIZON, Run, RunProgram

__all__ = ["HORIZON", "Run", "RunProgram", "sentences", "table", "view"]
