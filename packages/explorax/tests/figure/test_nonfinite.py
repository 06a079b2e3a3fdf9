"""A figure with nothing to draw says which result is lost, and where."""

from __future__ import annotations

import warnings

import jax.numpy as jnp
import pytest

from explorax import explore

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("function", "controls", "message"),
    [
        (lambda s: jnp.log(-s), {"s": (1.0, 2.0)}, r"'result' \(NaN\).*'log' \(.*nonfinite.py:\d+\)"),
        (
            lambda s: {"a": s * jnp.ones(3), "b": jnp.exp(900 * s) * jnp.ones(3)},
            {"s": (1.0, 2.0)}, r"in 'b' \(infinite\).*from 'exp'",
        ),
        (lambda on: {"a": on / 0.0, "b": 1.0}, {"on": True}, r"'a' \(infinite\)"),
    ],
    ids=["curve", "array", "number"],
)  # fmt: skip
def test_result_without_a_finite_number_warns(function, controls, message):
    with pytest.warns(UserWarning, match=message):
        explore(function, controls)


def test_run_without_a_finite_record_warns():
    with pytest.warns(UserWarning, match=r"figure gives no finite number in 'loss' \(NaN\)"):
        explore(
            lambda x, rate: (x, {"loss": rate * jnp.nan}), {"rate": (0.0, 1.0)}, run=9, carry=1.0
        )


def test_partly_finite_curve_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explore(lambda s: s + 0 * jnp.log(s - 1.5), {"s": (0.0, 2.0)})
