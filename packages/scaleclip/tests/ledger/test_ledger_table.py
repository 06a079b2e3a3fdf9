"""The table that a ledger prints."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import Ledger, ledger


def step(params, h, x):
    return h + params


def head(params, h, x):
    return h + 3 * params


def small(**options):
    return ledger(step, head, 0.0, 0.0, jnp.zeros(2), weights=[1.0, 1.0], **options)


@pytest.mark.slow
def test_the_table_of_a_small_ledger():
    assert repr(small(scale=0.25)) == (
        "Ledger of K = 2, s = 0.25 after_heads: norms, loss by step\n"
        "            1  2  root  heads\n"
        "loss 1      1        1      3\n"
        "loss 2   0.25  1  0.25      3\n"
        "own         1  1\n"
        "through  0.25  0\n"
        "total through step 2.25, total 8.25, at the initial state 1.25"
    )
    assert repr(small(scale=0.25, placement="off")).startswith("Ledger of K = 2, no scale: ")


@pytest.mark.slow
def test_of_many_losses_the_first_and_the_last_are_printed():
    lines = repr(ledger(step, head, 0.0, 0.0, jnp.zeros(13))).splitlines()
    assert lines[1].split() == [*"123456", "…", *map(str, range(8, 14)), "root", "heads"]
    assert [line.split()[1] for line in lines[2:8]] == list("123456")
    assert lines[8] == "…"
    assert [line.split()[1] for line in lines[9:15]] == [str(k) for k in range(8, 14)]
    assert lines[15].split()[7] == "…"
    assert len(lines) == 18
    assert "…" not in repr(ledger(step, head, 0.0, 0.0, jnp.zeros(12)))


# Where the entries do not add up


def recorded(error: float, total: float = 0.267, dtype: Any = np.float32) -> Ledger:
    """A ledger of one parameter and two losses, whose entries have the norm 0.29."""
    one, pair = np.float32(1.0), np.ones(2, np.float32)
    through = np.array([total], dtype)
    return Ledger(
        scale=one, placement="off", weights=pair, losses=pair, coefficients=np.eye(2),
        norms=np.array([[0.2, 0.0], [0.15, 0.15]]), inner_products=np.eye(2), sum_norm=np.float32(0.29),
        sum_error=np.float32(error), head_norms=pair, own=pair, through=pair, root=pair,
        state_cotangent=through, total=through, step_total=through,
    )  # fmt: skip


def test_entries_that_are_rounding_alone_are_no_fault_of_the_step():
    """The gradient of a sum of squares by a shift of all that a softmax takes is zero."""

    def step(shift, h, x):
        return jax.nn.softmax(h + shift + x)

    found = ledger(
        step,
        lambda shift, h, x: jnp.sum(h**2),
        jnp.float32(0.3),
        jnp.arange(5, dtype=jnp.float32),
        jnp.asarray(np.random.default_rng(0).normal(size=(10, 5)), jnp.float32),
    )
    assert float(found.sum_error) > 0.01 * float(found.sum_norm)
    assert "add up" not in str(found)


def test_entries_that_do_not_add_up_are_named_with_the_cause():
    caution = repr(recorded(0.023)).splitlines()[-1]
    assert "add up to 0.29, not to the total through step, 0.267 (0.023 apart)" in caution
    assert "clip of gradients" in caution
    assert "add up to 0.29, not" in repr(recorded(0.2, total=0.0))


@pytest.mark.parametrize(
    ("error", "total", "dtype"),
    [
        (1e-5, 0.267, np.float32),
        (1e-5, 1e-5, np.float32),  # the entries cancel, and what rounding left is all there is
        (0.02, 0.267, jnp.bfloat16),
        (np.nan, np.nan, np.float32),
    ],
)
def test_rounding_raises_no_alarm(error, total, dtype):
    assert repr(recorded(error, total, dtype)).splitlines()[-1].startswith("total through step")
