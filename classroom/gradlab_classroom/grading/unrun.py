"""What a notebook asks for that the sandbox does not run, and that may have cost a right answer.

The sandbox runs Python, from one notebook. It runs no command and, but those that time, no magic,
and it has no network, no files that lay beside the notebook, and not IPython's ``_`` and ``Out``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gradlab.exercises.checking.plain_data import cut
from gradlab.exercises.checking.probes import Observations
from gradlab_classroom.grading.cells import TIMED, is_python
from gradlab_classroom.grading.likeness import LARGEST

HARMLESS = {
    *(*TIMED, "autoreload", "colors", "conda", "config", "load_ext", "mamba", "matplotlib", "pdb"),
    *("pip", "precision", "reload_ext", "uv", "who", "whos", "xmode"),
    *("HTML", "html", "javascript", "js", "latex", "markdown", "svg"),
}
"""Magics and commands of which no answer is made: they show or install, and what is missing says so."""
ASKED = re.compile(r"^[ \t]*(?:\w[\w, ]*=[ \t]*)?([%!]{1,2}[ \t]*([\w-]*).*)$", re.MULTILINE)
ELSEWHERE = re.compile(
    r"ModuleNotFoundError: |FileNotFoundError: |URLError: |ConnectionError: |RuntimeError: no running event loop"
    r"|NameError: name '(_{1,3}|_i{0,3}|_i?\d+|In|Out)' is not defined"
)
"""Errors that the same code need not raise where it was written."""
ALONE = "A notebook is run without Jupyter, without a network, and without the files beside it."


def unrun(sources: Sequence[str], errors: Mapping[int, str]) -> tuple[str, ...]:
    """Return a sentence on each cell that was not run as it was where it was written.

    Args:
      sources: of the code cells.
      errors: what they raised, by index.
    """
    return tuple(_sentences(sources, errors))


def unrun_in(name: str, answered: Observations | None) -> str:
    """Return the same on an answer that raised, or nothing."""
    errors = [run.error or "" for run in answered.seen] if answered else []
    found = next(filter(ELSEWHERE.match, errors), "")
    return found and f"{name} did not get to its end: {found}. {ALONE}"


def _sentences(sources: Sequence[str], errors: Mapping[int, str]) -> Iterator[str]:
    for index, source in enumerate(sources):
        first = source.strip().partition("\n")[0]
        cell = f"Code cell {index + 1}, which begins with {cut(first, 80)!r}"
        python = len(source) <= LARGEST and is_python(source)
        asked = "" if python else _asked(source.strip())
        if asked.startswith("%%"):
            yield f"{cell}, was not run: only Python is run."
        elif asked:
            yield f"{cell}, was run without its line {cut(asked, 80)!r}: only Python is run."
        if ELSEWHERE.match(error := errors.get(index, "")):
            yield f"{cell}, did not get to its end: {error}. {ALONE}"


def _asked(source: str) -> str:
    """The first magic or command of a cell that is not run and may matter, or nothing."""
    for found in ASKED.finditer(source):
        line, name = found.groups()
        if name not in HARMLESS:
            return str(line)
        if line.startswith("%%") and name not in TIMED:
            break  # what follows is no Python
    return ""
