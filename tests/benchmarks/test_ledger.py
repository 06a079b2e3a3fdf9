"""The ledger's memory grows with K, and not with the K x K gradients that its definition needs."""

from __future__ import annotations

import jax
import pytest

from benchmarks.ledger.run import PROGRAMS, compiled, tanh


@pytest.mark.exhaustive
def test_copies_need_the_memory_of_all_gradients_and_the_ledger_that_of_a_few() -> None:
    short, long = tanh(20), tanh(40)
    parameters = sum(leaf.size for leaf in jax.tree.leaves(long.params))
    assert compiled(PROGRAMS["copies"], long)[1] >= 4 * 40**2 * parameters
    few, more = (compiled(PROGRAMS["ledger"], unroll)[1] for unroll in (short, long))
    assert more < 4 * 40**2 * parameters / 20
    assert more < 2 * few
