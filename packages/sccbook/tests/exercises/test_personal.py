"""A student's own numbers depend on the id and nothing else."""

import copy
from collections.abc import Callable
from itertools import pairwise

import pytest

from sccbook.checking.personal import PICKS, numbers
from sccbook.exercises.scale_for_total.exercise import total_of

IDS = [f"student{number}" for number in range(300)]
MINE = {"limit": 1.75, "long": 7.0, "short": 0.6, "scale": 0.2, "clip": 0.4, "cap": 0.8}


@pytest.mark.parametrize("written", ["ab123", "AB123", " ab 123\n", "ａｂ１２３"])
def test_numbers_ignore_case_and_spaces_in_an_id(written: str) -> None:
    assert numbers(written, "4_constraining").values == MINE
    assert numbers(4711, "3_clipping") == numbers("4711", "3_clipping")


@pytest.mark.parametrize("assignment", PICKS)
def test_every_value_is_drawn_and_neighbours_differ(assignment: str) -> None:
    drawn = [numbers(student, assignment).values for student in IDS]
    for name, pick in PICKS[assignment].items():
        found = [values[name] if pick.count else (values[name],) for values in drawn]
        assert {len(several) for several in found} == {pick.count or 1}
        assert {value for several in found for value in several} == set(pick.values)
        assert not pick.count or any(len(set(several)) > 1 for several in found)
    assert sum(a != b for a, b in pairwise(drawn)) > 0.95 * (len(IDS) - 1)


@pytest.mark.parametrize("empty", ["", " \n"])
def test_an_empty_id_gives_numbers_with_a_remark(empty: str) -> None:
    assert "Write yours into STUDENT" in repr(numbers(empty, "3_clipping"))
    assert "Write yours" not in repr(numbers("ab123", "3_clipping"))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        *(
            (lambda bad=bad: numbers(bad, "3_clipping"), TypeError, "quotation marks")  # type: ignore[misc]
            for bad in (None, 1.5, True, ["ab123"])
        ),
        (lambda: numbers("ab123", "8_more"), ValueError, r"'8_more'.*'1_the_missing_function'"),
        (
            lambda: copy.deepcopy(numbers("ab123", "3_clipping")).limits,
            AttributeError,
            r"'limits'.*long, short, limit, angle",
        ),
    ],
)
def test_a_wrong_id_or_name_raises_an_error_with_advice(
    call: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()


def test_every_draw_fits_its_assignment() -> None:
    for name in ("3_clipping", "4_constraining"):  # one is cut, and the other is left alone
        values = {key: pick.values for key, pick in PICKS[name].items()}
        assert max(values["short"]) < min(values["limit"])
        assert max(values["limit"]) < min(values["long"])
    ledger = PICKS["5_the_ledger"]
    smallest = min(ledger["gain"].values), min(ledger["steps"].values)
    at_most = total_of(smallest[1], 1.5 * smallest[0])  # the plot ends at s = 1.5
    assert at_most > max(ledger["total"].values)
    assert min(ledger["total"].values) > 1  # what s = 0 gives
    placements = [program % 4 for program in PICKS["6_update_weights"]["program"].values]
    assert placements == [0, 1, 2, 3]
