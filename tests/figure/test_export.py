"""A figure as a file of its own: it opens from anywhere, and asks nobody for anything."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gradlab.figure import export
from gradlab.figures import ReportedTangent, UnrolledFlow
from gradlab.node import NodeError

DATA = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)

pytestmark = pytest.mark.slow


def test_a_file_holds_all_that_the_figure_needs(tmp_path: Path) -> None:
    figure = UnrolledFlow(scale=0.25)
    path = figure.save_html(tmp_path / "river.html")
    text = path.read_text(encoding="utf-8")
    (data,) = DATA.findall(text)
    assert json.loads(data) == json.loads(json.dumps(figure.describe()))
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in text
    assert not re.findall(r'(?:src|href)="(?!#)', text)
    assert not re.findall(r"""(?:url\(|@import)\s*['"]?(?:https?:)?//""", text)


@pytest.mark.exhaustive
def test_it_answers_from_a_file_and_asks_for_nothing(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()))  # strict: an error or a request would fail
    figure = page.locator("figure.gl-ready")
    figure.wait_for()
    figure.locator("[data-control=scale]").fill("1")
    assert figure.locator(".gl-live .gl-sentence").inner_text() == UnrolledFlow(scale=1.0).sentence
    assert [url for url in page.sent if not url.startswith(("file:", "blob:"))] == []


def test_without_node_the_figure_is_drawn_when_its_script_runs(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_node() -> str:
        raise NodeError("there is no 'node' here")

    monkeypatch.setattr(export, "find_node", no_node)
    figure = ReportedTangent()
    path = figure.save_html(tmp_path / "tangent.html")
    text = path.read_text(encoding="utf-8")
    assert '<div class="gl-root"></div>' in text
    assert figure.sentence in text, "for where no script runs"
    page = open_page(path.as_uri())
    page.locator("figure.gl-ready").wait_for()
    page.get_by_role("button", name="Skip, show me").click()
    assert page.locator(".gl-live .gl-sentence").inner_text() == figure.sentence
    assert page.locator(".gl-live svg:visible").count() == 1


def test_the_code_is_a_click_away(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(UnrolledFlow()))
    page.locator("figure.gl-ready").wait_for()
    assert page.locator(".gl-code").count() == 0, "nothing is rendered that nobody asked for"
    page.get_by_text("The JAX function").click()
    source = page.locator(".gl-code").first.inner_text()
    assert source.startswith("def river(")
    assert "place_gates(MAX_STEPS, placement, scale, bound, order == 1)" in source
    page.get_by_text("What this page runs").click()
    assert (
        page.locator(".gl-code").nth(1).inner_text().strip()
        == UnrolledFlow().program.javascript.strip()
    )
