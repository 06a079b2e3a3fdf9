"""Formulas are typeset while the book is built, and one that cannot be read is refused."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sphinx.errors import ExtensionError

from gradlab.site.maths import typeset


def test_a_formula_becomes_html_and_mathml() -> None:
    inline, display = typeset(r"\bar x = s\,\bar y"), typeset(r"\bar x = s\,\bar y", True)
    for html in (inline, display):
        assert html.startswith("<span class=")
        assert '<math xmlns="http://www.w3.org/1998/Math/MathML"' in html
    assert "katex-display" in display
    assert "katex-display" not in inline


@pytest.mark.parametrize("latex", [r"\frac{1}{", r"\notacommand", "é"])
def test_a_formula_that_cannot_be_read_is_named(latex: str) -> None:
    with pytest.raises(ExtensionError, match="cannot be read") as refused:
        typeset(latex)
    assert repr(latex) in str(refused.value)
    assert typeset("x")  # and the next one is typeset


@pytest.mark.slow
def test_node_ends_with_the_build() -> None:
    # the pipe that Node would keep open closes when both have ended
    program = "from gradlab.site.maths import typeset; typeset('x')"
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=30)
