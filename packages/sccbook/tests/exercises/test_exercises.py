"""What every exercise promises, tested with its bank of answers (see ``banks.py``)."""

import json
import re
from collections import Counter
from importlib import import_module

import jax
import numpy as np
import pytest
from tests.exercises.banks import (
    EACH_BANK,
    EACH_RUN,
    bank,
    compiles,
    has_x64,
    same,
    seen_of_the_right_answer,
)
from tests.exercises.trivial import raises

from sccbook.checking.comparisons import ALWAYS
from sccbook.checking.forms import leaves
from sccbook.checking.plain_data import decode, encode, to_plain_data
from sccbook.checking.probes import PROBES, Observation, Observations, observe
from sccbook.exercises import check
from sccbook.exercises.catalogue import EXERCISES

EACH = pytest.mark.parametrize("name", EXERCISES)
OTHER_WIDTH = pytest.param(False, marks=pytest.mark.exhaustive, id="in the other width")
EACH_WIDTH = pytest.mark.parametrize("usual", [pytest.param(True, id="as it is set"), OTHER_WIDTH])
EACH_STEP = pytest.mark.parametrize(
    "step", [5, pytest.param(1, marks=pytest.mark.exhaustive)], ids=["every fifth", "every one"]
)
"""Of the answers in a bank, where JAX compiles them."""
FORMAL = {
    *("passed", "wrong", "raises", "not_callable", "shape_changed", "structure_changed"),
    *("not_attempted", "returns_none", "returns_other"),
}
"""Findings that say nothing of the answer itself."""
OF_64_BITS = {"dtype_changed", "only_the_dtype"}


def misconceptions(name):
    module = import_module(f"sccbook.exercises.{name}.exercise")
    return getattr(module, "MISCONCEPTIONS", getattr(module, "FLAWS", ()))


def sent(value):
    """Plain data after a way through JSON."""
    return decode(json.loads(json.dumps(encode(value))))


@pytest.mark.slow
@EACH_WIDTH
@EACH_BANK
def test_each_wrong_answer_gets_its_own_finding_and_credit(name, usual):
    findings = {}
    wrong = [(f, n, a) for f, some in bank(name).WRONG.items() for n, a in enumerate(some)]
    with jax.enable_x64(has_x64(name) == usual):
        for finding, number, answer in wrong:
            if finding in OF_64_BITS and not jax.config.jax_enable_x64:
                continue
            result = check(name, answer)
            assert result.finding == finding, f"{finding} {number}: {result}"
            assert not result
            assert repr(result).startswith("Not yet: ")
            assert result.credit == EXERCISES[name].partial.get(finding, 0.0) < 1
            assert findings.setdefault(result.message, finding) == finding
            said, _, _ = result.message.partition("raised")  # then come the answer's own words
            assert not re.search(getattr(bank(name), "SOLUTION", "(?!)"), said), result
            assert not re.search("[.?!] for ", said)  # sentences begin with a capital


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EXERCISES if hasattr(bank(name), "IN_PART")])
def test_a_mistake_that_explains_most_errors_is_named_and_earns_nothing(name):
    for finding, answers in getattr(bank(name), "IN_PART", {}).items():
        for answer in answers:
            result = check(name, answer)
            assert result.finding == finding
            assert "like this: " in result.message
            assert result.credit == 0


@pytest.mark.slow
@EACH_STEP
@EACH_WIDTH
@EACH_RUN
def test_each_right_answer_passes_however_it_is_written(name, usual, step):
    answers = list(bank(name).RIGHT.items())
    with jax.enable_x64(has_x64(name) == usual):
        for words, answer in answers[:: step if compiles(name) else 1]:
            result = check(name, answer)
            assert result, f"{words}: {result}"
            assert result.credit == 1
            assert repr(result).startswith("Passed: ")


OF_FORMULAS = {"clip_by_global_norm", "clip_gradient_norm", "find_the_line", "name_the_clip"}
"""The exercises whose own answers can't be called as a reader's are: their banks have the wrong answers."""
ALSO = {
    "clip_by_global_norm": {
        ("short_ones_change", "passed")
    },  # an epsilon that is too small to show
    "conclude": {
        *(
            ("size_ignored", "unpaired"),
            ("unpaired", "open_is_small"),
            ("unpaired", "size_ignored"),
        ),
        *(("seeds_counted", also) for also in ("unpaired", "mean_alone", "overlap")),
    },
    "ledger_coefficients": {
        *(("one_root_off", also) for also in ("root_one_too_many", "every_input_is_after_heads")),
        ("one_placement_off", "before_is_after"),
    },
    "read_the_updates": {
        *(("rate_assumed", "optimizer_by_the_spike"), ("short_is_clipped", "memory_overlooked")),
    },
    "step_at_scale": {("sum", "always_limit")},
}
"""Mistakes of which an own answer is found by another name: it does the same in all cases."""


@EACH_BANK
def test_a_misconceptions_own_answers_are_found_by_its_name(name):
    """They're run as a reader's answers are: in JAX's arrays and the usual width."""
    exercise, pairs = EXERCISES[name], set()
    mistakes = getattr(exercise.judge, "misconceptions", ())
    with jax.enable_x64(has_x64(name)), np.errstate(all="ignore"):
        for mistake, answer in ((m, answer) for m in mistakes for answer in m.answers):
            finding = exercise.examine(answer)
            if name in OF_FORMULAS:
                seen = [exercise.judge.observe(answer, case) for case in exercise.cases]
                finding = exercise.judge(Observations(tuple(map(Observation, seen))))
            pairs.add((mistake.name, finding.name))
            assert not re.search(getattr(bank(name), "SOLUTION", "(?!)"), finding.message)
    own = {(mistake.name, mistake.name) for mistake in mistakes}
    assert pairs == own | ALSO.get(name, set())


@EACH
def test_every_name_is_right_in_two_cases_and_no_words_give_it_away(name):
    cases, right = EXERCISES[name].cases, getattr(EXERCISES[name].judge, "right", None)
    said = [EXERCISES[name].judge.observe(right, case) for case in cases] if right else [None]
    if any(isinstance(leaf, str) for leaf in leaves(said)):
        for place, names in enumerate(
            zip(*said, strict=True) if type(said[0]) is tuple else [said]
        ):
            assert min(Counter(names).values()) >= 2, place
        same = [m for m in EXERCISES[name].judge.misconceptions if m.name == ALWAYS]
        assert type(said[0]) is tuple or len({*said}) == len(same)  # one for each name
        words = " ".join(case.words for case in cases)
        assert name == "name_the_placement" or not {*leaves(said)} & {*re.findall(r"\w+", words)}


@EACH
def test_every_flaw_has_a_wrong_answer_and_messages_are_unique(name):
    names = {}
    compared = getattr(EXERCISES[name].judge, "misconceptions", ())
    for misconception in misconceptions(name):
        assert misconception in compared or misconception.name in bank(name).WRONG
        assert names.setdefault(misconception.message, misconception.name) == misconception.name
        assert misconception.message.endswith((".", "?"))
        assert "  " not in misconception.message


@EACH
def test_partial_credit_belongs_to_known_mistakes(name):
    partial = EXERCISES[name].partial
    known = {misconception.name for misconception in misconceptions(name)}
    assert partial.keys() <= (bank(name).WRONG.keys() | known) - FORMAL
    assert all(0 < part < 1 for part in partial.values())


@EACH
def test_exercises_are_named_after_their_files_and_case_words_are_unique(name):
    exercise = EXERCISES[name]
    assert exercise.name == name
    assert exercise.probe in PROBES
    assert len({case.words for case in exercise.cases}) == len(exercise.cases) >= 2


@EACH
def test_case_arguments_survive_encoding(name):
    for case in EXERCISES[name].cases:
        assert same(to_plain_data(case.arguments), case.arguments)
        assert same(sent(case.arguments), case.arguments)


@EACH_RUN
def test_a_judge_gives_the_same_finding_for_decoded_observations(name):
    exercise = EXERCISES[name]
    observations = [
        Observations(seen_of_the_right_answer(name)),
        *(observe(exercise.probe, answer, [case.arguments for case in exercise.cases])
          for answer in (None, raises)),
    ]  # fmt: skip
    for seen in observations:
        arrived = Observations(
            tuple(Observation(sent(run.value), sent(run.error)) for run in seen.seen),
            sent(seen.kind),
        )
        assert exercise.judge(arrived) == exercise.judge(seen)
    assert exercise.judge(observations[0]).passed


def _ellipsis(*_): ...


def _described(*_):
    """Return the answer."""


def _no_return(*_):
    print(end="")


@EACH
def test_a_stub_is_not_attempted_and_a_missing_return_is_reported(name):
    for answer in (_ellipsis, _described, raises, lambda *_: None):
        assert check(name, answer).finding == "not_attempted"
    assert check(name, _no_return).finding == "returns_none"


@EACH_RUN
def test_every_exercise_survives_answers_of_any_kind(name):
    for answer in (None, 3, "x", [], object(), lambda: None, lambda *a: a, type):
        result = check(name, answer)
        assert not result.passed
        assert result.message
