"""What a page can't hold or draw: arrays that are too large are refused, slow and empty figures bring a warning."""

from __future__ import annotations

import warnings

import jax.numpy as jnp
import numpy as np
import pytest

from explorax import explore
from explorax.compiler import Program
from explorax.compiler.errors import ProgramError
from explorax.figure import domains

SLIDER = {"s": (0.1, 6.0)}
NOISE = np.random.default_rng(0).normal(size=300_000)


def total(n):
    return lambda s: jnp.sum(jnp.sin(s * jnp.arange(n)))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            total(1_000_000),
            r"array of the shape \(1000000,\), at each of the 121 points of a curve: 121,000,000 "
            r"numbers.*At most 10,000,000.*Use fewer points",
        ),
        (
            lambda s: s * (jnp.asarray(NOISE)[0] + jnp.asarray(NOISE[1:])[0]),
            r"captures arrays, the largest of the shape \(300000,\): 599,999 numbers.*At most 500,000",
        ),
        (
            lambda s: s * jnp.ones((600, 600)),
            r"returns 'result' of the shape \(600, 600\): 360,000 numbers.*At most 250,000",
        ),
    ],
    ids=["computed", "captured", "drawn"],
)
def test_too_large_arrays_are_refused_with_their_size(function, message):
    with pytest.raises(ProgramError, match=message):
        explore(function, SLIDER)


@pytest.mark.slow
def test_slow_figure_warns_at_the_callers_line():
    with pytest.warns(UserWarning, match=r"\(9000,\).*Above 1,000,000 a figure is slow") as found:
        explore(total(9000), SLIDER)
    assert [warning.filename for warning in found] == [__file__]


@pytest.mark.slow
def test_curve_is_computed_once_for_each_setting_of_the_others_and_unchanged(monkeypatch):
    calls = []
    run = Program.__call__
    monkeypatch.setattr(
        Program, "__call__", lambda self, *given: (calls.append(given), run(self, *given))[1]
    )
    figure = explore(lambda s, t: jnp.sin(s) * t, {"s": (0.1, 6.0), "t": (0.0, 2.0)})
    assert len(calls) < 20, "15 places of t, the first setting, and the first values"
    given = figure.program, figure.spec.controls, ["result_over_s"]
    shared, each = domains.sample(*given, along="s"), domains.sample(*given)
    np.testing.assert_array_equal(shared["result_over_s"], each["result_over_s"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "controls", "options", "message"),
    [
        (lambda s: jnp.log(-s), {"s": (1.0, 2.0)}, {}, r"'result' \(NaN\).*'log' \(.*sizes.py:\d+\)"),
        (
            lambda s: {"a": s * jnp.ones(3), "b": jnp.exp(900 * s) * jnp.ones(3)},
            {"s": (1.0, 2.0)}, {}, r"in 'b' \(infinite\).*from 'exp'",
        ),
        (lambda on: {"a": on / 0.0, "b": 1.0}, {"on": True}, {}, r"'a' \(infinite\)"),
        (
            lambda x, rate: (x, {"loss": rate * jnp.nan}), {"rate": (0.0, 1.0)}, {"run": 9, "carry": 1.0},
            r"figure gives no finite number in 'loss' \(NaN\)",
        ),
    ],
    ids=["curve", "array", "number", "run"],
)  # fmt: skip
def test_result_without_a_finite_number_warns(function, controls, options, message):
    with pytest.warns(UserWarning, match=message):
        explore(function, controls, **options)


def test_partly_finite_curve_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explore(lambda s: s + 0 * jnp.log(s - 1.5), {"s": (0.0, 2.0)})
