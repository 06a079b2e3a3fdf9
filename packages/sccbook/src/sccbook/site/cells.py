"""Find the code cells of a page in MyST-NB's tree, by their tags."""

from __future__ import annotations

from itertools import groupby

from docutils import nodes


def is_cell(node: nodes.Node, tag: str = "") -> bool:
    """Return whether a node is a code cell, with a given tag if there is one."""
    if not isinstance(node, nodes.container) or node.get("nb_element") != "cell_code":
        return False
    return not tag or tag in tags_of(node)


def tags_of(cell: nodes.Element) -> list[str]:
    """Return the tags of a cell."""
    return list(cell["cell_metadata"].get("tags", []))


def cells(document: nodes.document, tag: str = "") -> list[nodes.Element]:
    """Return the cells of a tag, or all, in reading order."""
    return [node for node in document.findall(nodes.container) if is_cell(node, tag)]


def error_of(cell: nodes.Element) -> str:
    """Return the last line of a cell's traceback, such as ``"AssertionError"``; "" if it ran."""
    for block in cell.findall(nodes.literal_block):
        if "traceback" in block["classes"]:
            return str(block.astext()).strip().split("\n")[-1]
    return ""


def runs(document: nodes.document, tag: str) -> list[list[nodes.Element]]:
    """Return the cells of a tag, those that follow one another together."""
    parents = {id(cell.parent): cell.parent for cell in cells(document, tag)}.values()
    return [
        list(together)
        for parent in parents
        for tagged, together in groupby(parent.children, lambda node: is_cell(node, tag))
        if tagged
    ]


def source_of(cell: nodes.Element) -> nodes.Element | None:
    """Return the part of a cell that shows its code, if it has one."""
    for part in cell.children:
        if isinstance(part, nodes.Element) and part.get("nb_element") == "cell_code_source":
            return part
    return None


def lines(source: nodes.Element) -> str:
    """Return how much code there is, in words."""
    count = sum(1 for line in source.astext().split("\n") if line.strip())
    return f"{count} line{'' if count == 1 else 's'} of code"
