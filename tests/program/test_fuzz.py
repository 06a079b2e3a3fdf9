"""Random JAX programs give in Node what they give by JAX, primitive by primitive.

``make fuzz`` compares many more. A program that fails is printed whole, as small as Hypothesis
could make it; it goes, with its name, into one of the other files here.
"""

from random import Random

import jax
import numpy as np
import pytest

from tests.program.fuzzing.check import same
from tests.program.fuzzing.corpus import corpus
from tests.program.fuzzing.oracle import EXACT, Oracle
from tests.program.fuzzing.padded import ELEMENTWISE
from tests.program.fuzzing.programs import Example, make_argument, write_program
from tests.program.fuzzing.tally import OUT, Tally, close, judge, missed, one, run_part

PARTS, PROGRAMS = 4, 500  # 2,000 programs
ASIDE = 0.02  # the share of calls where JAX itself is not sure
# rules that nothing public of JAX brings in by itself
UNREACHED = {
    "eq_to": "the comparator inside a sort of several keys, which is one primitive",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _end_node():
    yield
    close()


@pytest.mark.parametrize("part", range(PARTS))
def test_random_programs_agree(part):
    tally = run_part(part, PROGRAMS)
    assert not tally.failures, tally.failures[0]
    assert tally.programs >= PROGRAMS * 0.95
    assert set(tally.unsupported) <= set(OUT), tally.unsupported
    assert tally.aside <= ASIDE, tally.verdicts
    assert tally.skipped.total() <= PROGRAMS * 0.03, tally.skipped


def test_each_statement_of_the_grammar_agrees_alone_and_every_rule_is_used():
    tally = Tally()
    judge().oracle.seen = tally.primitives
    unfit = []
    with jax.enable_x64(True):
        for name, example in corpus():
            if example is None:
                unfit.append(name)
            else:
                one(example, judge(), tally)
    assert unfit == []
    assert missed(tally, UNREACHED) == []
    assert set(tally.unsupported) <= set(OUT), tally.unsupported
    assert tally.aside <= ASIDE, tally.verdicts


def test_a_loop_of_constants_is_rounded_as_jax_compiles_it():
    """XLA may multiply and add in one rounding: -0.488 is one bit off where each is rounded."""
    source = """def program(x0):
    loss = lambda w: jnp.sum(w * 2.0) + jnp.sum(w ** 2)
    tx = optax.sgd(0.1)
    def step(state, _):
        w, s = state
        value, slope = jax.value_and_grad(loss)(w)
        update, s = tx.update(slope, s, w)
        return (optax.apply_updates(w, update), s), value
    start = jnp.zeros(2)
    (w, _), losses = lax.scan(step, (start, tx.init(start)), None, length=3)
    return jnp.floor(x0), w, losses
"""
    example = Example(source, ((np.zeros(2),),), "float64", ())
    tally = Tally()
    with jax.enable_x64(True):
        one(example, judge(), tally)
    assert not tally.failures, tally.failures[0]
    assert tally.verdicts == {"agree": 1}


class Both(Oracle):
    """Runs each primitive a second time by JAX alone, at its own shape."""

    def primitive(self, equation, values):
        results = super().primitive(equation, values)
        self.plain = True
        expected = super().primitive(equation, values)
        self.plain = False
        name = equation.primitive.name
        for given, wanted in zip(results, expected, strict=True):
            if isinstance(given, np.ndarray):
                assert (given.shape, given.dtype) == (wanted.shape, wanted.dtype), equation
                exact = name in EXACT and name not in ELEMENTWISE - {"div"}
                tolerance = 1e-13 if given.dtype == np.float64 else 1e-5
                assert same(given.reshape(-1), wanted.reshape(-1), exact, tolerance), equation
        return results


def test_what_the_oracle_does_in_numpy_or_at_other_shapes_is_what_jax_does():
    compared = 0
    oracle = Both()
    with jax.enable_x64(True):
        for seed in range(25):
            text, source = write_program(Random(seed).randrange)
            random = np.random.default_rng(seed)
            call = tuple(make_argument(v, "plain", random) for v in text.inputs)
            example = Example(source, (call,), text.float, ())
            oracle.run(jax.make_jaxpr(example.function())(*call), call)
            compared += 1
    assert compared == 25
    assert len(oracle.seen) > 40
