"""Each departure from the form of a quiz is reported."""

from __future__ import annotations

from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from tools.quizzes import FORM, misshapen


def fold(text: str, feedback: str = "", *, right: bool = False) -> str:
    kind = "choice right" if right else "choice"
    feedback = feedback or ("Yes. Because." if right else "Because not.")
    return f'<details class="{kind}"><summary>{text}</summary>\n\n{feedback}\n\n</details>'


def question(number: int, right_at: int, *, longest: bool = False) -> str:
    texts = [f"choice {n}" for n in range(3)]
    if longest:
        texts[right_at] += ", which is longer"
    folds = [fold(text, right=place == right_at) for place, text in enumerate(texts)]
    return "\n".join([f"**{number}.** What is it?\n", *folds])


GOOD = ["## Check yourself\n\n" + question(1, 0), question(2, 2)]
LONGEST = "## Check yourself\n\n" + question(1, 0, longest=True)


def notebook(*sources: str, end: str = "## In three lines\n\n1. One.") -> NotebookNode:
    cells = [new_markdown_cell("# A chapter", id="title"), new_code_cell("pass", id="code")]
    for place, source in enumerate(sources, start=1):
        tagged: Any = {"tags": ["quiz"]}
        cells.append(new_markdown_cell(source, id=f"quiz-{place}", metadata=tagged))
    return NotebookNode(cells=[*cells, new_markdown_cell(end, id="summary")])


def complaints(found: NotebookNode) -> list[str]:
    return [str(fault) for fault in misshapen(found)]


def test_a_quiz_in_its_form_is_accepted() -> None:
    first = GOOD[0].replace("What is it?", "At $s = 1$:\n\n```python\nx = 1\n```\n\nwhat is it?")
    first = first.replace("choice 1", "<code>x</code> &lt; Adam’s ½")
    first = first.replace("Because.", "At $s = 0$ it is `x`.\n\n- So.")
    for questions in (GOOD, [*GOOD, question(3, 2)], [first, GOOD[1]], []):
        assert complaints(notebook(*questions)) == []  # an assignment has none


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("## Check yourself\n\n", "", FORM),
        ("## Check yourself", "## Your turn", FORM),
        ("**1.** ", "**2.** ", FORM),
        ("**1.** ", "1. ", FORM),
        ("it?\n\n", "it?\n", FORM),
        ("What is it?", "Say what it is.", FORM),
        ('"choice right"', '"choice"', "0 of its choices are right, not 1"),
        ('"choice"', '"choice right"', "3 of its choices are right, not 1"),
        ('"choice"', '"choice wrong"', FORM),
        ('"choice"', '"choice" open', FORM),
        ("</summary>\n\n", "</summary>\n", FORM),
        ("\n\n</details>", "\n</details>", FORM),
        ("</details>\n<details", "</details>\n\n<details", FORM),
        ("</details>\n<details", "</details>\n\nOr:\n\n<details", FORM),
        ("choice 1", "choice 2", "two of its choices read the same"),
        ("choice 1", "$s$", "plain text"),
        ("choice 1", "`x`", "plain text"),
        ("choice 1", "<b>x</b>", "plain text"),
        ("choice 1", "<code>x", "plain text"),
        ("choice 1", " x", "plain text"),
        ("choice 1", "", "plain text"),
        ("choice 1", "Adam's", "write ’"),
        ("Because not.", "Not this. Because not.", "no ritual word"),
        ("Because not.", "Yes. Because.", "no ritual word"),
        ("Yes. Because.", "Right. Because.", "must begin with 'Yes.'"),
        ("Because not.", "A.\n\n<details><summary>b</summary>c", FORM),
    ],
)
def test_a_question_out_of_form_is_reported(old: str, new: str, complaint: str) -> None:
    assert old in GOOD[0]
    found = complaints(notebook(GOOD[0].replace(old, new), GOOD[1]))
    assert any(
        complaint in problem and problem.startswith("cell 3 (quiz-1)") for problem in found
    ), found


OFFERS, HAS = (
    "cell 3 (quiz-1): it offers {} choices, not 3 to 4",
    "its quiz has {} questions, not 2 to 3",
)
FOUR = f"{GOOD[0]}\n{fold('another')}"


@pytest.mark.parametrize(
    ("questions", "complaint"),
    [
        ([FOUR, GOOD[1]], ""),
        ([f"{FOUR}\n{fold('one more')}", GOOD[1]], OFFERS.format(5)),
        ([GOOD[0].replace("\n" + fold("choice 2"), ""), GOOD[1]], OFFERS.format(2)),
        ([GOOD[0]], HAS.format(1)),
        ([*GOOD, question(3, 1), question(4, 1)], HAS.format(4)),
        ([GOOD[0], GOOD[0].replace("**1.**", "**2.**")], f"cell 4 (quiz-2): {FORM}"),
        ([GOOD[0], question(2, 0)], "in the same place in every question"),
        ([LONGEST, question(2, 2, longest=True)], "the longest one in every question"),
        ([LONGEST, question(2, 2)], ""),
    ],
)
def test_questions_and_choices_are_counted_and_their_places_and_lengths_differ(
    questions: list[str], complaint: str
) -> None:
    found = complaints(notebook(*questions))
    assert complaint in "".join(found)
    assert bool(found) == bool(complaint)


def test_a_quiz_is_in_one_piece_before_the_summary_and_its_ids_count_the_questions() -> None:
    (found,) = complaints(notebook(*GOOD, end="## Sources"))
    assert "directly before '## In three lines'" in found
    parted = notebook(*GOOD)
    parted.cells[2].id = "first"
    parted.cells.insert(3, new_code_cell("pass", id="between"))
    name, place = complaints(parted)
    assert name == "cell 3 (first): question 1 must have the id 'quiz-1'"
    assert "do not follow one another" in place
