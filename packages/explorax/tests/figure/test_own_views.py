"""A figure carries a view of its own, as it carries its program, into every place where it is drawn."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from explorax import explore
from explorax.frontend import draw, draw_svg
from explorax.node import NodeError
from explorax.views import Panels, View

HAND = re.compile(r'<path class="gl-clock" d="M(\d+) 100l(\S+) (\S+)"')

pytestmark = pytest.mark.slow


def test_node_draws_it_and_the_html_does_not_hold_its_script(shown: dict[str, Any]) -> None:
    figure = shown["figure"]
    (fragment,) = draw([figure.describe()])
    assert HAND.findall(fragment)[:2] == [("344", "90", "0"), ("160", "90", "0")]
    assert "explorax.register" not in fragment
    picture = figure.svg()
    assert HAND.search(picture)
    assert shown["Clock"].style in picture


def test_a_saved_page_draws_it_and_follows_its_control(
    shown: dict[str, Any], open_page: Any, page_of: Any
) -> None:
    page = open_page(page_of(shown["figure"]))
    page.locator("figure.gl-ready").wait_for()
    page.locator("[data-control=hours]").fill("6")
    assert page.locator(".gl-live svg:visible .gl-clock").get_attribute("d") == "M344 100l0 90"
    stroke = page.locator(".gl-live svg:visible .gl-clock").evaluate(
        "e => getComputedStyle(e).strokeWidth"
    )
    assert stroke == "4px"
    assert [url for url in page.sent if not url.startswith(("file:", "blob:"))] == []


def test_a_widget_brings_its_script_and_its_style(shown: dict[str, Any], show: Any) -> None:
    figure = shown["figure"]
    assert figure._css.endswith(shown["Clock"].style)
    page = show(figure, "model.set('hours', 12);")
    assert page.locator(".gl-live svg:visible .gl-clock").get_attribute("d") == "M344 100l0 -90"


def test_a_view_in_another_is_carried_once(shown: dict[str, Any]) -> None:
    clock = shown["Clock"]()
    two = Panels([("one", clock), ("two", clock)])
    assert two.scripts() == clock.scripts()
    assert explore(lambda x: x**2, {"x": (0.0, 1.0)}).describe()["views"] == {}


def described(shown: dict[str, Any], script: str | None) -> dict[str, Any]:
    """The figure with another script for its view, or with none."""
    views = {} if script is None else {"clock": {"script": script, "style": ""}}
    return {**shown["figure"].describe(), "views": views}


@pytest.mark.parametrize(
    ("scripts", "words"),
    [
        ([""], r'view "clock" does not call explorax\.register\("clock", \.\.\.\)'),
        (["explorax.register('clock', { draw() {} })"], 'view "clock" has no function layouts'),
        (["const { dial } = explorax.view"], 'This explorax has no "dial" for views: .* newer one'),
        (
            ["explorax.register('plane', { draw() {}, layouts() {} })"],
            'two views "plane"; give one of them another kind',
        ),
        (["one", "another"], 'Two different scripts draw the view "clock"'),
        ([None], r'There is no view "clock"; there are chain, .*own needs a script'),
    ],
)
def test_scripts_that_cannot_be_used_are_refused_in_words(
    shown: dict[str, Any], scripts: list[str | None], words: str
) -> None:
    with pytest.raises(NodeError, match=words):
        draw([described(shown, script) for script in scripts])


def test_what_a_view_logs_is_shown_and_no_part_of_the_picture(
    shown: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    figure = shown["figure"].describe()
    script = figure["views"]["clock"]["script"].replace(
        "const hand", "console.log(angle); const hand"
    )
    (fragment,) = draw([described(shown, script)])
    assert HAND.search(fragment)
    assert "1.570" in capsys.readouterr().err
    picture = draw_svg(described(shown, script))
    assert picture.startswith("<svg")
    assert "1.570" in capsys.readouterr().err


def test_a_script_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    class Unbuilt(View):
        kind = "unbuilt"
        script = tmp_path / "dist" / "unbuilt.js"

    with pytest.raises(
        FileNotFoundError, match=r"has not been built.*node \S+bundle\.mjs FOLDER \S+dist"
    ):
        Unbuilt().scripts()
