"""A formula of the prose stands in its sentence or by itself, and one that cannot be read is refused."""

from __future__ import annotations

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from sccbook.site.maths import glue, typeset


def test_a_formula_is_mathml_in_its_sentence_or_by_itself() -> None:
    inline, display = typeset(r"\bar x = s"), typeset(r"\bar x = s", display=True)
    assert inline.startswith("<math><mover")
    assert display == inline.replace("<math>", '<math display="block">')


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\notacommand"])
def test_an_unreadable_formula_is_named_in_the_error(latex: str) -> None:
    with pytest.raises(ExtensionError, match="cannot be read") as refused:
        typeset(latex)
    assert repr(latex) in str(refused.value)


def test_a_mark_stays_beside_the_formula_that_it_follows() -> None:
    text = nodes.paragraph("", ", and ")  # which another text repeats
    for formula, words in (("a", ", and "), ("b", "). Not "), ("c", " or "), ("d", "")):
        text += [nodes.math(text=formula), nodes.Text(words)]
    text += nodes.math(text="e")
    glue(text)
    assert text.astext() == ", and a, and b). Not c or de"
    glued = [node.astext() for node in text.findall(nodes.inline)]
    assert glued == ["a,", "b)."]
