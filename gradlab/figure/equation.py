r"""TeX in a figure's words, as MathML whose parts light up and whose numbers are the present ones.

What stands between two dollars is TeX. In it ``\class{name}{...}`` marks a part, which lights with
that part of the picture; ``\class{name.2}{...}`` the second of several; and ``\class{?condition}{...}``
is there only while the condition holds. ``\live{total:.2f}`` is a number of the moment, a field as in
a sentence. Around the dollars is HTML, in which ``part``, ``when`` and ``each`` do the same.

A condition is ``name``, ``!name`` or ``name=value``, or several of them with spaces between.
"""

from __future__ import annotations

import re
from functools import cache
from xml.etree.ElementTree import Element, fromstring, tostring

from latex2mathml.converter import convert

TEX = re.compile(r"\$([^$]+)\$")
LIVE = re.compile(r"\\live\{([^{}]*)\}")
HELD = re.compile(r"⟦(\d+)⟧")


def markup(text: str) -> str:
    """Turn the TeX in a text into MathML.

    Raises:
      ValueError: for TeX that cannot be read.
    """
    return TEX.sub(lambda found: mathml(found[1]), text)


@cache
def mathml(tex: str) -> str:
    """Turn TeX into one MathML element, as text."""
    fields: list[str] = []

    def hold(found: re.Match[str]) -> str:
        fields.append(found[1])
        return rf"\text{{⟦{len(fields) - 1}⟧}}"

    try:
        root = fromstring(convert(LIVE.sub(hold, tex), xmlns=""))
    except Exception as error:  # the converter has many, and lets some of Python's own through
        raise ValueError(f"{tex!r} cannot be read as TeX: {error!r}.") from error
    for element in root.iter():
        _read_class(element)
        element[:] = [_unwrapped(child) for child in element]
        if held := HELD.fullmatch(element.text or ""):
            element.tag, element.text = "mn", f"{{{fields[int(held[1])]}}}"
        elif element.tag == "mo" and (element.text or "").isalpha():
            element.tag = "mi"  # a function such as min stands close to its bracket
        elif "\\" in (element.text or ""):
            raise ValueError(
                f"{tex!r} has {element.text!r}, which is no command of TeX's known here."
            )
    root.attrib.clear()
    return tostring(root, encoding="unicode")


def _read_class(element: Element) -> None:
    name = element.attrib.pop("class", "")
    if name.startswith("?"):
        element.set("data-when", name[1:])
    elif name:
        part_name, _, index = name.partition(".")
        element.set("data-part", part_name)
        if index:
            element.set("data-index", index)


def _unwrapped(element: Element) -> Element:
    """Leave out rows of one element that say nothing."""
    while element.tag == "mrow" and not element.attrib and len(element) == 1:
        element = element[0]
    return element


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
    """Write a piece of text in the colour of what stands behind."""
    return f'<span class="gl-muted">{text}</span>'
