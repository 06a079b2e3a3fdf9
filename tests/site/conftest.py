"""What the tests of the built book share besides a browser: its figures, in a page and in Python."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import jax
import pytest

import sccbook.figures
from explorax.figure.widget import Figure
from sccbook.notebook_form import CHECK, read, tags
from sccbook.site.downloads import SOLUTION
from sccbook.site.execution import CODE_CELL
from tests.cells import run_cell
from tests.site.book import READ, ROOT, descriptions, names
from tests.site.figure_page import WINDOWS, Shown


@pytest.fixture(scope="session")
def in_python() -> Iterator[Callable[[str, str], Figure]]:
    """A figure of a built page, in Python: ``in_python("notebooks/x.html", "Cliff")``.

    One of the book's is made from its settings. For one that a chapter makes, the chapter's cells
    are run here, so tests of such figures are exhaustive.
    """
    record = json.loads((ROOT / "snippets" / "results.json").read_text(encoding="utf-8"))
    shown = cache(shown_by)

    def figure(page: str, name: str) -> Figure:
        if not hasattr(sccbook.figures, name):
            figures, x64 = shown(page)
            jax.config.update("jax_enable_x64", x64)  # the page's own: another may have changed it
            return dict(zip(names(page), figures, strict=True))[name]
        data = [record["corners of clips"]] if name == "ClipCorners" else []
        settings = descriptions(page)[names(page).index(name)]["settings"]
        made: Figure = getattr(sccbook.figures, name)(*data, **settings)
        return made

    before = jax.config.jax_enable_x64
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXPLORAX_OUTPUT", "site")
        yield figure
    jax.config.update("jax_enable_x64", before)


def shown_by(page: str) -> tuple[list[Figure], bool]:
    """Run the cells of a page up to its last figure, and return the figures and whether it set x64."""
    jax.config.update("jax_enable_x64", False)  # as in a new kernel
    cells = code_of((ROOT / page).with_suffix(""))
    shown: list[Figure] = []
    known: dict[str, Any] = {}
    # where the kernel starts; what other libraries warn of doesn't matter here
    with chdir(ROOT / "notebooks"), warnings.catch_warnings(action="ignore"):
        for source in cells:
            if len(shown) == len(names(page)):
                break
            result = run_cell(source, known)
            shown += [result] if isinstance(result, Figure) else []
    assert [figure.describe()["name"] for figure in shown] == names(page)
    return shown, jax.config.jax_enable_x64


def code_of(page: Path) -> list[str]:
    """Return the cells of code in a chapter, or in a page in Markdown, without checks and solutions."""
    if page.with_suffix(".md").exists():
        cells = CODE_CELL.findall(page.with_suffix(".md").read_text(encoding="utf-8"))
        return [re.sub(r"^:.*$", "", cell, flags=re.MULTILINE) for cell in cells]
    notebook = read(page.with_suffix(".ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell.source for cell in code if not {CHECK, SOLUTION} & set(tags(cell))]


@pytest.fixture
def show(open_page: Any) -> Callable[..., Shown]:
    """Open the first page that shows a figure: ``show("Cliff", "narrow")``."""

    def show(name: str, window: str = "wide") -> Shown:
        page = next(page for page in READ if name in names(page))
        return Shown(open_page(page, viewport=WINDOWS[window]), name)

    return show


@pytest.fixture
def twice(page_of: Any, tmp_path: Path) -> Callable[..., str]:
    """Save a page with a figure twice, the first one changed: ``twice(figure, change)``."""

    def save(figure: Figure, change: Callable[[str], str]) -> str:
        text = Path(page_of(figure).removeprefix("file://")).read_text(encoding="utf-8")
        before, fragment, after = re.split(r"(<figure.*</figure>)", text, flags=re.DOTALL)
        file = tmp_path / "twice.html"
        file.write_text(before + change(fragment) + fragment + after, encoding="utf-8")
        return file.as_uri()

    return save
