"""Chapters are executed side by side, once each, and what is wrong with one is told as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.site_extension import made_up
from tests.site_extension.made_up import code, notebook

from sccbook.site import execution

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
    "nb_execution_mode": "cache",
    "nb_execution_raise_on_error": True,
    "nb_output_stderr": "error",
}

Build = Callable[[dict[str, str]], list[str]]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Build a book of chapters, each given as the code of its cell; return what was warned of."""
    monkeypatch.setattr(execution, "packages", dict)  # somebody may be editing them

    def run(chapters: dict[str, str]) -> list[str]:
        pages = {f"{n}.ipynb": notebook([f"# {n}", code(text)]) for n, text in chapters.items()}
        _, warned = made_up.build(tmp_path, pages, **STRICT)
        return [line for line in warned if "toctree" not in line]

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


def test_chapters_run_where_a_loop_runs_already(build: Build, tmp_path: Path) -> None:
    async def in_a_notebook() -> list[str]:
        return build({name: COUNT.format(name) for name in ("one", "two")})

    with ThreadPoolExecutor(1) as thread:  # a browser's test may have left a loop in this one
        assert thread.submit(lambda: asyncio.run(in_a_notebook())).result() == []
    assert [times_run(tmp_path, name) for name in ("one", "two")] == [1, 1]


def test_a_failing_chapter_is_reported_and_the_others_stay_cached(
    build: Build, tmp_path: Path
) -> None:
    fine, fails = COUNT.format("one"), "raise ValueError('no')"
    with pytest.raises(Exception, match=r"two\.ipynb"):
        build({"one": fine, "two": fails})
    (complaint,) = build({"one": fine, "two": "import sys\nprint('oh', file=sys.stderr)"})
    assert "two.ipynb" in complaint
    assert "stderr" in complaint
    assert times_run(tmp_path, "one") == 1
