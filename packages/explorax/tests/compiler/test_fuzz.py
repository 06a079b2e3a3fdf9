"""Random JAX programs give in Node what they give by JAX, exact operations bit for bit.

``make fuzz`` compares many more. A program that fails is printed whole, as small as Hypothesis
could make it; it goes, with its name, into one of the other files here.
"""

import jax
import pytest

from explorax.compiler.substitution import FACTORISATIONS
from tests.compiler.fuzzing.corpus import corpus
from tests.compiler.fuzzing.tally import OUT, PART, Tally, run_part

ASIDE = 0.02  # the share of calls where JAX itself is not sure
FEW = 5  # as many may be so where there are few calls, which vary with the modules that are loaded
# rules that nothing public of JAX brings in by itself
UNREACHED = {
    **dict.fromkeys(FACTORISATIONS, "replaced by JAX functions before; the rule only refuses"),
    "eq_to": "the comparator inside a sort of several keys, which is one primitive",
}
if jax.__version_info__ < (0, 9):
    UNREACHED |= dict.fromkeys(["stack", "tile", "unstack"], "no primitives yet")

pytestmark = pytest.mark.slow


def assert_agrees(tally):
    assert not tally.failures, tally.failures[0]
    assert set(tally.unsupported) <= set(OUT), tally.unsupported
    calls = tally.verdicts.total()
    assert tally.aside * calls <= max(ASIDE * calls, FEW), tally.verdicts
    assert tally.skipped.total() <= tally.programs * 0.05, tally.skipped


@pytest.mark.parametrize(
    ("seed", "programs"),
    [(0, 40), *(pytest.param(n, PART, marks=pytest.mark.exhaustive) for n in range(1, 10))],
)
def test_random_programs_agree(seed, programs):
    tally = run_part(seed, programs)
    assert_agrees(tally)
    assert tally.programs >= programs * 0.95


def agreed(pairs, run):
    """Compare the programs of the corpus."""
    tally = Tally()
    with jax.enable_x64(True):
        for name, example in pairs:
            assert example is not None, f"{name}: no shapes were found"
            tally.take(example, run)
    assert_agrees(tally)
    return tally


@pytest.mark.exhaustive
def test_each_statement_of_the_grammar_agrees_alone_and_every_rule_is_used(run_in_node):
    assert agreed(corpus(), run_in_node).missed(UNREACHED) == []
