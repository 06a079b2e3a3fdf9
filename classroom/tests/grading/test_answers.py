"""What a sandbox sends is read as plain data, or as an error of the submission."""

from __future__ import annotations

from typing import Any

import pytest
from gradlab_classroom.grading.answers import (
    Question,
    read_answer,
    read_notes,
    read_variables,
    text,
)

from gradlab.exercises.checking.probes import Observation, Observations

TWO = Question("f", "returned", [(1,), (2,)])
UNREADABLE = Observation(error="the answer came in no form that can be read")


def test_what_was_seen_is_read() -> None:
    sent = {"kind": None, "seen": [{"value": {"tuple": [1, 2.5]}}, {"error": "ValueError: no"}]}
    assert read_answer(sent, TWO) == Observations(
        (Observation((1, 2.5)), Observation(error="ValueError: no"))
    )


def test_no_function_is_none() -> None:
    assert read_answer(None, TWO) is None


def test_of_more_than_was_asked_the_first_counts() -> None:
    sent = {"seen": [{"value": number} for number in range(5)]}
    assert read_answer(sent, TWO) == Observations((Observation(0), Observation(1)))


@pytest.mark.parametrize(
    "sent",
    [3, "text", [], {}, {"seen": 3}, {"seen": []}, {"seen": [{"value": 1}]}, {"passed": True}],
)
def test_what_has_not_the_form_of_an_answer_is_an_error(sent: Any) -> None:
    assert read_answer(sent, TWO) == Observations((UNREADABLE, UNREADABLE))


@pytest.mark.parametrize("one", [3, None, [], {}, {"error": 3}, {"passed": True}])
def test_what_has_not_the_form_of_one_run_is_an_error(one: Any) -> None:
    assert read_answer({"seen": [one, {"value": 1}]}, TWO) == Observations(
        (UNREADABLE, Observation(1))
    )


def test_what_is_no_plain_data_is_an_error() -> None:
    answered = read_answer({"seen": [{"value": {"pickle": "gA=="}}, {"value": 1}]}, TWO)
    assert answered is not None
    assert answered.seen[0].error == "NotPlain: it is not in the form of plain data"


def test_variables_that_are_no_plain_data_are_left_out() -> None:
    sent = {"a": 1, "b": {"pickle": ""}, "not asked for": 2}
    assert read_variables(sent, ["a", "b", "c"]) == {"a": 1}
    assert read_variables(3, ["a"]) == {}


def test_notes_are_texts() -> None:
    assert read_notes(["one", 3, None]) == ["one"]
    assert read_notes("text") == []


def test_a_text_is_one_short_line_that_no_terminal_obeys() -> None:
    assert text("a\n\x1b[31mb\x00") == "a  [31mb"
    assert len(text("x" * 10_000)) == 300
