"""Python in the page: a reader edits a cell, runs it and has an answer checked, and nothing is fetched before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sccbook.site.python import NUMPY
from tests.site.book import CHAPTERS, ROOT
from tests.site.conftest import code_of

PAGE, IN_NUMPY = CHAPTERS[0], CHAPTERS[8]
KEPT = "sccbook-code"


class Block:
    """One cell of a page, to be edited and run."""

    def __init__(self, page: Any, cell: str) -> None:
        self.page, self.cell = page, page.locator(cell).first
        self.cell.locator(".edit-here button").click()
        self.code = self.cell.locator(".cm-content")
        self.code.wait_for()

    def run(self, code: str | None = None) -> str:
        """Run the code, or what's there; return what is printed."""
        if code is not None:
            self.code.fill(code)
        self.code.press("Control+Enter")
        self.cell.get_by_role("button", name="Stop").wait_for(state="detached", timeout=60_000)
        return str(self.cell.locator(".edit-output").text_content())

    @property
    def status(self) -> str:
        """The text beside the buttons."""
        return str(self.cell.get_by_role("status").text_content())


@pytest.fixture(scope="module")
def page(new_page: Any, server: str) -> Iterator[Any]:
    """The first chapter, with one Python for the tests of it."""
    page = new_page(alone=True)
    page.goto(server + PAGE)
    yield page
    assert page.complaints() == []
    page.leave()


@pytest.fixture(scope="module")
def exercise(page: Any) -> Block:
    """The first chapter's exercise, opened when nothing had been asked for."""
    assert not [url for url in page.sent if "/python/" in url]
    block = Block(page, ".tag_exercise")
    assert not [url for url in page.sent if "pyodide" in url], "Python comes with the first run"
    laid_out = block.cell.locator(".edit-bar").evaluate("(bar) => getComputedStyle(bar).display")
    assert laid_out == "flex", "the build leaves the block's styles alone"
    return block


def test_a_wrong_answer_is_named_and_a_right_one_passes(exercise: Block) -> None:
    [start] = [code for code in code_of(ROOT / PAGE.removesuffix(".html")) if "my_backward" in code]
    assert "gradient without a scale" in exercise.run()
    assert "one minus s" in exercise.run(
        start.replace("cotangent = common", "cotangent = (1 - s) * common")
    )
    right = start.replace("cotangent = common", "cotangent = s * common")
    assert exercise.run(right).startswith("Passed: ")
    said = exercise.run(f"{right}\nprint('on', end='')\nimport jax")
    assert re.fullmatch("Passed: .*\non\nTraceback.*open the chapter as a notebook[.]", said, re.S)


def test_what_runs_too_long_or_prints_too_much_is_stopped_and_python_goes_on(
    exercise: Block,
) -> None:
    flood = exercise.run("while True:\n    print('again')")
    assert flood.count("again") == 500
    assert "shows 500 lines" in flood
    assert exercise.run("print('x' * 10**6)").count("x") == 20_000
    assert exercise.run("while True:\n    pass") == ""
    assert "Stopped after 10 seconds" in exercise.status
    error = exercise.run("def f():\n    return 1 / 0\nf()")
    assert error.count("File") == 2
    assert "line 2, in f" in error
    assert "ZeroDivisionError" in error


def test_the_tape_is_drawn_from_the_readers_numbers(page: Any) -> None:
    block = Block(page, ".tag_run:has-text('def backward')")
    figure = page.locator("figure[data-figure=Tape]").nth(1)
    sentence = figure.locator(".gl-sentence").first
    before = sentence.text_content()
    halved = (
        block.code.inner_text()
        .replace("\n\n", "\n")
        .replace("= common * theta", "= 0.5 * common * theta")
    )
    assert "added up: 0.58" in block.run(halved)
    assert "0.21, 0.21 and 0.17" in sentence.text_content()
    assert block.run(halved.replace("* 4", "* 5"))
    assert "cotangents[1:] has 4 numbers, not 3" in block.status
    assert sentence.text_content() == before
    assert not block.cell.locator("> .check").is_visible(), "it proves the book's output"
    earlier = Block(page, ".tag_run:has-text('def forward')")
    earlier.code.fill("1 / 0")
    assert "ZeroDivisionError" in block.run()
    assert "Before it, block 2, “theta, target = 1.4, 0.2” didn’t finish" in block.status


def test_an_exercise_asks_of_new_numbers(exercise: Block) -> None:
    exercise.cell.get_by_role("button", name="Reset").click()
    exercise.cell.get_by_role("button", name="New numbers").click()
    exercise.cell.get_by_text("What is the gradient of theta?").wait_for()
    answered = (
        exercise.code.inner_text().replace("\n\n", "\n").replace("answer = None", "answer = 0")
    )
    exercise.code.fill(answered)
    exercise.cell.get_by_role("button", name="New numbers").click()
    exercise.cell.get_by_text("the gradient of theta should be").wait_for()


@pytest.mark.skipif(
    not (ROOT / NUMPY).is_file(), reason="the book was built without NumPy in the page"
)
def test_an_exercise_with_numpy_is_checked(exercise: Block, open_page: Any) -> None:
    assert exercise.run("import numpy\nprint(numpy.ones(2).sum())") == "2.0\n"
    assert Block(open_page(IN_NUMPY), ".tag_exercise").run().startswith("Not yet: ")


def test_a_reload_keeps_the_work_escape_leaves_and_the_menu_erases(
    open_page: Any, axe: Any
) -> None:
    page = open_page(PAGE)
    block = Block(page, ".tag_exercise")
    block.code.fill("")
    block.code.press("Tab")
    block.code.press_sequentially("/?mine")  # elsewhere these keys search, and help
    assert "    /?mine" in block.code.inner_text()
    block.code.press("Escape")
    block.code.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check my answer"
    page.reload()
    Block(page, ".tag_run:has-text('def forward')")
    page.get_by_role("button", name="your code from last time").wait_for()
    block = Block(page, ".tag_exercise")
    assert "mine" in block.code.inner_text()
    assert "from last time" in block.status
    assert axe(page) == []
    page.locator(".answers > summary").click()
    page.get_by_role("button", name="Forget my answers and code").click()
    assert page.evaluate(f"localStorage.getItem('{KEPT}')") is None
    assert "my_backward" in block.code.inner_text()


def test_a_page_from_a_file_says_how_to_run_it(open_page: Any, site: Path) -> None:
    page = open_page((site / PAGE).as_uri())
    page.locator(".tag_exercise .edit-here button").click()
    page.locator(".edit-here :focus", has_text="python -m http.server").wait_for()
