"""Random JAX programs give in Node what they give by JAX, exact operations bit for bit.

``python -m tests.compiler.fuzz`` in ``packages/explorax`` compares many more. A program that fails is printed whole, as small as Hypothesis
could make it; it goes, with its name, into one of the other files here.
"""

import pytest
from tests.compiler.fuzzing.tally import PART, run_part

ASIDE = 0.02  # the share of calls where JAX itself is not sure
FEW = 5  # as many may be so where there are few calls, which vary with the modules that are loaded
# primitives of the grammar that the compiler refuses, or refuses in some cases
REFUSED = {
    "polygamma": "the derivative of digamma",
    "reduce_precision": "to a width that is none of JavaScript's",
    "shift_right_arithmetic": "of unsigned integers",
}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("seed", "programs"),
    [(0, 40), *(pytest.param(n, PART, marks=pytest.mark.exhaustive) for n in range(1, 10))],
)
def test_random_programs_agree(seed, programs):
    tally = run_part(seed, programs)
    assert not tally.failures, tally.failures[0]
    expected = {"compared", "refused by JAX", *(f"refused: {name}" for name in REFUSED)}
    assert set(tally.programs) <= expected
    assert tally.programs["compared"] >= 0.95 * programs
    assert tally.aside <= max(ASIDE * tally.calls.total(), FEW), tally.calls
