"""Code in a page has spans where they colour something, and says the same words."""

from __future__ import annotations

import re

from pydata_sphinx_theme.pygments import get_pygments_stylesheet
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES

from sccbook.site.code import PLAIN, Lean


def test_lean_code_keeps_the_words_and_the_coloured_spans() -> None:
    whole, lean = (
        highlight("if x < 1:\n    y = f(x)  # a & b\n", PythonLexer(), kind())
        for kind in (HtmlFormatter, Lean)
    )
    assert re.sub("<[^>]*>", "", lean) == re.sub("<[^>]*>", "", whole)
    assert 'class="n"' in whole
    assert 'class="n"' not in lean
    assert lean.count('<span class="k">if</span>') == 1


def test_plain_tokens_have_the_themes_text_colour() -> None:
    style = get_pygments_stylesheet("a11y-high-contrast-light", "a11y-high-contrast-dark")
    bases = re.findall(r"\.highlight \{[^}]*[^-]color: (#\w+)", style)
    for kind in PLAIN:
        found = re.findall(rf"\.highlight \.{STANDARD_TYPES[kind]} ?\{{ color: (#\w+) \}}", style)
        assert found == bases
