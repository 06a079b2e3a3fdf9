"""Each departure from the form of a chapter is reported, and its reading time is measured."""

from __future__ import annotations

from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tools.frame import minutes_of, unframed

OBJECTIVES = "- say what it does;\n- write it,\n  and say when.\n"
OPENING = (
    "# Title\n\n**What does `f` do?**\n\n"
    '<details class="objectives"><summary>What you will learn, what you need · {} minutes</summary>\n\n'
    f"After this chapter you can\n\n{OBJECTIVES}\n**You need** NumPy.\n\n</details>"
)
PLOT = new_output("display_data", data={"text/plain": "<Figure size 640x480 with 1 Axes>"})


def prose(text: str, *tags: str) -> Any:
    return new_markdown_cell(text, id="prose", metadata={"tags": list(tags)})


def code(source: str, *tags: str, printed: str = "", outputs: tuple[Any, ...] = ()) -> Any:
    stream = (new_output("stream", name="stdout", text=printed),) if printed else ()
    return new_code_cell(
        source, id="code", metadata={"tags": list(tags)}, outputs=[*stream, *outputs]
    )


FIGURE = code("import jax\nfigure()", "figure", printed="The state, in words.")


def chapter(*cells: Any, opening: str = "", minutes: int = 5) -> NotebookNode:
    return NotebookNode(cells=[prose(opening or OPENING.format(minutes)), FIGURE, *cells])


def rules(*cells: Any, **opening: Any) -> list[str]:
    """What is wrong with a chapter, but for its time."""
    found = [str(fault) for fault in unframed(chapter(*cells, **opening))]
    return [rule for rule in found if "are measured" not in rule]


SOUND = (
    code("import numpy as np", "set-up"),
    prose("A claim of $x$.\n\n- a list"),
    code("assert True", "check"),
    code("assert True", "check"),
    code("print(1)", printed="1\n"),
    code("assert True", "check"),
    code("plt.show()", "plot", outputs=(PLOT,)),
    code("assert True", "check"),
    code("def mine(x):\n    assert x", "exercise"),
    code("def worked(x):\n    assert x", "solution"),
    prose("**1.** Is it?", "quiz"),
    prose("0.65 of them", "cited: 0.65 from table 2"),
)


def test_a_chapter_of_the_form_has_no_fault_and_begins_with_its_figure_or_an_answer_and_the_figure() -> (
    None
):
    assert rules(*SOUND) == []
    answer = prose("> **It does.** Because.")
    answered = NotebookNode(cells=[prose(OPENING.format(5)), answer, FIGURE, *SOUND])
    assert [fault.rule for fault in unframed(answered) if "are measured" not in fault.rule] == []
    for more in ([code("import jax")], [], [answer], [answer, code("import jax")]):
        found = unframed(NotebookNode(cells=[prose(OPENING.format(5)), *more]))
        assert found[-1].rule.startswith("the second cell must be the figure, tagged 'figure'")


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        (code("x = 1\nassert x"), "it asserts: put 'assert' into a cell after it"),
        (code("for x in y:\n    assert x", "set-up"), "it asserts"),
        (code("x = 1", "check"), "it is tagged 'check' and asserts nothing"),
        (prose("words", "check"), "it is tagged 'check' and asserts nothing"),
        (code("assert print(1) is None", "check", printed="1\n"), "'check' and has an output"),
        (code("x = " + "1" * 77), "its code has a line of 81 characters, and 80 are the most"),
        (code("assert " + "1" * 74, "check"), "its code has a line of 81 characters"),
        (prose("```python\nx = " + "1" * 77 + "\n```"), "its code has a line of 81 characters"),
        (code("print('x' * 81)", printed="x" * 81), "its output has a line of 81 characters"),
        (code("figure = 1", "figure"), "it is tagged 'figure' and shows none"),
        (code("plt.show()", outputs=(PLOT,)), "it draws a plot: tag it 'plot'"),
        (code("x = 1", "plot"), "it is tagged 'plot' and draws none"),
        (code("import numpy", "setup"), "its tag 'setup' is none of check,"),
        (prose("0.65", "cite: 0.65 from the paper"), "its tag 'cite: 0.65 from the paper' is none"),
    ],
)
def test_what_breaks_the_form_is_reported_with_its_cell(cell: Any, rule: str) -> None:
    (found,) = rules(*SOUND, cell)
    assert found.startswith("cell 15 (")
    assert rule in found


def test_a_check_follows_the_words_that_it_proves() -> None:
    check = code("assert True", "check")
    (found,) = rules(prose("Some words.\n\n## A heading"), check)
    assert "cell 4 (code): it is below a heading" in found
    assert rules(prose("## A heading\n\nSome words."), check, check) == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("**What does `f` do?**", "What does `f` do?", "the first cell must be '# Title'"),
        ("do?**", "do.**", "the bold line must be a question, and is 'What does `f` do.'"),
        ("After this chapter you can\n\n", "", "the first cell must be '# Title'"),
        ("**You need** NumPy.\n\n", "", "the first cell must be '# Title'"),
        ("5 minutes", "five minutes", "the first cell must be '# Title'"),
        (OBJECTIVES, "- One.\n", "it has 1 objectives, not 2 to 4"),
        (OBJECTIVES, "- One.\n" * 5, "it has 5 objectives, not 2 to 4"),
        ("</details>", "</details>\n\nMore.", "the first cell must be '# Title'"),
    ],
)
def test_an_opening_of_another_form_is_reported(old: str, new: str, rule: str) -> None:
    (found,) = rules(*SOUND, opening=OPENING.format(5).replace(old, new))
    assert found.startswith("cell 1 (prose): ")
    assert rule in found


TABS = "```python\na\n```\n\n```python\na\nb\nc\n```"
UNSEEN = ("set-up", "figure", "plot", "check", "solution")


@pytest.mark.parametrize(
    ("cells", "taken"),
    [
        ([prose("word " * 400)], 2),
        ([code("x = 1\n\ny = 2\nz = 3")], 1),
        ([prose("```python\nx = 1\ny = 2\nz = 3\n```")], 1),
        ([prose(TABS)], 4 / 3),
        ([prose(TABS, "tabs")], 1),  # the longest alone
        ([code("x = 1\n" * 12, tag) for tag in UNSEEN], 0),
        ([code("x = 1", "exercise")] * 2, 10),
        ([prose("it's a well-known *fact*, 1.67 of 2")], 7 / 200),
        ([prose("a [link](https://example.org/a/b/c) of two words")], 5 / 200),
        ([prose(r"a formula $\frac{1}{2} + x$ is read as one")], 7 / 200),
        ([prose("$$\nx = 1\n$$")], 1 / 200),
        ([prose("<details><summary>two words</summary>\n\nmore\n\n</details>")], 3 / 200),
        ([prose("| a | b |\n|---|:-:|\n| c | d |")], 4 / 200),
        ([prose("## Sources\n\n- Author, *title*")], 0),
    ],
)
def test_time_counts_words_that_are_read_visible_code_and_the_exercise(
    cells: list[Any], taken: float
) -> None:
    assert minutes_of(chapter(*cells)) - minutes_of(chapter()) == pytest.approx(taken)


def test_a_time_that_is_a_fifth_off_is_refused_with_the_right_one() -> None:
    long = prose("word " * 6_000 + ".")  # half an hour, and the opening
    assert unframed(chapter(long, minutes=30)) == []
    assert unframed(chapter(long, minutes=35)) == []
    for wrong in (20, 45):
        (fault,) = unframed(chapter(long, minutes=wrong))
        assert fault.cell == 1
        assert f"it says {wrong} minutes, and 30 are measured: write 30" in fault.rule
    assert unframed(chapter(minutes=5)) == []  # the shortest that is said
    assert len(unframed(chapter(minutes=6))) == 1
