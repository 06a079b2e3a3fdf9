"""The form of a chapter's quiz, which is Markdown and so works wherever the chapter is shown.

A quiz is two or three cells tagged ``quiz``, one a question, with the ids ``quiz-1``, ``quiz-2``,
and so on. They follow the exercise and its solution, and are directly before the summary. Each
choice is a fold of HTML that opens to its feedback::

    ## Check yourself

    **1.** The question?

    <details class="choice"><summary>A choice</summary>

    What is mistaken here, and why.

    </details>
    <details class="choice right"><summary>The right choice</summary>

    Yes. Why.

    </details>

A page marks the right choice with a sign; elsewhere "Yes." says it. The heading is in the
first cell alone. A summary is HTML, not Markdown: plain text, with
``<code>``. ``misshapen`` names what differs from this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from sccbook.notebook_form import tags
from tools.rules import Fault

TAG, HEADING, SUMMARY = "quiz", "## Check yourself", "## In three lines"
QUESTIONS, CHOICES = (2, 3), (3, 4)
"""Fewest and most of them."""

CHOICE = re.compile(
    r'<details class="choice(?P<right> right)?"><summary>(?P<text>[^\n]*)</summary>\n\n'
    r"(?P<feedback>(?!\s)(?:(?!</?details).)*?)(?<!\s)\n\n</details>",
    re.DOTALL,
)
QUESTION = re.compile(
    rf"(?:{HEADING}\n\n)?\*\*(?P<number>\d+)\.\*\* \S(?:(?!<details).)*\?(?:(?!<details).)*\n\n"
    rf"(?:{CHOICE.pattern}\n?)+".replace("?P<right>", "")
    .replace("?P<text>", "")
    .replace("?P<feedback>", ""),
    re.DOTALL,
)
FORM = (
    f"it must be {HEADING!r} and an empty line (in the first question's cell alone), '**N.** ', a question "
    "with a question mark, an empty line, and its choices without anything between them: <details "
    'class="choice"><summary>...</summary>, an empty line, feedback without a fold, an empty line, </details>'
)
CODE = re.compile(r"<code>([^<>]*)</code>")
NOT_TEXT = re.compile(r"[`$<>]|\*\*|\]\(")
STRAIGHT = re.compile(r"(?<=[a-z])'")
"""An apostrophe that Markdown would have made a round one."""
RIGHT, RITUAL = "Yes. ", ("Yes", "No. ", "Not this", "Wrong")
"""How the feedback on a right choice begins, where no page shows a sign; and how none on a wrong one does."""


@dataclass(frozen=True)
class Choice:
    """An answer that a question offers: its text as read, its feedback, and whether it is right."""

    text: str
    feedback: str
    right: bool


def choices(source: str) -> list[Choice]:
    """Return the choices of a question, given its cell's source."""
    return [
        Choice(CODE.sub(r"\1", found["text"]), found["feedback"], bool(found["right"]))
        for found in CHOICE.finditer(source)
    ]


def misshapen(notebook: NotebookNode) -> list[Fault]:
    """Return what is wrong with the form of a notebook's quiz; nothing where it has none."""
    cells = list(enumerate(notebook.cells, start=1))
    asked = [(number, cell) for number, cell in cells if TAG in tags(cell)]
    found: list[Fault] = []
    for place, (number, cell) in enumerate(asked, start=1):
        rules = [*_form(cell.source, place)]
        if cell.get("id", "") != f"quiz-{place}":
            rules.append(f"question {place} must have the id 'quiz-{place}'")
        found += [Fault(number, cell.get("id", ""), rule) for rule in rules]
    if asked:
        found += [Fault(0, "", rule) for rule in _place(notebook.cells, [n for n, _ in asked])]
        found += [Fault(0, "", rule) for rule in _variety([choices(c.source) for _, c in asked])]
    return found


def _form(source: str, place: int) -> Iterator[str]:
    """Yield what is wrong within one question."""
    question = QUESTION.fullmatch(source)
    heads = source.startswith(HEADING) == (place == 1)
    if not question or int(question["number"]) != place or not heads or source.endswith("\n"):
        yield FORM
    offered = choices(source)
    if not CHOICES[0] <= len(offered) <= CHOICES[1]:
        yield f"it offers {len(offered)} choices, not {CHOICES[0]} to {CHOICES[1]}"
    if sum(choice.right for choice in offered) != 1:
        yield f"{sum(choice.right for choice in offered)} of its choices are right, not 1"
    if len({choice.text for choice in offered}) != len(offered):
        yield "two of its choices read the same"
    for choice in offered:
        yield from _choice(choice)


def _choice(choice: Choice) -> Iterator[str]:
    if (
        not choice.text.strip()
        or choice.text != choice.text.strip()
        or NOT_TEXT.search(choice.text)
    ):
        yield f"a summary is plain text, with <code> at most, and this is not: {choice.text!r}"
    if STRAIGHT.search(choice.text):
        yield f"an apostrophe in a summary stays as it is written: write ’ in {choice.text!r}"
    if choice.right and not choice.feedback.startswith(RIGHT):
        yield f"the feedback on {choice.text!r} must begin with 'Yes.' and go on"
    if not choice.right and choice.feedback.startswith(RITUAL):
        yield f"the feedback on {choice.text!r} must begin with what is mistaken, and no ritual word"


def _place(cells: Sequence[NotebookNode], numbers: Sequence[int]) -> Iterator[str]:
    """Yield what is wrong with the place and the number of the questions."""
    if not QUESTIONS[0] <= len(numbers) <= QUESTIONS[1]:
        yield f"its quiz has {len(numbers)} questions, not {QUESTIONS[0]} to {QUESTIONS[1]}"
    if numbers[-1] - numbers[0] != len(numbers) - 1:
        yield "the cells of its quiz do not follow one another"
    after = cells[numbers[-1]].source if numbers[-1] < len(cells) else ""
    if not after.startswith(SUMMARY):
        yield f"its quiz must be directly before {SUMMARY!r}"


def _variety(quiz: Sequence[Sequence[Choice]]) -> Iterator[str]:
    """Yield how a reader could find the right choices without reading them."""
    right = [[choice.right for choice in offered] for offered in quiz]
    few = len(quiz) < QUESTIONS[0] or any(len(marks) < CHOICES[0] for marks in right)
    if few or any(sum(marks) != 1 for marks in right):
        return  # reported already
    if len({marks.index(True) for marks in right}) == 1:
        yield "the right choice is in the same place in every question of its quiz"
    lengths = [sorted((len(choice.text), choice.right) for choice in offered) for offered in quiz]
    if all(last[1] and last[0] > other[0] for *_, other, last in lengths):
        yield "the right choice is the longest one in every question of its quiz"
