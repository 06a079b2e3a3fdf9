"""A compiler that is wrong in one place is found out by the programs of the grammar.

Each operation of the table is broken alone, and each kind of statement in many places; what
comes out must be noticed by the comparison that ``test_fuzz.py`` makes.
"""

from collections import defaultdict
from random import Random
from unittest.mock import patch

import jax
import pytest

from explorax.compiler.operations import ROUNDING
from tests.compiler.fuzzing.altered import KINDS, altered
from tests.compiler.fuzzing.corpus import corpus
from tests.compiler.fuzzing.mutants import broken, forms, notices, specimen, used, without
from tests.run_in_node import RunInNode

# what no program of the grammar contains
UNREACHED = {
    "eq_to of *, uint64": "nothing public of JAX brings it in",
    "eq_to of bool": "nothing public of JAX brings it in",
    "eq_to of float": "nothing public of JAX brings it in",
}
PLACES = 60  # where each kind of statement is made wrong
# The least share that must be noticed. Some changes are none: a store of zeros in an array of
# zeros, the last turn of a loop that adds nothing, a sum taken backwards.
SHARES = {
    "a store left out": 0.8,
    "a store in the next place": 0.9,
    "an assignment left out": 0.8,
    "a call left out": 0.9,
    "branches swapped": 0.9,
    "a while loop left at once": 0.6,
    "a loop one turn short": 0.8,
    "a scan backwards": 0.3,
    "a load from the next place": 0.9,
}

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def run():
    with RunInNode(patience=1.0) as running:
        yield running


@pytest.fixture(scope="module")
def specimens(run):
    """Each row of the grammar, compiled; the rounding of float32 shows in some tables."""
    made = []
    with jax.enable_x64(True):
        for name, example in corpus(4):
            if name.endswith("float32") and not name.startswith(("arith", "conv", "redu", "int")):
                continue
            try:
                made.append(specimen(example, run))
            except NotImplementedError:
                continue  # refused by JAX or, as test_fuzz.py counts, by the compiler
        with jax.threefry_partitionable(False):  # JAX's older way to draw
            made += [
                specimen(example, run)
                for name, example in corpus(0)
                if name.startswith("keys") and name.endswith("float64")
            ]
    return made


def test_every_operation_that_is_broken_is_noticed(specimens, run):
    by_form = defaultdict(list)
    for each in specimens:
        for form in used(each.made.module):
            by_form[form].append(each)
    unnoticed = set()
    for name, form in forms().items():
        with without(form, broken(form.text)):
            if not any(notices(each, each.made.module, run) for each in by_form[id(form)]):
                unnoticed.add(name)
    assert unnoticed == set(UNREACHED)


@pytest.mark.parametrize("dtype", ROUNDING)
def test_results_that_are_not_rounded_to_their_dtype_are_noticed(dtype, specimens, run):
    with patch.dict(ROUNDING, {dtype: "{0}"}):
        assert any(notices(each, each.made.module, run) for each in specimens)


@pytest.mark.parametrize("kind", KINDS)
def test_statements_that_are_wrong_are_noticed(kind, specimens, run):
    places = [(each, module) for each in specimens for module in altered(each.made.module, kind)]
    chosen = Random(0).sample(places, min(PLACES, len(places)))
    noticed = sum(notices(each, module, run) for each, module in chosen)
    assert noticed >= SHARES[kind] * len(chosen) > 0
