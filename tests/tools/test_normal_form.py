"""The normal form keeps what nbval compares, drops the rest, and is reached in one step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from sccbook.notebook_form import METADATA, normalise, text_of
from tools.new import TEMPLATES
from tools.notebooks import executed, main
from tools.rules import faults


def notebook(*cells: Any, **metadata: Any) -> Any:
    title = new_markdown_cell("# Title", id="title")
    for number, cell in enumerate(cells[1:], start=2):
        cell.id += str(number)
    return new_notebook(cells=[title, *cells], metadata=metadata or METADATA)


def code(source: str, outputs: tuple[Any, ...] = (), count: int | None = 1, **metadata: Any) -> Any:
    return new_code_cell(
        source, outputs=list(outputs), execution_count=count, id="code", metadata=metadata
    )


def rules(*cells: Any, **metadata: Any) -> list[str]:
    return [str(fault) for fault in faults(text_of(notebook(*cells, **metadata)))]


PICTURE = new_output(
    "display_data", data={"image/png": "iVBOR", "text/plain": "<Figure size 640x480 with 1 Axes>"}
)
WIDGET = new_output(
    "execute_result",
    execution_count=7,
    data={
        "application/vnd.jupyter.widget-view+json": {"model_id": "0a1b"},
        "text/plain": "With s = 0.5",
        "text/html": "<p>kept, because nbval compares it</p>",
    },
)


STDOUT = new_output("stream", name="stdout", text="17 microseconds\n")


def test_pictures_and_widget_views_go_and_text_stays_in_one_piece() -> None:
    pieces = [new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n")]
    form = normalise(notebook(code("f()", (PICTURE, WIDGET, *pieces))))
    picture, widget, stream = form.cells[1].outputs
    assert stream.text == "a\nb\n"
    assert picture.data == {"text/plain": "<Figure size 640x480 with 1 Axes>"}
    assert sorted(widget.data) == ["text/html", "text/plain"]
    assert widget.execution_count == 1


def test_metadata_is_what_the_book_reads() -> None:
    cell = code("1", tags=["set-up"], collapsed=True, jupyter={"source_hidden": True})
    form = normalise(
        notebook(cell, widgets={"state": {}}, kernelspec={"name": "mine", "display_name": "Mine"})
    )
    assert form.metadata == METADATA
    assert form.cells[1].metadata == {"tags": ["set-up"]}


def test_a_check_is_collapsed_in_jupyterlab_and_nothing_else_may_be() -> None:
    check = code("assert True", tags=["check"])
    form = normalise(notebook(check, new_markdown_cell("Words.", id="md")))
    assert form.cells[1].metadata == {"tags": ["check"], "jupyter": {"source_hidden": True}}
    assert normalise(form) == form
    assert faults(text_of(form)) == []
    (fault,) = faults(text_of(notebook(check)))
    assert "not written in normal form: run 'execute'" in fault.rule
    hidden = code("x = 1", jupyter={"source_hidden": True})
    assert rules(hidden) == [
        "cell 2 (code): metadata other than tags, mystnb, snippets, draws: jupyter"
    ]


def test_counts_run_from_one_and_ids_are_stable() -> None:
    book = notebook(code("1", count=8), code("2", count=None), code("3", count=2))
    book.cells[2].id = "code"
    del book.cells[3]["id"]
    form = normalise(book)
    assert [cell.execution_count for cell in form.cells[1:]] == [1, 2, 3]
    names = [cell.id for cell in form.cells]
    assert names[:2] == ["title", "code"]
    assert len(set(names)) == 4
    assert names == [cell.id for cell in normalise(book).cells]


def test_an_output_that_nothing_compares_is_dropped() -> None:
    picture = new_output("display_data", data={"image/png": "iVBOR"})
    for cell in (code("f()", (picture,)), code("f()", (STDOUT,), tags=["nbval-ignore-output"])):
        assert normalise(notebook(cell)).cells[1].outputs == []


PLOT = new_output("display_data", data={"text/plain": "<Figure size 640x480 with 1 Axes>"})
STDERR = new_output("stream", name="stderr", text="UserWarning: hm\n")
ERROR = new_output("error", ename="ValueError", evalue="no", traceback=[])
ADDRESS = new_output(
    "execute_result", execution_count=1, data={"text/plain": "<f object at 0x7f3a2b1c>"}
)


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        (code("f()", (PICTURE,)), "cell 2 (code): an output of type image/png is stored"),
        (code("f()", (STDERR,)), "cell 2 (code): it wrote to stderr: UserWarning: hm"),
        (code("f()", (ERROR,)), "cell 2 (code): it raised ValueError: no"),
        (code("f()", (ADDRESS,)), "memory address"),
        (code("1", count=4), "its execution count is 4, not 1"),
        (code("1", collapsed=True), "metadata other than tags, mystnb, snippets, draws: collapsed"),
        (code(""), "it is an empty code cell"),
        (code("\n".join("x = 1" for _ in range(16))), "16 lines, and 15 are the most"),
        (code("%pip install jax"), "a magic or a shell command (%pip install jax)"),
        (code("!pip install jax"), "a magic or a shell command (!pip install jax)"),
        (code("if x"), "it is not Python"),
        (code("plt.plot(x, color='red')"), "a colour is written inline ('red')"),
        (code("plt.plot(x, color=('C0', 'C1'))"), "a colour is written inline ('C0')"),
        (code("ink = '#1B2430'"), "a colour is written inline ('#1B2430')"),
        (code("plt.show()", (PLOT,)), "its plot has no text alternative"),
        (new_markdown_cell('<b style="color: red">no</b>', id="md"), "cell 2 (md): a colour is"),
        (code("plt.plot(x, color=colour('state'), label='red')"), ""),
        (code("plt.show()", (PLOT,), mystnb={"image": {"alt": "A line through the origin."}}), ""),
        (code("f()", (ERROR,), tags=["raises-exception"]), ""),
    ],
)
def test_a_broken_rule_is_reported_with_its_cell_and_nothing_else_is(cell: Any, rule: str) -> None:
    found = rules(cell)
    assert bool(found) == bool(rule)
    assert rule in "".join(found)


def test_other_metadata_a_missing_title_and_two_cells_of_one_id_are_refused() -> None:
    book = notebook(code("1"), code("2", count=2), **METADATA, widgets={})
    book.cells[0].source, book.cells[2].id = "No title", "code"
    metadata, title, name = map(str, faults(json.dumps(book)))
    assert "it has widgets" in metadata
    assert "begins with a title" in title
    assert name.startswith("cell 3 (code): its id is another cell's too")


@pytest.mark.slow
def test_executing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "chapter.ipynb"
    source = (
        "import os, sys\nprint('a'); print('b'); sys.stdout.flush()\n"
        "print(os.environ['JAX_PLATFORMS'], os.environ.get('EXPLORAX_OUTPUT'))\n1 + 1"
    )
    path.write_text(text_of(notebook(code(source, count=None))), encoding="utf-8")
    once = executed(path)
    path.write_text(once, encoding="utf-8")
    assert executed(path) == once
    assert faults(once) == []
    stream, result = nbformat.reads(once, as_version=4).cells[1].outputs
    assert stream.text == "a\nb\ncpu text\n"
    assert result.data == {"text/plain": "2"}


def test_check_names_the_file_and_the_cell_and_looks_for_faults_of_every_kind(
    tmp_path: Path, capsys: Any
) -> None:
    good, bad = str(TEMPLATES / "chapter.ipynb"), tmp_path / "bad.ipynb"
    stale: Any = {"tags": ["tabs"], "snippets": "scale_gradient"}
    quiz: Any = {"tags": ["quiz"]}
    cells = [
        code("worked = 1", count=2, tags=["solution"]), code("worked", count=3),
        new_markdown_cell("It is 1.67.", id="md1", metadata=stale),
        new_markdown_cell("Is it?", id="md2", metadata=quiz),
    ]  # fmt: skip
    bad.write_text(text_of(notebook(*cells)), encoding="utf-8", newline="\n")
    assert main(["check", good]) == 0
    assert main(["check", good, str(bad)]) == 1
    told = capsys.readouterr().out
    for fault in (
        "bad.ipynb: cell 2 (code): its execution count is 2", "differs from snippets/, scale_gradient",
        "it uses 'worked'", "1.67 is in the prose", "must be the figure", "0 of its choices are right",
    ):  # fmt: skip
        assert fault in told


@pytest.mark.slow
def test_a_cell_that_fails_leaves_the_file_as_it_was(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "chapter.ipynb"
    path.write_text(text_of(notebook(code("raise ValueError('no')"))), encoding="utf-8")
    before = path.read_bytes()
    assert main(["execute", str(path)]) == 1
    assert path.read_bytes() == before
    assert "ValueError: no" in capsys.readouterr().out
