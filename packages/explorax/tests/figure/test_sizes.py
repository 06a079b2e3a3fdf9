"""Arrays that are too large for a page are refused by their size, and large ones bring a warning."""

from __future__ import annotations

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
def test_a_curve_is_computed_once_for_each_setting_of_the_other_controls(monkeypatch):
    calls = []
    run = Program.__call__
    monkeypatch.setattr(
        Program, "__call__", lambda self, *given: (calls.append(given), run(self, *given))[1]
    )
    explore(lambda s, t: jnp.sin(s) * t, {"s": (0.1, 6.0), "t": (0.0, 2.0)})
    assert len(calls) < 20, "15 places of t, the first setting, and the first values"


@pytest.mark.slow
def test_shared_samples_along_a_curve_are_unchanged():
    figure = explore(lambda s, t: jnp.sin(s) * t, {"s": (0.1, 6.0), "t": (0.0, 2.0)})
    given = figure.program, figure.spec.controls, ["result_over_s"]
    shared, each = domains.sample(*given, along="s"), domains.sample(*given)
    np.testing.assert_array_equal(shared["result_over_s"], each["result_over_s"])
