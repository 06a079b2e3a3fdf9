"""Other numbers for an exercise: a question of one result, judged like a function."""

from ast import literal_eval

import pytest
from tests.exercises.banks import bank

from sccbook.checking.descriptions import show
from sccbook.exercises import check, variant
from sccbook.exercises.catalogue import EXERCISES


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in EXERCISES if getattr(EXERCISES[name].judge, "draw", None)]
)
def test_four_figures_are_enough_and_mistakes_are_named(name):
    right = next(iter(bank(name).RIGHT.values()))
    mistakes = getattr(EXERCISES[name].judge, "misconceptions", ())
    known, findings = {mistake.name for mistake in mistakes}, set()
    for seed in range(12):
        numbers = variant(name, seed).numbers.values()
        assert check(name, literal_eval(show(right(*numbers))), seed=seed)
        assert check(name, right, seed=seed)
        findings |= {
            check(name, answer(*numbers), seed=seed).finding
            for mistake in mistakes
            for answer in mistake.answers
        }
    assert findings <= known | {"passed", "wrong"}
    assert len(findings & known) >= 0.9 * len(known)


def test_an_exercise_of_names_has_no_other_numbers():
    with pytest.raises(ValueError, match=r"'conclude' has no other numbers\. Leave out the seed"):
        check("conclude", "small", seed=1)
