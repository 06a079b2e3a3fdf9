"""The frame of a chapter: question, figure, prose with the smallest code, and its proofs out of the way.

``unframed`` names what differs from the form that CONTRIBUTING.md describes.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from sccbook.notebook_form import CHECK, NOT_COMPARED, tags
from sccbook.site.containers import ROWS, TABS
from sccbook.site.downloads import SOLUTION
from sccbook.site.python import RUN
from tools.rules import Fault, parsed

FIGURE, SET_UP, PLOT, EXERCISE = "figure", "set-up", "plot", "exercise"
UNSEEN = {FIGURE, SET_UP, PLOT, CHECK, SOLUTION, EXERCISE}
"""Tags of code cells that nobody has to read to go on."""

TAGS = UNSEEN | {"quiz", TABS, ROWS, "raises-exception", NOT_COMPARED, RUN}
"""All tags of cells in the frame, but for ``cited: ...``."""

ANSWER = "> **"
"""How the answer in a box begins, which may stand between the question and the figure."""

INDEX = "\n| I have"
"""How the table begins that may take the figure's place, below the answer: a reference needs to be found in."""

WIDTH = 80
"""Characters in a line of code or of printed text: more are cut off on the page."""

OPENING = re.compile(
    r"# [^\n]+\n\n\*\*(?P<question>[^\n*]+)\*\*\n\n"
    r'<details class="objectives"><summary>What you will learn, what you need · '
    r"(?P<minutes>\d+) minutes</summary>\n\n"
    r"After this chapter you can\n\n(?P<objectives>(?:- [^\n]+\n(?:  [^\n]+\n)*)+)\n\*\*You need\*\* (?:[^\n]+\n)+\n</details>"
)
FORM = (
    "the first cell must be '# Title', the question in one bold line, and "
    '<details class="objectives"><summary>What you will learn, what you need · N minutes</summary>, an '
    "empty line, 'After this chapter you can', a list of objectives, '**You need** ...', "
    "an empty line, </details>; with an empty line between them"
)
OBJECTIVES = (2, 4)

WORDS_A_MINUTE, MINUTES_A_LINE, MINUTES_AN_EXERCISE = 200, 1 / 3, 10
APART = 0.2
"""Part by which the time that a chapter states may differ from the one measured."""

FENCED = re.compile(r"^(?:```|~~~)[^\n]*\n(.*?)^(?:```|~~~)$", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
UNREAD = re.compile(r"<[^<>]+>|\]\([^()\s]*\)|^\|[-|: ]+\|$", re.MULTILINE)
WORD = re.compile(r"\w[\w'’.,-]*")
SOURCES = "## Sources"


def minutes_of(notebook: NotebookNode) -> float:
    """Return how long a chapter takes: its words, its lines of code in sight, and its exercise."""
    words = code = 0
    for cell in notebook.cells:
        if cell.cell_type == "code":
            code += 0 if UNSEEN & set(tags(cell)) else _filled(cell.source)
        elif not cell.source.startswith(SOURCES):
            blocks = [_filled(found[1]) for found in FENCED.finditer(cell.source)]
            # one tab shows at a time, and a reader takes one row
            code += max(blocks, default=0) if {TABS, ROWS} & set(tags(cell)) else sum(blocks)
            prose = FORMULA.sub(" formula ", FENCED.sub("", cell.source))
            words += len(WORD.findall(UNREAD.sub(" ", prose)))
    exercise = MINUTES_AN_EXERCISE * any(EXERCISE in tags(cell) for cell in notebook.cells)
    return words / WORDS_A_MINUTE + code * MINUTES_A_LINE + exercise


def unframed(notebook: NotebookNode) -> list[Fault]:
    """Return what differs in a chapter from the form of all chapters."""
    cells = notebook.cells
    found = [Fault(1, cells[0].get("id", ""), rule) for rule in _opening(notebook)]
    place = 2 if cells[min(1, len(cells) - 1)].source.startswith(ANSWER) else 1
    indexed = place == 2 and INDEX in cells[1].source
    if not indexed and FIGURE not in tags(cells[min(place, len(cells) - 1)]):
        rule = f"the second cell must be the figure, tagged {FIGURE!r}, or the answer ({ANSWER!r}) before it"
        found.append(Fault(place + 1, "", rule))
    for number, cell in enumerate(cells, start=1):
        rules = [*_tags(cell), *_width(cell)]
        if cell.cell_type == "code":
            rules += _code(cell)
        if CHECK in tags(cell):
            rules += _check(cell, [c for c in cells[: number - 1] if CHECK not in tags(c)][-1])
        found += [Fault(number, cell.get("id", ""), rule) for rule in rules]
    return found


def _filled(text: str) -> int:
    """Return the number of lines that are not empty."""
    return sum(1 for line in text.split("\n") if line.strip())


def _opening(notebook: NotebookNode) -> Iterator[str]:
    opening = OPENING.fullmatch(notebook.cells[0].source)
    if not opening:
        yield FORM
        return
    if not opening["question"].endswith("?"):
        yield f"the bold line must be a question, and is {opening['question']!r}"
    objectives = len(re.findall(r"^- ", opening["objectives"], re.MULTILINE))
    if not OBJECTIVES[0] <= objectives <= OBJECTIVES[1]:
        yield f"it has {objectives} objectives, not {OBJECTIVES[0]} to {OBJECTIVES[1]}"
    minutes, stated = minutes_of(notebook), int(opening["minutes"])
    nearest = max(5, 5 * math.floor(minutes / 5 + 0.5))
    if stated != nearest and abs(stated - minutes) > APART * minutes:
        yield f"it says {stated} minutes, and {minutes:.0f} are measured: write {nearest}"


def _tags(cell: NotebookNode) -> Iterator[str]:
    for tag in tags(cell):
        if tag not in TAGS and not tag.startswith("cited: "):
            yield f"its tag {tag!r} is none of {', '.join(sorted(TAGS))}, 'cited: ...'"


def _width(cell: NotebookNode) -> Iterator[str]:
    """Yield what is too wide for the page."""
    if cell.cell_type == "code":
        shown = [("its code", cell.source)]
        shown += [("its output", output.get("text", "")) for output in cell.outputs]
    else:
        shown = [("its code", found[1]) for found in FENCED.finditer(cell.source)]
    for what, text in shown:
        widest = max(text.split("\n"), key=len)
        if len(widest) > WIDTH:
            yield f"{what} has a line of {len(widest)} characters, and {WIDTH} are the most: {widest!r}"


def _code(cell: NotebookNode) -> Iterator[str]:
    seen = not UNSEEN & set(tags(cell))
    asserts = _asserts(cell.source)
    if asserts and not {CHECK, EXERCISE, SOLUTION} & set(tags(cell)):
        yield f"it asserts: put 'assert' into a cell after it that is tagged {CHECK!r}"
    if FIGURE in tags(cell) and not cell.outputs:
        yield f"it is tagged {FIGURE!r} and shows none: let its last line be the figure"
    drawn = any("<Figure size" in o.get("data", {}).get("text/plain", "") for o in cell.outputs)
    if drawn and seen:
        yield f"it draws a plot: tag it {PLOT!r}, so that the page folds how"
    if PLOT in tags(cell) and not drawn:
        yield f"it is tagged {PLOT!r} and draws none: end it with plt.show()"


def _check(cell: NotebookNode, before: NotebookNode) -> Iterator[str]:
    """Yield what is wrong with a cell that should prove what is above it."""
    if cell.cell_type != "code" or not _asserts(cell.source):
        yield f"it is tagged {CHECK!r} and asserts nothing"
    elif cell.outputs:
        yield f"it is tagged {CHECK!r} and has an output, which the page would hide: print elsewhere"
    last = before.source.rstrip().split("\n")[-1]
    if before.cell_type == "markdown" and last.startswith("#"):
        yield f"it is below a heading: a {CHECK!r} follows the words that it proves"


def _asserts(source: str) -> int:
    return sum(isinstance(node, ast.Assert) for node in ast.walk(parsed(source)))
