"""The assignments with their solutions: they say what course.yml says, and earn all its points."""

import re

import pytest

from classroom.tests.assigned import COURSE, NAMES, earned, grader, notebook, of_grade_id
from sccbook.checking.personal import PICKS
from sccbook.exercises.catalogue import EXERCISES
from tests.tiers import some_now

EACH = pytest.mark.parametrize("name", NAMES)


def words(text: str) -> str:
    """Text with its white space folded."""
    return " ".join(text.split())


@EACH
def test_a_source_says_what_the_course_says(name: str) -> None:
    book, wanted = notebook("source", name), COURSE.assignments[name]
    assert book.metadata.sccbook.assignment == name
    *others, last = wanted.chapters
    chapters = f"chapters {', '.join(others)} and {last}" if others else f"chapter {last}"
    texts, predicted = {cell.id: words(cell.source) for cell in book.cells}, wanted.prediction
    title, asked = texts[book.cells[0].id], texts[[*texts][[*texts].index("prediction") - 1]]
    assert predicted is not None
    assert title.startswith(f"# {wanted.title} An assignment of *{COURSE.title}*.")
    for part in (
        *(f"It follows {chapters}.", f"**Time:** {wanted.minutes} minutes, an estimate."),
        *("**Points:** ", *(f"`{function}` (" for function in wanted.functions)),
    ):
        assert part in title
    for part in (predicted.question, *(f"- **{k}**: {v}" for k, v in predicted.choices.items())):
        assert words(part) in asked
    for key, question in wanted.written.items():
        cell = of_grade_id(book, f"written_{key}")
        assert words(question.question) in words(book.cells[book.cells.index(cell) - 1].source)
        assert cell.source.startswith(f"**Your answer ({key}):**\n\n### BEGIN SOLUTION\n")
        assert all(f"- {words(line)}" in words(cell.source) for line in question.rubric)


@EACH
def test_each_function_is_asked_for_answered_checked_and_then_graded(name: str) -> None:
    book, functions = notebook("source", name), COURSE.assignments[name].functions
    ids = [cell.id for cell in book.cells]
    assert [one for one in ids if one.endswith("-points")] == [f"{one}-points" for one in functions]
    assert {*functions} <= {*EXERCISES}
    for function in functions:
        places = [ids.index(f"{function}-{part}") for part in ("task", "answer", "check", "points")]
        task, answer, check, test = (book.cells[place] for place in places)
        assert places == sorted(places)
        assert check.source == f'check("{function}", {function})'
        assert f'\npoints("{function}", globals(), of=' in test.source
        assert grader(test)["locked"]
        assert grader(answer)["solution"]
        stub = rf'def {function}(\(.*\)):\n    """.*"""\n    ### BEGIN SOLUTION\n.*    ### END SOLUTION'
        arguments = re.fullmatch(stub, answer.source, re.DOTALL)
        asked = re.search(rf"`{function}(\(.*?\))`", task.source, re.DOTALL)
        assert arguments
        assert asked
        assert words(asked[1]) == arguments[1]


@EACH
def test_the_prediction_is_made_before_and_looked_at_after_everything_else(name: str) -> None:
    cells = notebook("source", name).cells
    ids, text = [cell.id for cell in cells], {cell.id: cell.source for cell in cells}
    before = [cell.id for cell in cells[: ids.index("prediction")] if cell.cell_type == "code"]
    assert before == ["id", "imports"]
    assert f'personal_numbers(STUDENT, "{name}")' in text["imports"]
    assert "{prediction!r}" in text["outcome"]
    assert not any(one.endswith("-points") for one in ids[ids.index("outcome") :])


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(NAMES, NAMES[0]))
def test_a_solved_assignment_runs_to_its_end_and_earns_all_points(name: str) -> None:
    wanted = COURSE.assignments[name]
    assert earned(notebook("source", name).cells, wanted) == dict(wanted.functions)


def test_every_assignment_has_numbers_of_a_students_own() -> None:
    assert {*PICKS} == {*NAMES}
