"""The rules of a stored chapter. ``faults`` names each one that a notebook breaks, cell by cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from sccbook.notebook_form import (
    CELL_METADATA,
    CHECK,
    COLLAPSED,
    DROPPED,
    METADATA,
    NOT_COMPARED,
    normalise,
    read,
    tags,
    text_of,
)

FOREIGN = re.compile(
    r"image/|application/vnd\.jupyter\.widget|application/javascript|application/vnd\.explorax"
)
"""Types that have no place in a stored chapter, and that nbval would compare."""

LINES = 15
"""The most lines that a code cell may have; empty ones don't count."""

ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}|<[^<>]* object at ")
HEX_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
COLOUR_ARGUMENTS = {
    "c",
    "color",
    "colors",
    "ec",
    "edgecolor",
    "facecolor",
    "fc",
    "markerfacecolor",
    "mfc",
}
MAGIC = re.compile(r"^\s*(?:%|!|get_ipython\(\))", re.MULTILINE)
STYLED = re.compile(r"<font\b|\bstyle\s*=\s*[\"'][^\"']*colou?r", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    """A rule that a notebook breaks.

    Attributes:
        cell: the cell's number, from 1; 0 for the notebook as a whole.
        name: the cell's id, or "".
        rule: what is wrong and, where that isn't plain, what to do.
    """

    cell: int
    name: str
    rule: str

    def __str__(self) -> str:
        where = f"cell {self.cell} ({self.name})" if self.cell else "notebook"
        return f"{where}: {self.rule}"


def faults(text: str) -> list[Fault]:
    """Return every rule that a stored notebook breaks, given its file's text.

    Raises:
        ValueError: where the text isn't a notebook.
    """
    notebook = read(text)
    found = [Fault(0, "", rule) for rule in _notebook_rules(notebook)]
    count = 0
    names: set[str] = set()
    for number, cell in enumerate(notebook.cells, start=1):
        name = cell.get("id", "")
        rules = [*_cell_rules(cell)]
        if name in names:
            rules.append("its id is another cell's too: run 'execute'")
        names.add(name)
        if cell.cell_type == "code":
            count += 1
            if cell.execution_count != count:
                rules.append(
                    f"its execution count is {cell.execution_count}, not {count}: run 'execute'"
                )
        found += [Fault(number, name, rule) for rule in rules]
    if not found and text_of(normalise(notebook)) != text:
        found.append(Fault(0, "", "the file is not written in normal form: run 'execute'"))
    return found


def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a cell; an empty one where it isn't Python, which a rule reports."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def _notebook_rules(notebook: NotebookNode) -> Iterator[str]:
    if notebook.metadata != METADATA:
        extra = ", ".join(sorted(set(notebook.metadata) - set(METADATA))) or "other values"
        yield f"its metadata must be the kernel python3 and the language python; it has {extra}"
    if not notebook.cells or not notebook.cells[0].source.startswith("# "):
        yield "it must begin with a cell that begins with a title, '# ...'"


def _cell_rules(cell: NotebookNode) -> Iterator[str]:
    """Yield each rule that a cell breaks by itself."""
    collapsed = COLLAPSED if CHECK in tags(cell) and cell.cell_type == "code" else {}
    extra = sorted(set(cell.metadata) - set(CELL_METADATA) - set(collapsed))
    if extra:
        yield f"metadata other than {', '.join(CELL_METADATA)}: {', '.join(extra)}"
    if cell.cell_type == "markdown":
        if cell.get("attachments"):
            yield "it has an attachment: a picture belongs in a file, or in a figure"
        if STYLED.search(cell.source):
            yield "a colour is written inline: it would not follow dark mode"
    if cell.cell_type == "code":
        yield from _source_rules(cell)
        for output in cell.outputs:
            yield from _output_rules(cell, output)


def _source_rules(cell: NotebookNode) -> Iterator[str]:
    length = sum(1 for line in cell.source.split("\n") if line.strip())
    if length == 0:
        yield "it is an empty code cell"
    if length > LINES:
        yield f"{length} lines, and {LINES} are the most: import what is not the idea, or split it"
    magic = MAGIC.search(cell.source)
    if magic:
        line = cell.source[magic.start() :].strip().split("\n")[0]
        yield f"a magic or a shell command ({line}): a chapter is plain Python"
        return
    try:
        tree = ast.parse(cell.source)
    except SyntaxError as bad:
        yield f"it is not Python: {bad}"
        return
    for colour in _colours(tree):
        yield f"a colour is written inline ({colour!r}): use sccbook.style"


def _colours(tree: ast.Module) -> Iterator[str]:
    """Yield the colours that code names: as '#...', or as an argument for a colour."""
    named: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in COLOUR_ARGUMENTS:
            several = (
                node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
            )
            named.update(several)  # and not the argument of a call, such as colour("state")
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and (node in named or HEX_COLOUR.fullmatch(text)):
            yield text


def _output_rules(cell: NotebookNode, output: NotebookNode) -> Iterator[str]:
    if NOT_COMPARED in tags(cell):
        yield f"it is tagged {NOT_COMPARED} and has an output: run 'execute'"
        return
    if output.output_type == "stream" and output.name == "stderr":
        yield f"it wrote to stderr: {output.text.strip()[:200]}"
    if output.output_type == "error" and "raises-exception" not in tags(cell):
        yield f"it raised {output.ename}: {output.evalue}"
    plain = output.get("data", {}).get("text/plain", "")
    alternative = str(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", ""))
    if plain.startswith("<Figure size") and not alternative.strip():
        yield "its plot has no text alternative: give it the metadata mystnb: {image: {alt: ...}}"
    texts = [output.text] if output.output_type == "stream" else []
    for mime, data in output.get("data", {}).items():
        if mime in DROPPED or FOREIGN.match(mime):
            yield f"an output of type {mime} is stored"
        elif isinstance(data, str):
            texts.append(data)
    for text in texts:
        address = ADDRESS.search(text)
        if address:
            yield f"its output has a memory address ({address[0]}), which differs from run to run"
