"""Chapters are executed side by side, once each, and what is wrong with one is told as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of
from sccbook.site import ahead

pytestmark = pytest.mark.exhaustive

COUNT = "import pathlib\npathlib.Path('{0}.ran').open('a').write('x')\n"
MEET = """\
import time
end = time.monotonic() + 30
while not pathlib.Path("{1}.ran").exists():
    assert time.monotonic() < end, "{1} does not run beside this one"
    time.sleep(0.02)
for piece in ("{0} has", " met {1}"):
    print(piece, end="", flush=True)
    time.sleep(0.3)
"""
STRICT = {
    "extensions": ["myst_nb"],
    "exclude_patterns": ["_build"],
    "html_theme": "basic",
    "nb_execution_mode": "cache",
    "nb_execution_raise_on_error": True,
    "nb_output_stderr": "error",
    "root_doc": "one",
}

Build = Callable[[dict[str, str]], list[str]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build a book of chapters, each given as the code of its cell; return what was warned of."""

    def run(chapters: dict[str, str]) -> list[str]:
        for name, code in chapters.items():
            cells = [new_markdown_cell(f"# {name}", id="title"), new_code_cell(code, id="code")]
            text = text_of(new_notebook(cells=cells, metadata=METADATA))
            (tmp_path / f"{name}.ipynb").write_text(text, encoding="utf-8")
        settings: dict[str, Any] = {**STRICT, "nb_execution_cache_path": str(tmp_path / "_build")}
        out, trees, warned = tmp_path / "_build/html", tmp_path / "_build/trees", StringIO()
        with patch_docutils(), docutils_namespace():
            app = Sphinx(tmp_path, None, out, trees, "html", settings, None, warned)
            ahead.connect(app)
            app.build(force_all=True)
        return [line for line in warned.getvalue().splitlines() if "toctree" not in line]

    return run


def times_run(folder: Path, name: str) -> int:
    return len((folder / f"{name}.ran").read_text(encoding="utf-8"))


def test_chapters_run_side_by_side_and_once(build: Build, tmp_path: Path) -> None:
    chapters = {
        "one": (COUNT + MEET).format("one", "two"),
        "two": (COUNT + MEET).format("two", "one"),
        "three": COUNT.format("three"),
    }
    for _ in range(2):  # a second time nothing runs
        assert build(chapters) == []
        assert [times_run(tmp_path, name) for name in chapters] == [1, 1, 1]
    assert "one has met two" in (tmp_path / "_build/html/one.html").read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_chapters_run_where_a_loop_runs_already(build: Build, tmp_path: Path) -> None:
    async def in_a_notebook() -> list[str]:
        return build({name: COUNT.format(name) for name in ("one", "two")})

    with ThreadPoolExecutor(1) as thread:  # a browser's test may have left a loop in this one
        assert thread.submit(lambda: asyncio.run(in_a_notebook())).result() == []
    assert [times_run(tmp_path, name) for name in ("one", "two")] == [1, 1]


def test_what_is_wrong_with_one_chapter_is_told_and_the_others_are_kept(
    build: Build, tmp_path: Path
) -> None:
    fine, fails = COUNT.format("one"), "raise ValueError('no')"
    with pytest.raises(Exception, match=r"two\.ipynb"):
        build({"one": fine, "two": fails})
    (complaint,) = build({"one": fine, "two": "import sys\nprint('oh', file=sys.stderr)"})
    assert "two.ipynb" in complaint
    assert "stderr" in complaint
    assert times_run(tmp_path, "one") == 1
