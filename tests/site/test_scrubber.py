"""A number in the text that sets a figure's control, and follows it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document

from explorax.frontend import asset
from sccbook.figures import UnrolledFlow
from sccbook.site import assets
from sccbook.site.figures import figure_node
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

NUMBER = """<p>s is <span class="gl-scrub" data-figure="UnrolledFlow" data-control="scale"{more}>0.5</span></p>"""


@pytest.fixture
def scrubbed(open_page: Any, page_of: Any, tmp_path: Path) -> Any:
    """Open a page with a number before the river: ``scrubbed(figure, more="", query="", **context)``."""

    def show(
        figure: UnrolledFlow, more: str = "", query: str = "", **context: Any
    ) -> tuple[Shown, Any]:
        text = Path(page_of(figure).removeprefix("file://")).read_text(encoding="utf-8")
        head, rest = text.split("<figure", 1)
        file = tmp_path / "scrubbed.html"
        script = f"<script>{asset('scrubber.js').read_text(encoding='utf-8')}</script>"
        after = rest.replace("</body>", f"{script}</body>") if "</body>" in rest else rest + script
        file.write_text(f"{head}{NUMBER.format(more=more)}<figure{after}", encoding="utf-8")
        page = open_page(file.as_uri() + query, viewport=WINDOWS["wide"], **context)
        shown = Shown(page, "UnrolledFlow", predict=True)
        return shown, page.get_by_role("slider", name="scale", exact=True)

    return show


def pull(page: Any, take: Any, number: Any, across: float) -> None:
    """Drag a number."""
    x, y = take(page, number)
    page.mouse.move(x + across, y)
    page.mouse.up()


def test_it_says_what_is_set_and_is_dragged_and_walked(scrubbed: Any, take: Any) -> None:
    figure, number = scrubbed(UnrolledFlow(ask=None))
    assert number.inner_text() == "1"
    pull(figure.page, take, number, -60)
    assert (number.inner_text(), figure.settings["scale"]) == ("0.75", 0.75)
    figure.page.wait_for_url("**?UnrolledFlow.scale=0.75")
    number.press("ArrowLeft")
    assert number.get_attribute("aria-valuetext") == "s = 0.7"
    figure.control("scale").fill("0.25")
    assert number.inner_text() == "0.25"
    number.press("Home")
    assert figure.sentence == UnrolledFlow(scale=0.0).sentence


@pytest.mark.parametrize(
    "case",
    some_now(
        [
            ("", "no-preference", 0.5),
            ("", "reduce", 0.5),
            ("?UnrolledFlow.scale=0.8", "no-preference", 0.8),
        ],
        ("", "no-preference", 0.5),
    ),
    ids=str,
)
def test_the_river_narrows_once_by_itself_where_nothing_else_is_asked(
    scrubbed: Any, case: tuple[str, str, float]
) -> None:
    query, motion, ends = case
    figure, number = scrubbed(UnrolledFlow(), ' data-once="0.5"', query, reduced_motion=motion)
    if ends == 0.5:
        assert float(number.inner_text()) == ends, "the line is quoted until the river goes"
        figure.page.wait_for_function(
            "document.querySelector('input[data-control=scale]').value < 1"
        )
        figure.root.locator(".gl-gliding").wait_for(state="detached")
    else:
        figure.page.wait_for_timeout(1200)
    assert figure.settings == UnrolledFlow(scale=ends).settings
    assert float(number.inner_text()) == ends
    assert figure.page.url.endswith(query or "html"), "nobody has set it"
    assert figure.said == ""


def test_without_scripts_it_is_a_plain_number(
    scrubbed: Any, open_page: Any, tmp_path: Path
) -> None:
    scrubbed(UnrolledFlow())
    page = open_page((tmp_path / "scrubbed.html").as_uri(), java_script_enabled=False)
    number = page.locator(".gl-scrub")
    assert number.inner_text() == "0.5"
    assert number.evaluate("(e) => [e.getAttribute('role'), getComputedStyle(e).cursor]") == [
        None,
        "auto",
    ]


def test_only_a_page_with_such_a_number_loads_its_script(tmp_path: Path) -> None:
    def scripts(*raw: nodes.Node) -> list[str]:
        document, found = new_document("page"), list[str]()
        document.extend(raw)
        app: Any = SimpleNamespace(
            outdir=tmp_path,
            add_css_file=lambda *_, **__: None,
            add_js_file=lambda name, **_: found.append(name),
        )
        assets.choose(app, "page", "", {}, document)
        return found

    river = figure_node(UnrolledFlow().describe())
    number = nodes.raw("", NUMBER.format(more=""), format="html")
    assert scripts(river.deepcopy()) == ["figure.js", "views/stream.js"]
    assert scripts(river, number) == ["figure.js", "views/stream.js", "scrubber.js"]
    assert scripts(number.deepcopy()) == []
