"""Typeset formulas as MathML when the book is built, in a font that the site serves."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

from explorax.mathml import mathml

CLASSES = "math notranslate nohighlight"
MARKS = re.compile(r"[,.;:!?)’]+")


def typeset(latex: str, *, display: bool = False) -> str:
    """Return a formula as MathML.

    Raises:
        ExtensionError: where it cannot be read.
    """
    try:
        return mathml(latex, display=display)
    except ValueError as error:
        raise ExtensionError(str(error)) from error


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a sentence."""
    opening = writer.starttag(node, "span", "", CLASS=CLASSES)
    writer.body.append(f"{opening}{typeset(node.astext())}</span>")
    raise nodes.SkipNode


def visit_display(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself, with its number where it has one."""
    writer.body.append(writer.starttag(node, "div", "", CLASS=CLASSES))
    if node["number"]:
        number = get_node_equation_number(writer, node)
        writer.body.append(f'<span class="eqno">({number})')
        writer.add_permalink_ref(node, _("Link to this equation"))
        writer.body.append("</span>")
    writer.body.append(f"{typeset(node.astext(), display=True)}</div>\n")
    raise nodes.SkipNode


def glue(text: nodes.Element) -> None:
    """Keep a comma, or what else follows a formula at once, in the formula's line."""
    for formula in list(text.findall(nodes.math)):
        follows = formula.next_node(descend=False, siblings=True)
        if isinstance(follows, nodes.Text) and (mark := MARKS.match(follows)):
            parent, glued = formula.parent, nodes.inline(classes=["glued"])
            at = parent.index(formula)
            # by its place: another text of the same words is equal to it
            parent[at : at + 2] = [glued, nodes.Text(follows[mark.end() :])]
            glued += [formula, nodes.Text(mark[0])]


def glue_marks(page: SphinxPostTransform) -> None:
    """Keep marks beside the formulas of one page."""
    glue(page.document)


def choose(app: Sphinx, config: Config) -> None:
    """Have formulas written as MathML."""
    config.html_math_renderer = "mathml"
