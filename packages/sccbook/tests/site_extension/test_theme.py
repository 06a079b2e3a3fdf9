"""What the theme and Pygments write is fixed, and loses what no page uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydata_sphinx_theme.pygments import get_pygments_stylesheet
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES

from sccbook.site.access import fixed
from sccbook.site.code import PLAIN, Lean
from sccbook.site.stylesheets import slim, without_unused, words

SEARCH = (
    '<button class="btn search-button-field pst-js-only" title="Search"{} data-bs-toggle="tooltip">'
)
SIDEBAR = '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar"{}>'


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            SEARCH.format(' aria-label="Search"'),
            SEARCH.format(""),
        ),  # it isn't what is written there
        (SIDEBAR.format(""), SIDEBAR.format(' role="region" aria-label="The book"')),
        ('<div role="doc-biblioentry">', '<div role="listitem">'),
        ('<button aria-label="Search">', '<button aria-label="Search">'),
    ],
)
def test_labels_and_roles_that_do_not_fit_are_fixed_once(page: str, expected: str) -> None:
    assert fixed(page) == fixed(expected) == expected


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


PAGE = '<body class="bd-page"><div id="menu" class="row btn"></div><script>go("opened")</script></body>'
KNOWN = words([PAGE], ["classList.add('show')"])


STAYS = """\
.btn{a:b}
#menu .row>div:hover::before{a:b}
.show{a:b}
.opened{a:b}
html[data-theme="dark"] .btn{a:b}
.btn:not(.unknown){a:b}
.btn:is(.unknown,.row){a:b}
@media (min-width:1px){.btn{a:b}}
@keyframes turn{from{a:b}50.5%{a:b}to{a:b}}
*{a:b}
:root{--x:y}""".splitlines()


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        *zip(STAYS, STAYS, strict=True),
        (".accordion{a:b}", ""),
        (".btn.unknown{a:b}", ""),
        ("#other .btn{a:b}", ""),
        ("kbd{a:b}", ""),
        (".unknown,.btn{a:b}", ".btn{a:b}"),
        ("@media print{@supports (a:b){.unknown{a:b}}}.btn{a:b}", ".btn{a:b}"),
        ("/* {why} */.btn{a:b}", ".btn{a:b}"),
        ('.fa-x:before,.fa-y{content:"\\f0"}', ""),
    ],
)
def test_rules_that_a_page_can_use_stay_and_others_are_removed(rule: str, left: str) -> None:
    assert slim(rule, KNOWN) == left


def test_unused_variables_are_removed_with_those_that_only_they_use() -> None:
    sheet = ':root{--a:1;--b:var(--c);--c:2;--d:url("data:image/svg+xml;x");--e:3}.btn{x:var(--a)}'
    (left,) = without_unused({Path("one.css"): sheet}, ["y{z:var(--e)}"]).values()
    assert left == ":root{--a:1;--e:3}.btn{x:var(--a)}"
