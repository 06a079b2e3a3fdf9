"""Random JAX programs give in Node what they give by JAX, exact operations bit for bit.

``FUZZ_PARTS=400 pytest -n 4 -m exhaustive`` on this file compares 100,000 programs. A program that
fails is printed whole, as small as Hypothesis could make it: it becomes a case beside this file.
"""

import os
from collections import Counter

import jax
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.compiler.fuzzing.check import compare
from tests.compiler.fuzzing.programs import examples

from explorax.compiler import UnsupportedPrimitive, compile

PART = 250  # programs that one run of Hypothesis makes
PARTS = int(os.environ.get("FUZZ_PARTS", "10"))
ASIDE = 0.02  # the share of calls where JAX itself is not sure
FEW = 5  # as many may be so where there are few calls, which vary with the modules that are loaded
# primitives of the grammar that the compiler refuses, or refuses in some cases
REFUSED = {
    "polygamma": "the derivative of digamma",
    "reduce_precision": "to a width that is none of JavaScript's",
    "shift_right_arithmetic": "of unsigned integers",
}


def traces(example):
    """Tell whether JAX alone can trace a program."""
    try:
        jax.make_jaxpr(example.function())(*example.calls[0])
    except (NotImplementedError, TypeError, ValueError):
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "most"),
    [(0, 30), *(pytest.param(n, PART, marks=pytest.mark.exhaustive) for n in range(1, PARTS))],
)
def test_random_programs_agree(number, most, run_in_node):
    programs, calls = Counter(), Counter()

    @seed(number)
    @settings(
        max_examples=most,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(examples())
    def check(example):
        try:
            program = compile(example.function(), *example.calls[0], dtype=example.dtype)
        except UnsupportedPrimitive as error:
            programs[f"refused: {error.primitive}"] += 1
        except (NotImplementedError, TypeError, ValueError) as error:
            # a constant made to fit an array that was converted to the other precision
            if "captures a float" not in str(error) and traces(example):
                raise
            programs["refused by JAX"] += 1
        else:
            calls.update(compare(example, program, run_in_node))
            programs["compared"] += 1

    with jax.enable_x64(True):
        check()
    jax.clear_caches()
    assert set(programs) <= {
        "compared",
        "refused by JAX",
        *(f"refused: {name}" for name in REFUSED),
    }
    assert programs["compared"] >= 0.95 * most
    assert calls.total() - calls["agree"] <= max(ASIDE * calls.total(), FEW), calls
