"""A small book, built: each page has what it needs and no more, and what is wrong stops the build."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of
from sccbook.site import assets, execution, figures
from sccbook.site.execution import KEPT, KERNEL, fingerprint, imported_files

CELL = "---\nfile_format: mystnb\nkernelspec: {{name: python3}}\n---\n# {}\n\n```{{code-cell}}\n:tags: [remove-input]\n{}\n```\n"
FIGURE = """\
class F:
    def _repr_mimebundle_(self, **_):
        clock = {"script": "explorax.register('clock', {})", "style": ".gl-clock {}"}
        figure = {"title": "</script><!-- a title", "views": {"clock": clock}}
        return {"application/vnd.explorax.figure+json": figure, "text/plain": "The state, in words."}

F()
"""
LANDING = "# A book\n\n```{toctree}\nfigure\nmaths\nplain\n```\n"
PAGES = {
    "landing.md": LANDING,
    "figure.md": CELL.format("Figure", FIGURE),
    "maths.md": "# Maths\n\n$\\bar x = s\\,\\bar y$\n",
    "plain.md": "# Plain\n\n| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n",
}
WITHOUT_CELLS = {**PAGES, "figure.md": "# Figure\n"}
DRAWN = "<figure class='gl-figure'>drawn</figure>"

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Build a book from its pages; return the folder of what was built."""
    for name in KERNEL:
        monkeypatch.setenv(name, "to be set again")  # and put back when the test ends
    figures.fragment.cache_clear()
    monkeypatch.setattr(figures, "draw", lambda descriptions: [DRAWN for _ in descriptions])

    def run(pages: dict[str, str], builder: str = "html") -> Path:
        source, out = tmp_path / "source", tmp_path / "_build" / builder
        (source / "book" / "theme").mkdir(parents=True, exist_ok=True)
        for name in ("book.css", "book.js"):
            (source / "book" / "theme" / name).touch()
        for name, text in pages.items():
            (source / name).write_text(text, encoding="utf-8")
        warnings = StringIO()
        settings: dict[str, Any] = {
            "extensions": ["myst_nb", "sphinx_book_theme", "sccbook.site"],
            "html_theme": "sphinx_book_theme",
            "html_title": "A book & more",
            "myst_enable_extensions": ["dollarmath"],
            "nb_execution_mode": "cache",
            "nb_execution_cache_path": str(tmp_path / "cache"),
            "nb_execution_raise_on_error": True,
            "language": "en-GB",
            "root_doc": "landing",
        }
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                source, None, out, tmp_path / "trees", builder, settings, None, warnings
            )  # fmt: skip
            app.build()
        complaints = [line for line in warnings.getvalue().splitlines() if "WARNING" in line]
        assert not complaints, complaints
        return out

    return run


def page(out: Path, name: str) -> str:
    return (out / name).read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_a_page_loads_what_it_shows_and_no_more(build: Build) -> None:
    out = build(PAGES)
    shown = {name: page(out, f"{name}.html") for name in ("landing", "figure", "maths", "plain")}

    assert DRAWN in shown["figure"]
    assert "The state, in words." not in shown["figure"]
    for name, text in shown.items():
        assert ("figure.css" in text) == ("figure.js" in text) == (name == "figure"), name
        assert "palette.css" in text
        assert "maths.css" in text
        for absent in (
            "fontawesome.js",
            "bootstrap.js",
            "searchtools.js",
            "mathjax@",
        ):
            assert absent not in text, (name, absent)
    assert 'defer="defer" src="_static/figure.js' in shown["figure"]
    for file in ("views/clock.js", "views/clock.css"):
        assert [name for name, text in shown.items() if f"_static/{file}?v=" in text] == ["figure"]
    assert "explorax.register" in page(out / "_static" / "views", "clock.js")
    assert "explorax.register" not in shown["figure"]
    assert 'type="module"' not in shown["figure"]
    assert '<math><mover accent="true"><mi>x</mi>' in shown["maths"]
    assert "searchtools.js" in page(out, "search.html")

    static = out / "_static"
    assert (static / "maths.woff2").is_file()
    licences = (static / "LICENSES.txt").read_text(encoding="utf-8")
    assert all(name in licences for name in ("preact", "STIX Two Math", "SIL OPEN FONT LICENSE"))
    assert not list(static.rglob("*.map"))
    assert not list(static.rglob("fontawesome*"))
    theme = (static / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    assert "@font-face" not in theme
    assert ".bd-article" in theme  # and what the pages meet is there
    assert ".accordion" not in theme


@pytest.mark.exhaustive
def test_the_notebook_that_a_page_offers_has_no_solution_and_the_page_keeps_it(
    build: Build,
) -> None:
    chapter = notebook_text(answer="the answer")
    pages = {**WITHOUT_CELLS, "plain.ipynb": chapter}
    del pages["plain.md"]
    out = build(pages)
    assert "the answer" in page(out, "plain.html")
    offered = out / "_sources" / "plain.ipynb"
    assert f'href="{offered.relative_to(out).as_posix()}" download' in page(out, "plain.html")
    assert "the answer" not in offered.read_text(encoding="utf-8")
    assert "to be mended" in offered.read_text(encoding="utf-8")

    build({**pages, "plain.ipynb": notebook_text(answer="another answer")})  # over the first
    assert "another answer" in page(out, "plain.html")
    assert "answer" not in offered.read_text(encoding="utf-8")


def notebook_text(answer: str) -> str:
    """A chapter with an exercise and its solution, as a file's text."""
    cells: list[Any] = [
        new_markdown_cell("# Plain", id="title"),
        new_markdown_cell("To be mended: `to be mended`.", id="exercise"),
        new_markdown_cell(f"It is {answer}.", id="solution", metadata={"tags": ["solution"]}),
    ]
    return text_of(new_notebook(cells=cells, metadata=METADATA))


@pytest.mark.slow
def test_the_front_door_leads_to_the_landing_page_and_has_a_title(build: Build) -> None:
    door = page(build(WITHOUT_CELLS), "index.html")
    assert "<title>A book &amp; more</title>" in door
    assert 'lang="en-GB"' in door
    assert 'content="0; url=landing.html"' in door


@pytest.mark.exhaustive
def test_other_builders_show_the_figure_in_words(build: Build) -> None:
    out = build(PAGES, "latex")
    (tex,) = out.glob("*.tex")
    assert "The state, in words." in tex.read_text(encoding="utf-8")
    assert "gl-figure" not in tex.read_text(encoding="utf-8")


def test_two_views_of_one_kind_are_refused(tmp_path: Path) -> None:
    app: Any = SimpleNamespace(outdir=tmp_path)
    assets.put(app, "views/clock.js", "one")
    with pytest.raises(ExtensionError, match=r"different files views/clock\.js"):
        assets.put(app, "views/clock.js", "another")


@pytest.mark.slow
def test_wide_tables_name_their_cells(build: Build) -> None:
    plain = page(build(WITHOUT_CELLS), "plain.html")
    assert plain.count('class="column-name"') == 3
    assert '<span class="column-name">d</span>' in plain


@pytest.mark.slow
def test_a_cell_that_fails_fails_the_build(build: Build) -> None:
    with pytest.raises(Exception, match=r"figure\.md"):
        build({**PAGES, "figure.md": CELL.format("Figure", "raise ValueError('no')")})


@pytest.mark.slow
@pytest.mark.parametrize("formula", [r"\frac{1}{", r"\notacommand"])
def test_a_formula_that_cannot_be_read_fails_the_build(build: Build, formula: str) -> None:
    with pytest.raises(Exception, match="cannot be read as TeX"):
        build({**WITHOUT_CELLS, "maths.md": f"# Maths\n\n${formula}$\n"})


@pytest.mark.exhaustive
def test_kernels_run_on_the_cpu_and_know_that_they_make_the_site(build: Build) -> None:
    source = "import os\nprint(os.environ['JAX_PLATFORMS'], os.environ['EXPLORAX_OUTPUT'])"
    out = build({**PAGES, "figure.md": CELL.format("Figure", source)})
    assert "cpu site" in page(out, "figure.html")
    assert {name: os.environ[name] for name in KERNEL} == KERNEL


@pytest.mark.exhaustive
def test_an_edit_in_an_imported_module_executes_the_chapters_again(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = "from pathlib import Path\ncount = Path('count'); count.open('a').write('x')"
    pages = {**PAGES, "figure.md": CELL.format("Figure", source)}
    module = tmp_path / "package" / "module.py"
    module.parent.mkdir()
    monkeypatch.setattr(execution, "imported_files", lambda root: [module])
    times = []
    for text in ("x = 1", "x = 1", "x = 2"):
        module.write_text(text, encoding="utf-8")
        build(pages)
        times.append(len((tmp_path / "source" / "count").read_text(encoding="utf-8")))
    assert times == [1, 1, 2]


@pytest.mark.slow
def test_an_edit_in_the_theme_reaches_the_site(build: Build, tmp_path: Path) -> None:
    out = build(WITHOUT_CELLS)
    style = tmp_path / "source" / "book" / "theme" / "book.css"
    style.write_text("p { color: inherit }", encoding="utf-8")
    build(WITHOUT_CELLS)
    assert (out / "_static" / "book.css").read_text(encoding="utf-8") == "p { color: inherit }"


@pytest.mark.exhaustive
def test_few_caches_are_kept(build: Build, tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / "cache" / (name * 16)).mkdir(parents=True)
    build(PAGES)
    assert len(list((tmp_path / "cache").iterdir())) == KEPT


def test_what_chapters_import_is_modules_the_front_end_and_versions(tmp_path: Path) -> None:
    (tmp_path / "constraints.txt").write_text("jax==0.10.2\n", encoding="utf-8")
    files = list(imported_files(tmp_path))
    names = {path.name for path in files}
    assert {"scaling.py", "palette.json", "constraints.txt"} <= names
    assert not any("node_modules" in path.parts or path.name == "execution.py" for path in files)
    before = fingerprint(files)
    assert before == fingerprint(imported_files(tmp_path))
    (tmp_path / "constraints.txt").write_text("jax==0.10.3\n", encoding="utf-8")
    assert before != fingerprint(files)
