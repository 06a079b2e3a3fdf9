"""A figure as a file of its own, which asks nobody for anything, and as the picture that a notebook keeps."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from tests.figure.dial import Dial

from explorax.figure import export
from explorax.figure.widget import WIDGET_VIEW
from explorax.node import NodeError

DATA = re.compile(
    r'<script type="application/json" class="gl-description">(.*?)</script>', re.DOTALL
)

IMAGE = re.compile(r'<img src="data:image/svg\+xml;base64,([\w+/=]+)" alt="([^"]*)">')
CELL = "from explorax import explore\nexplore(lambda x: x**2, {'x': (0.0, 1.0)}, title='A square')"
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.slow


def no_node() -> str:
    raise NodeError("there is no 'node' here")


def test_a_file_holds_all_that_the_figure_needs(tmp_path: Path, shown: dict[str, Any]) -> None:
    figure = shown["figure"]
    path = figure.save_html(tmp_path / "clock.html")
    text = path.read_text(encoding="utf-8")
    (data,) = DATA.findall(text)
    described = json.loads(data)
    assert described.pop("reserved")["sentence"], "room for the longest"
    expected = json.loads(json.dumps(figure.describe()))
    assert [view["script"] in text for view in expected.pop("views").values()] == [True]
    assert described == expected
    assert f'<p class="gl-sentence">{figure.sentence}</p>' in text
    assert not re.findall(r'(?:src|href)="(?!#)', text)
    assert not re.findall(r"""(?:url\(|@import)\s*['"]?(?:https?:)?//""", text)


def test_without_node_the_figure_is_drawn_when_its_script_runs(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "find_node", no_node)
    figure = Dial(scale=0.5)
    path = figure.save_html(tmp_path / "dial.html")
    text = path.read_text(encoding="utf-8")
    assert '<div class="gl-root"></div>' in text
    assert figure.sentence in text, "for where no script runs"
    page = open_page(path.as_uri())
    page.locator("figure.gl-ready").wait_for()
    assert page.locator(".gl-live .gl-sentence").inner_text() == figure.sentence
    assert page.locator(".gl-live svg:visible").count() == 1


def test_the_code_is_a_click_away(open_page: Any, page_of: Any) -> None:
    page = open_page(page_of(Dial()))
    page.locator("figure.gl-ready").wait_for()
    assert page.locator(".gl-code").count() == 0, "nothing is rendered that nobody asked for"
    page.get_by_text("More", exact=True).click()
    page.locator(".gl-code").last.wait_for()
    source = page.locator(".gl-code").first.inner_text()
    assert source.startswith("def powers(")
    program = page.locator(".gl-code").nth(1).inner_text()
    assert program.strip() == Dial().program.javascript.strip()


def test_a_notebook_keeps_a_picture_beside_the_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPLORAX_OUTPUT", raising=False)
    figure = Dial(scale=0.25)
    data, *_ = figure._repr_mimebundle_()
    image = IMAGE.fullmatch(data["text/html"])
    assert image
    assert html.unescape(image[2]) == f"{figure.spec.title}. {figure.sentence}"
    picture = ElementTree.fromstring(b64decode(image[1]))
    assert picture.tag == f"{SVG}svg"
    assert picture.findtext(f"{SVG}title") == figure.sentence
    assert {"text/plain", "application/vnd.jupyter.widget-view+json"} < set(data)


def test_without_node_a_notebook_keeps_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "find_node", no_node)
    assert export.still(Dial().describe(), "") == {}


def test_widget_is_shown_without_a_picture() -> None:
    with pytest.warns(UserWarning, match=r"No picture is kept beside the figure: prerender\.mjs"):
        assert export.still({"title": "Nothing"}, "") == {}


@pytest.mark.exhaustive
def test_a_notebook_that_nbconvert_executes_shows_the_picture_without_a_network(
    open_page: Any, tmp_path: Path
) -> None:
    cell = nbformat.v4.new_code_cell(CELL)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "one.ipynb")
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "one.ipynb"],
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if key != "EXPLORAX_OUTPUT"},
        check=True,
        capture_output=True,
    )
    page = open_page((tmp_path / "one.html").as_uri(), strict=False)  # it asks for MathJax
    picture = page.locator("img[src^='data:image/svg+xml']")
    assert picture.bounding_box()["height"] > 200
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    assert picture.get_attribute("alt").startswith("A square.")
    assert page.locator(".jupyter-widgets").count() == 0, "nothing that is blank offline"


@pytest.mark.exhaustive
def test_a_cell_that_a_page_runs_shows_the_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPLORAX_OUTPUT", raising=False)
    manager, client = start_new_kernel()
    try:
        for asks in (True, False):  # a page lets a cell ask for input; a program does not
            shown: list[dict[str, Any]] = []
            client.execute_interactive(
                CELL, allow_stdin=asks, output_hook=lambda said, to=shown: to.append(said)
            )
            (data,) = (
                each["content"]["data"]
                for each in shown
                if "data" in each["content"] and each["msg_type"] == "execute_result"
            )
            assert (WIDGET_VIEW in data) == asks
            assert "text/html" in data
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.exhaustive
def test_a_page_made_from_a_saved_notebook_shows_the_picture() -> None:
    from nbconvert import HTMLExporter

    data, *_ = Dial()._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data=data)
    cell = nbformat.v4.new_code_cell("river", outputs=[output])
    for sanitize in (False, True):  # as nbviewer does
        exporter = HTMLExporter(sanitize_html=sanitize)
        page, _ = exporter.from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
        assert data["text/html"].split('"')[1] in page
