"""Code in a page has marks where they colour something, and says the same words."""

from __future__ import annotations

import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from sccbook.site.code import plain, unmarked

STYLE = """
html[data-theme="light"] .highlight { background: #fff; color: #080808 }
html[data-theme="light"] .highlight .n { color: #080808 } /* Name */
html[data-theme="light"] .highlight .p { color: #080808 } /* Punctuation */
html[data-theme="light"] .highlight .k { color: #7928a1 } /* Keyword */
html[data-theme="light"] .highlight .gs { color: #080808; font-weight: bold }
html[data-theme="dark"] .highlight { background: #000; color: #F8F8F2 }
html[data-theme="dark"] .highlight .n { color: #F8F8F2 }
html[data-theme="dark"] .highlight .p { color: #ABE338 }
"""


def test_only_what_is_plain_in_every_theme_is_plain() -> None:
    assert plain(STYLE) == {"n"}


def test_the_words_stay_and_so_do_the_marks_of_a_colour() -> None:
    code = highlight("if x < 1:\n    y = f(x)  # a & b\n", PythonLexer(), HtmlFormatter())
    light = unmarked(code, {"n"})
    assert re.sub("<[^>]*>", "", light) == re.sub("<[^>]*>", "", code)
    assert 'class="n"' in code
    assert 'class="n"' not in light
    assert light.count('<span class="k">if</span>') == 1
    assert unmarked(light, {"n"}) == light
