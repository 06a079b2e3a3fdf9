"""A small book, built: each page has what it needs and no more, and is made again when it has to be."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sphinx.errors import ExtensionError
from tests.site_extension.made_up import build, code, notebook

from sccbook.site import assets, execution, figures

FIGURE = """\
import os
class F:
    def _repr_mimebundle_(self, **_):
        clock = {"script": "explorax.register('clock', {})", "style": ".gl-clock {}"}
        figure = {"title": "</script><!-- a title", "views": {"clock": clock}}
        return {"application/vnd.explorax.figure+json": figure, "text/plain": "The state, in words."}

print(os.environ["JAX_PLATFORMS"], os.environ["EXPLORAX_OUTPUT"])
F()
"""
PAGES = {
    "landing.md": "# A book\n\n```{toctree}\nfigure\nmaths\nplain\n```\n",
    "figure.ipynb": notebook(["# Figure", code(FIGURE, "figure")]),
    "maths.md": "# Maths\n\n$\\bar x = s\\,\\bar y$\n",
    "plain.md": "# Plain\n",
}
DRAWN = "<figure class='gl-figure'>drawn</figure>"


@pytest.mark.exhaustive
def test_a_page_loads_what_it_shows_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures.fragment.cache_clear()
    monkeypatch.setattr(figures, "draw", lambda descriptions: [DRAWN for _ in descriptions])
    out, warnings = build(tmp_path, PAGES, nb_execution_mode="cache")
    assert warnings == []
    shown = {name: out.joinpath(f"{name.split('.')[0]}.html").read_text("utf-8") for name in PAGES}
    figure = shown["figure.ipynb"]
    assert DRAWN in figure
    assert "cpu site" in figure, "a kernel knows what it makes"
    assert "The state, in words." not in figure
    assert 'defer="defer" src="_static/figure.js' in figure
    assert 'type="module"' not in figure
    assert '<math><mover accent="true"><mi>x</mi>' in shown["maths.md"]
    licences = (out / "_static" / "LICENSES.txt").read_text(encoding="utf-8")
    assert all(name in licences for name in ("preact", "STIX Two Math", "SIL OPEN FONT LICENSE"))

    (tex,) = build(tmp_path, PAGES, "latex", nb_execution_mode="cache")[0].glob("*.tex")
    assert "The state, in words." in tex.read_text(encoding="utf-8")
    assert "gl-figure" not in tex.read_text(encoding="utf-8")


def test_two_views_of_one_kind_are_refused(tmp_path: Path) -> None:
    app: Any = SimpleNamespace(outdir=tmp_path)
    assets.put(app, "views/clock.js", "one")
    with pytest.raises(ExtensionError, match=r"different files views/clock\.js"):
        assets.put(app, "views/clock.js", "another")


@pytest.mark.slow
def test_the_front_door_leads_to_the_landing_page_and_wide_tables_name_their_cells(
    book: Any,
) -> None:
    door = book.folder.joinpath("index.html").read_text("utf-8")
    for has in (
        "<title>A book &amp; more</title>",
        'lang="en-GB"',
        'content="0; url=landing.html"',
    ):
        assert has in door
    assert [name.text for name in book.page("plain.html").select(".column-name")] == ["b", "c", "d"]


def test_an_edit_in_the_theme_makes_every_page_again(tmp_path: Path) -> None:
    style, seen = tmp_path / "book" / "theme" / "book.css", []
    style.parent.mkdir(parents=True)
    for text in ("p { color: red }", "p { color: red }", "p { color: inherit }"):
        style.write_text(text, encoding="utf-8")
        config: Any = SimpleNamespace()
        execution.note_dressing(SimpleNamespace(srcdir=tmp_path), config)  # type: ignore[arg-type]
        seen.append(config.sccbook_dressing)
    assert seen[0] == seen[1] != seen[2]
