"""The assignments with their solutions: in their form, in agreement with the course, and right."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
from gradlab_classroom.release import source_form
from IPython.core.inputtransformer2 import TransformerManager

from classroom.tests.assigned import (
    COURSE,
    NAMES,
    code,
    earned,
    grader,
    notebook,
    of_grade_id,
    require_nbgraders_form,
    words,
)
from classroom.tests.paths import ASSIGNMENTS
from classroom.tests.tiers import first_of
from gradlab.exercises.checking.catalogue import EXERCISES

EACH = pytest.mark.parametrize("name", NAMES)


def test_each_assignment_of_the_course_has_its_source_and_nothing_else_has() -> None:
    files = {
        path.relative_to(ASSIGNMENTS).as_posix()
        for path in ASSIGNMENTS.glob("source/**/*")
        if path.is_file()
    }
    assert files == {f"source/{name}/{name}.ipynb" for name in NAMES}


@EACH
def test_a_source_is_stored_without_outputs_and_without_notes_of_an_editor(name: str) -> None:
    text = (ASSIGNMENTS / "source" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert text == source_form(text)
    assert '"outputs": []' in text
    assert '"output_type"' not in text


@EACH
def test_a_source_says_what_it_is_and_how_long_it_takes(name: str) -> None:
    book, wanted = notebook("source", name), COURSE.assignments[name]
    assert book.metadata.gradlab.assignment == name
    title = words(book.cells[0].source)
    assert title.startswith(f"# {wanted.title} ")
    assert (
        f"**Time:** {wanted.minutes} minutes, an estimate. **Points:** {wanted.points:g}." in title
    )
    assert f"numbers(STUDENT, {name!r})".replace("'", '"') in "\n".join(code(book.cells))
    *others, last = wanted.chapters
    chapters = f"chapters {', '.join(others)} and {last}" if others else f"chapter {last}"
    assert f"It follows {chapters}." in title
    for function, points in wanted.functions.items():
        assert f"`{function}` ({points:g})" in title


@pytest.mark.slow
@EACH
def test_functions_and_points_are_those_of_the_course(name: str) -> None:
    book, wanted = notebook("source", name), COURSE.assignments[name]
    require_nbgraders_form(book)
    graded = {
        grader(cell)["grade_id"]: grader(cell)["points"]
        for cell in book.cells
        if grader(cell).get("grade")
    }
    written = {f"written_{key}": cell.points for key, cell in wanted.written.items()}
    assert graded == {**wanted.functions, **written}
    assert list(graded)[: len(wanted.functions)] == list(wanted.functions)
    assert set(wanted.functions) <= set(EXERCISES)


@EACH
def test_each_function_is_asked_for_answered_checked_and_then_graded(name: str) -> None:
    book = notebook("source", name)
    ids = [cell.id for cell in book.cells]
    for function, points in COURSE.assignments[name].functions.items():
        task, answer, test = (
            book.cells[ids.index(f"{function}-{part}")] for part in ("task", "answer", "points")
        )
        assert ids.index(task.id) < ids.index(answer.id) < ids.index(test.id)
        assert f"({points:g} points)" in task.source
        assert book.cells[ids.index(test.id) - 1].source == f'check("{function}", {function})'
        assert grader(answer)["solution"]
        assert not grader(answer)["grade"]
        assert re.match(
            rf'def {function}\(.*\):\n    """.*"""\n    ### BEGIN SOLUTION\n', answer.source
        )
        assert answer.source.endswith("\n    ### END SOLUTION")
        assert grader(test)["locked"]
        assert test.source.endswith(f'\npoints("{function}", globals(), of={points:g})')
        call = re.search(rf"`{function}(\(.*?\))`", task.source, re.DOTALL)
        assert call
        assert words(call[1]) in answer.source.split("\n")[0]  # the same arguments


@EACH
def test_the_prediction_is_that_of_the_course_and_comes_before_everything_that_shows_it(
    name: str,
) -> None:
    book, wanted = notebook("source", name), COURSE.assignments[name].prediction
    assert wanted is not None
    ids = [cell.id for cell in book.cells]
    place = ids.index("prediction")
    text = words(book.cells[place - 1].source)
    assert words(wanted.question) in text
    for letter, choice in wanted.choices.items():
        assert f"- **{letter}**: {words(choice)}" in text
    assert book.cells[place].source.startswith('prediction = ""  # a, ')
    assert {"install", "id", "imports"} == {
        cell.id for cell in book.cells[:place] if cell.cell_type == "code"
    }
    assert "{prediction!r}" in book.cells[ids.index("outcome")].source
    assert ids.index("outcome") > ids.index(
        f"{list(COURSE.assignments[name].functions)[-1]}-points"
    )


@EACH
def test_the_question_in_words_is_that_of_the_course_and_its_rubric_stands_in_the_source(
    name: str,
) -> None:
    book = notebook("source", name)
    for key, wanted in COURSE.assignments[name].written.items():
        cell = of_grade_id(book, f"written_{key}")
        prompt = book.cells[book.cells.index(cell) - 1].source
        assert words(wanted.question) in words(prompt)
        assert f"({wanted.points:g} points)" in prompt
        assert cell.source.startswith(f"**Your answer ({key}):**\n\n### BEGIN SOLUTION\n")
        for line in wanted.rubric:
            assert f"- {words(line)}" in words(cell.source)


@pytest.mark.slow
@pytest.mark.parametrize("name", first_of(NAMES))
def test_a_solved_assignment_earns_all_its_points(name: str) -> None:
    wanted = COURSE.assignments[name]
    assert earned(notebook("source", name).cells, wanted) == dict(wanted.functions)


def install_cell(name: str) -> str:
    (cell,) = [
        cell
        for cell in notebook("source", name).cells
        if "install" in cell.metadata.get("tags", [])
    ]
    return str(cell.source)


def test_the_install_cell_is_the_same_everywhere() -> None:
    assert len({install_cell(name) for name in NAMES}) == 1


class Shell:
    """Notes what the magics of a cell are asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run_line_magic(self, name: str, line: str) -> None:
        self.asked.append(f"%{name} {line}")


def install(source: str, *, missing: bool, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the install cell; return what it asks of IPython."""
    if missing:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shell = Shell()
    found: dict[str, Any] = {"get_ipython": lambda: shell}
    exec(TransformerManager().transform_cell(source), found)
    return [line.format(**found) for line in shell.asked]  # as IPython fills in names


def test_the_install_cell_does_nothing_where_gradlab_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert install(install_cell(NAMES[0]), missing=False, monkeypatch=monkeypatch) == []


def test_the_install_cell_takes_the_wheel_beside_the_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wheel = tmp_path / "gradlab-0.1.0-py3-none-any.whl"
    wheel.touch()
    asked = install(install_cell(NAMES[0]), missing=True, monkeypatch=monkeypatch)
    assert asked == [f'%pip install --quiet "{wheel}"']


def test_the_install_cell_takes_what_the_course_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cell = install_cell(NAMES[0]).replace('INSTALL = ""', 'INSTALL = "gradlab==0.1"')
    asked = install(cell, missing=True, monkeypatch=monkeypatch)
    assert asked == ['%pip install --quiet "gradlab==0.1"']


def test_the_install_cell_says_what_to_do_where_there_is_nothing_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModuleNotFoundError, match=r"no gradlab-\*\.whl.*run this cell again"):
        install(install_cell(NAMES[0]), missing=True, monkeypatch=monkeypatch)
