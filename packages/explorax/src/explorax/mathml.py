r"""Turn TeX into MathML Core, which browsers display without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from xml.etree.ElementTree import Element, fromstring, tostring

from math_core import LatexError, LatexToMathML

SMALL = re.compile(r"\\begin\{smallmatrix\}(.*?)\\end\{smallmatrix\}", re.DOTALL)
MARK = "⟦small⟧"


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)


def element(tex: str, *, display: bool = False) -> Element:
    r"""Turn TeX into one MathML element.

    Args:
      tex: a formula, without its dollars.
      display: it stands on a line of its own.

    Raises:
      ValueError: for TeX that cannot be read.
    """
    if r"\\" in tex and r"\begin" not in tex:
        tex = rf"\begin{{gathered}}{tex}\end{{gathered}}"
    tex = SMALL.sub(rf"{{\\text{{{MARK}}}\\begin{{matrix}}\1\\end{{matrix}}}}", tex)
    try:
        text = _converter().convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError as error:
        raise ValueError(f"{tex!r} cannot be read as TeX: {error}.") from None
    root = fromstring(text.replace("&ApplyFunction;", "\u2061"))
    each(root, _shortened)
    each(root, _level)
    return root


def each(root: Element, change: Callable[[Element], Element]) -> None:
    """Replace each element below one by what ``change`` returns, the innermost first."""
    for i, child in enumerate(root):
        each(child, change)
        root[i] = change(child)


def _shortened(row: Element) -> Element:
    """Drop rows without meaning, and set a small matrix small."""
    if row.tag != "mrow" or row.attrib:
        return row
    if row[0].tag == "mtext" and row[0].text == MARK:
        row[1].set("scriptlevel", "1")
        del row[0]
    elif row[0].tag == "mspace" and not row[0].attrib and len(row) == 2:
        del row[0]
    return row[0] if len(row) == 1 else row


def _level(root: Element) -> Element:
    """Make the content of a root as tall as a capital, because browsers align the sign with its top."""
    if root.tag == "msqrt":
        root.insert(0, Element("mspace", height="0.75em"))
    return root


def mathml(tex: str, *, display: bool = False) -> str:
    """Turn TeX into MathML, as text.

    Raises:
      ValueError: for TeX that cannot be read.
    """
    return tostring(element(tex, display=display), encoding="unicode").replace(" />", "/>")
