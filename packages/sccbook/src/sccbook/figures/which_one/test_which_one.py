"""From a symptom to a remedy: every path has its words, and its kind is what the sentence says."""

import numpy as np
import pytest

from sccbook.figures import WhichOne
from sccbook.figures.which_one.figure import KIND_OF, KINDS, NAMES, NONE, ROWS, SYMPTOMS

SAYS = ("first", "second", "third")
WIDEST = {"symptom": 21, "record": 31, "remedy": 31}
"""Letters that a line has room for in its box."""


def test_each_symptom_has_three_records_and_no_path_is_told_twice():
    rows = [row for _, rows in SYMPTOMS.values() for row in rows]
    assert [len(rows) for _, rows in SYMPTOMS.values()] == [ROWS] * len(NAMES)
    assert (
        len({row.sentence for row in rows}) == len({row.record for row in rows}) == len(rows) == 18
    )


@pytest.mark.parametrize("symptom", NAMES)
def test_the_sentence_is_that_of_the_path(symptom):
    _, rows = SYMPTOMS[symptom]
    for says, row in zip(SAYS, rows, strict=True):
        assert WhichOne(symptom=symptom, says=says).sentence == row.sentence


def test_half_of_the_records_need_none_of_the_three():
    value = WhichOne().value
    assert value["none"] == np.sum(KIND_OF == NONE) == 9
    assert value["counts"].tolist() == [np.sum(kind == KIND_OF) for kind in range(len(KINDS))]
    assert all(1 <= np.sum(kinds == NONE) <= 3 for kinds in KIND_OF)
    # the symptom never decides alone, but for NaN, which none of the three mends
    assert all(len(set(kinds)) > 1 for kinds in KIND_OF[1:])


def test_lines_have_room_in_their_boxes():
    for lines, rows in SYMPTOMS.values():
        assert all(len(line) <= WIDEST["symptom"] for line in lines)
        for row in rows:
            assert all(len(line) <= WIDEST["record"] for line in row.record)
            assert all(len(line) <= WIDEST["remedy"] for line in row.remedy)
            assert max(len(row.record), len(row.remedy)) <= 2
