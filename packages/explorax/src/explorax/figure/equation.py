r"""TeX in a figure's words, as MathML with parts that light up and live numbers.

The text from one dollar to the next is TeX. In it ``\class{name}{...}`` marks a part, which lights with
that part of the picture; ``\class{name.2}{...}`` the second of several; and ``\class{?condition}{...}``
is there only while the condition holds. ``\live{total:.2f}`` is a number of the moment, a field as in
a sentence. Around the dollars is HTML, in which ``part``, ``when`` and ``each`` do the same.

A condition is ``name``, ``name=value``, or either after ``!``, or several of them with spaces between.
"""

from __future__ import annotations

import re
from functools import cache
from xml.etree.ElementTree import Element, tostring

from explorax import mathml

TEX = re.compile(r"\$([^$]+)\$")
LIVE = re.compile(r"\\live\{([^{}]*)\}")
CLASS = re.compile(r"\\class\{([^{}]*)\}\{")
FIELD = re.compile(r"⟦(\d+)⟧")
RELATIONS = frozenset("=≤≥<>≈→")
BREAK = "\N{ZERO WIDTH SPACE}"
NAME = re.compile(r"⟪(\d+)⟫")


def markup(text: str) -> str:
    """Turn the TeX in a text into MathML.

    Raises:
      ValueError: for TeX that cannot be read.
    """
    pieces = TEX.split(text)
    pieces[1::2] = map(equation, pieces[1::2])
    pieces[::2] = [
        words.replace("= ", "=\N{NO-BREAK SPACE}") for words in pieces[::2]
    ]  # no line breaks there
    return "".join(pieces)


@cache
def equation(tex: str) -> str:
    """Turn TeX with parts and fields into MathML, as text: an element up to each relation, where a line may break."""
    fields: list[str] = []
    names: list[str] = []

    def hold(found: re.Match[str]) -> str:
        fields.append(found[1])
        return rf"\text{{⟦{len(fields) - 1}⟧}}"

    def name(found: re.Match[str]) -> str:
        names.append(found[1])
        return rf"{{\text{{⟪{len(names) - 1}⟫}}"

    def put_back(element: Element) -> Element:
        if field := FIELD.fullmatch(element.text or ""):
            element.tag, element.text = "mn", f"{{{fields[int(field[1])]}}}"
        elif element.tag == "mrow" and (part_name := NAME.fullmatch(element[0].text or "")):
            del element[0]
            _read_class(element, names[int(part_name[1])])
        return element

    root = mathml.element(CLASS.sub(name, LIVE.sub(hold, tex)))
    mathml.each(root, put_back)
    return BREAK.join(tostring(each, encoding="unicode") for each in _broken(root))


def _broken(root: Element) -> list[Element]:
    """Break an equation before each relation except a first one, because browsers don't break formulas."""
    pieces = [Element(root.tag, root.attrib)]
    for child in root:
        if child.tag == "mo" and child.text in RELATIONS and len(pieces[-1]):
            pieces.append(Element(root.tag, root.attrib))
            child.set("form", "infix")  # or it would stand as close to what follows as a sign
        pieces[-1].append(child)
    return pieces


def _read_class(element: Element, name: str) -> None:
    if name.startswith("?"):
        element.set("data-when", name[1:])
        return
    part_name, _, index = name.partition(".")
    element.set("data-part", part_name)
    if index:
        element.set("data-index", index)


def part(name: str, text: str, index: int | None = None) -> str:
    """Mark a piece of text as a part of the picture."""
    which = "" if index is None else f' data-index="{index}"'
    return f'<span data-part="{name}"{which}>{text}</span>'


def when(condition: str, text: str) -> str:
    """Show a piece of text only while a condition holds."""
    return f'<span data-when="{condition}">{text}</span>'


def each(result: str, text: str, *, part: str, count: str, between: str) -> str:
    """Repeat a piece of text for each of a result's numbers: ``{value}``, the ``{n}``-th."""
    return (
        f'<span data-each="{result}" data-count="{count}" data-between="{between}" '
        f'data-part="{part}">{text}</span>'
    )


def muted(text: str) -> str:
    """Write a piece of text in a muted colour."""
    return f'<span class="gl-muted">{text}</span>'
