"""Pair the numbers of a chapter's prose with the cells that establish them.

The rule. A number in a Markdown cell that has a decimal point, or a per-cent sign, must be
established by a code cell next to it, to the digits that are printed:

- it is a number in an ``assert`` of such a cell, or is in such a cell's stored output (which
  strict nbval compares with what the cell prints); or
- it is given rather than found, written as in ``$s = 0.5$`` or ``s = 0.5``, and is a number
  in such a cell's source.

30 % and 0.30 are the same number; 1.67 and 1.672 are not. Next to a Markdown cell are the code cells
of its section, the last code cell before it and the next two after it. A cell tagged ``check``
belongs to the code before it and is not counted.

Not looked at: whole numbers, code, addresses, and identifiers (an arXiv number; a version such
as 0.10.2). A number that another source establishes is named, with the reason, in a tag of its
Markdown cell: ``cited: 0.65 from the paper's table 2``. A tag that names no number of its cell is
a fault too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from decimal import Decimal

from nbformat import NotebookNode

from sccbook.notebook_form import CHECK, tags
from tools.rules import Fault, parsed

AFTER = 2
"""Number of code cells after the prose that are next to it, whatever the section."""

FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
ADDRESS = re.compile(r"\]\([^)\s]*\)|<?https?://[^\s>)]+>?|<!--.*?-->", re.DOTALL)
IDENTIFIER = re.compile(r"\b\d+(?:\.\d+){2,}\b|\b\d{4}\.\d{4,5}(?:v\d+)?\b")
HEADING = re.compile(r"^#{1,6}\s", re.MULTILINE)

SIGN = r"(?<![\w.,^])[-−]?"
NUMBER = re.compile(
    rf"({SIGN}\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|{SIGN}\d+(?:\.\d+)?)\s?(\\?%|per cent\b)?"
)
GIVEN = re.compile(r"[A-Za-zα-ωΑ-Ω})'′]\s*(?:=|\\approx|≈)\s*$")
CITED = re.compile(r"cited:\s*(?P<number>[-−]?\d[\d,]*(?:\.\d+)?\s?%?)\s+(?P<reason>\S.*)")
TOKEN = re.compile(
    r"(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|\d)(?:e[-+]?\d+)?\s?%?", re.IGNORECASE
)


def value_of(printed: str) -> Decimal:
    """Return the value of a number as printed: ``"29.6 %"`` is 0.296, ``"1,234.5"`` is 1234.5."""
    bare = printed.replace("−", "-").replace(",", "").replace("\\", "").strip()
    for sign in ("%", "per cent"):
        if bare.endswith(sign):
            return Decimal(bare.removesuffix(sign).strip()).scaleb(-2)
    return Decimal(bare)


def numbers(markdown: str) -> Iterator[tuple[str, Decimal, bool]]:
    """Yield the numbers that a cell must establish: as printed, their value, and whether each is given."""
    for pattern in (FENCE, CODE, ADDRESS, IDENTIFIER):
        markdown = pattern.sub(lambda found: " " * len(found[0]), markdown)
    for found in NUMBER.finditer(markdown):
        if re.match(r"\w|/\w", markdown[found.end() :]) and not found[2]:  # 2.5D, 10.1038/...
            continue
        if "." in found[1] or found[2]:
            given = bool(GIVEN.search(markdown[: found.start()]))
            yield found[0].strip(), value_of(found[0]), given


def asserted(source: str) -> tuple[set[Decimal], set[Decimal]]:
    """Return the numbers in a cell's assertions, and all numbers in its source."""
    tree = parsed(source)
    assertions = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    inside = {value for node in assertions for value in _literals(node)}
    return inside, set(_literals(tree))


def _literals(tree: ast.AST) -> Iterator[Decimal]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            value = Decimal(repr(node.value))
            yield value
            yield -value


def printed(cell: NotebookNode) -> set[Decimal]:
    """Return the numbers in a cell's stored outputs."""
    texts = []
    for output in cell.outputs:
        texts.append(output.get("text", ""))
        texts += [data for data in output.get("data", {}).values() if isinstance(data, str)]
    return {value_of(found) for text in texts for found in TOKEN.findall(text)}


def neighbours(notebook: NotebookNode, index: int) -> list[NotebookNode]:
    """Return the code cells next to a Markdown cell."""
    cells = notebook.cells
    code = [i for i, cell in enumerate(cells) if cell.cell_type == "code"]
    heads = [
        i
        for i, cell in enumerate(cells)
        if cell.cell_type == "markdown" and HEADING.search(cell.source)
    ]
    start = max((i for i in heads if i <= index), default=0)
    end = min((i for i in heads if i > index), default=len(cells))
    near = {i for i in code if start <= i < end}
    proved: list[list[int]] = []  # each cell that is counted, and the checks that follow it
    for i in code:
        if not proved or CHECK not in tags(cells[i]):
            proved.append([])
        proved[-1].append(i)
    near.update(*[group for group in proved if group[0] < index][-1:])
    near.update(*[group for group in proved if group[0] > index][:AFTER])
    return [cells[i] for i in sorted(near)]


def cited(cell: NotebookNode) -> dict[Decimal, str]:
    """Return the numbers that a Markdown cell's tags name, each with its tag."""
    matches = [CITED.fullmatch(tag) for tag in tags(cell)]
    return {value_of(match["number"]): match.string for match in matches if match}


def unpaired(notebook: NotebookNode) -> list[Fault]:
    """Return a fault for each number in prose that no cell next to it establishes."""
    found = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown":
            continue
        name = cell.get("id", "")
        near = neighbours(notebook, index)
        sources = [asserted(other.source) for other in near]
        established = {value for inside, _ in sources for value in inside}
        established |= {value for other in near for value in printed(other)}
        mentioned = {value for _, everywhere in sources for value in everywhere}
        elsewhere = cited(cell)
        established |= elsewhere.keys()
        stated = list(numbers(cell.source))
        for printed_as, value, given in stated:
            if value not in (established | mentioned if given else established):
                rule = (
                    f"{printed_as} is in the prose, and no cell next to it asserts or prints it: assert it "
                    f"in the check below, print it, or tag this cell 'cited: {printed_as} REASON'"
                )
                found.append(Fault(index + 1, name, rule))
        for value, tag in elsewhere.items():
            if value not in {value for _, value, _ in stated}:
                found.append(Fault(index + 1, name, f"the tag {tag!r} names no number of its cell"))
        for tag in tags(cell):
            if tag.startswith("cited") and not CITED.fullmatch(tag):
                rule = f"the tag {tag!r} must read 'cited: NUMBER REASON'"
                found.append(Fault(index + 1, name, rule))
    return found
