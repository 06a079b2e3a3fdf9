"""The table that a ledger prints."""

from __future__ import annotations

import jax.numpy as jnp
import pytest

from gradlab.unroll import ledger

pytestmark = pytest.mark.usefixtures("x64")


def step(params, h, x):
    return h + params


def head(params, h, x):
    return h + 3 * params


def small(**options):
    return ledger(step, head, 0.0, 0.0, jnp.zeros(2), weights=[1.0, 1.0], **options)


@pytest.mark.slow
def test_the_table_of_a_small_ledger():
    assert repr(small(scale=0.25)) == (
        "Ledger of K = 2, s = 0.25 after_heads: norms, loss by application of step\n"
        "            1  2  root  heads\n"
        "loss 1      1        1      3\n"
        "loss 2   0.25  1  0.25      3\n"
        "own         1  1\n"
        "through  0.25  0\n"
        "total through step 2.25, total 8.25, at the initial state 1.25"
    )


@pytest.mark.slow
def test_without_a_scale_the_table_says_so():
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


@pytest.mark.slow
def test_twelve_losses_are_printed_whole():
    assert "…" not in repr(ledger(step, head, 0.0, 0.0, jnp.zeros(12)))
