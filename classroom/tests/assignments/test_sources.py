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
def test_the_title_says_what_the_assignment_is_and_how_long_it_takes(name: str) -> None:
    book, wanted = notebook("source", name), COURSE.assignments[name]
    assert book.metadata.sccbook.assignment == name
    *others, last = wanted.chapters
    chapters = f"chapters {', '.join(others)} and {last}" if others else f"chapter {last}"
    title = words(book.cells[0].source)
    assert title.startswith(f"# {wanted.title} An assignment of *{COURSE.title}*.")
    assert f"It follows {chapters}." in title
    assert f"**Time:** {wanted.minutes} minutes, an estimate." in title
    assert "**Points:** " in title
    assert all(f"`{function}` (" in title for function in wanted.functions)


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
    book, wanted = notebook("source", name), COURSE.assignments[name].prediction
    assert wanted is not None
    ids = [cell.id for cell in book.cells]
    place = ids.index("prediction")
    text = words(book.cells[place - 1].source)
    assert words(wanted.question) in text
    for letter, choice in wanted.choices.items():
        assert f"- **{letter}**: {words(choice)}" in text
    before = [cell.id for cell in book.cells[:place] if cell.cell_type == "code"]
    assert before == ["id", "imports"]
    assert f'personal_numbers(STUDENT, "{name}")' in book.cells[ids.index("imports")].source
    assert "{prediction!r}" in book.cells[ids.index("outcome")].source
    assert [one for one in ids[ids.index("outcome") :] if one.endswith("-points")] == []


@EACH
def test_the_question_in_words_and_its_rubric_stand_in_the_source(name: str) -> None:
    book = notebook("source", name)
    for key, wanted in COURSE.assignments[name].written.items():
        cell = of_grade_id(book, f"written_{key}")
        assert words(wanted.question) in words(book.cells[book.cells.index(cell) - 1].source)
        assert cell.source.startswith(f"**Your answer ({key}):**\n\n### BEGIN SOLUTION\n")
        rubric = words(cell.source)
        for line in wanted.rubric:
            assert f"- {words(line)}" in rubric


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(NAMES, NAMES[0]))
def test_a_solved_assignment_runs_to_its_end_and_earns_all_points(name: str) -> None:
    wanted = COURSE.assignments[name]
    assert earned(notebook("source", name).cells, wanted) == dict(wanted.functions)


def test_every_assignment_has_numbers_of_a_students_own() -> None:
    assert {*PICKS} == {*NAMES}
