"""A formula of the prose stands in its sentence or by itself, and one that cannot be read is refused."""

from __future__ import annotations

import pytest
from sphinx.errors import ExtensionError

from gradlab.site.maths import typeset


def test_a_formula_is_mathml_in_its_sentence_or_by_itself() -> None:
    inline, display = typeset(r"\bar x = s"), typeset(r"\bar x = s", display=True)
    assert inline.startswith("<math><mover")
    assert display == inline.replace("<math>", '<math display="block">')


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\notacommand"])
def test_a_formula_that_cannot_be_read_is_named(latex: str) -> None:
    with pytest.raises(ExtensionError, match="cannot be read") as refused:
        typeset(latex)
    assert repr(latex) in str(refused.value)
