"""Of other people's stylesheets stays what a page meets, or a script may make it meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from sccbook.site.stylesheets import slim, without_unused, words

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
