"""The recorders on each kind of gradient: their sections of tests/kinds_of_gradient.toml."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.kinds import LEAVES, TABLE, dense

from scaleclip import probe

KINDS = [*TABLE["kinds"]["all"], *TABLE["kinds"]["jax"]]
CELLS = {
    name: TABLE["jax"][f"probe.{name}"] for name in ("clip_by_global_norm", "updates", "sources")
}

OTHER = np.array([12.0])
WITHOUT = ("missing", "integer", "float0")
"""The kinds that have no gradient."""


def norm_of(*arrays):
    return np.sqrt(sum(np.sum(np.abs(a) ** 2) for a in arrays if a is not None))


def recorded(name, g):
    """Record a gradient (or, as weights, what ``updates`` and ``sources`` see): norms by leaf, and the result."""
    tree = {"g": g, "other": jnp.array(OTHER, jnp.float32)}
    if name == "sources":

        def loss(p):
            floats = [x for x in jax.tree.leaves(p) if jnp.issubdtype(x.dtype, jnp.inexact)]
            return sum(
                jnp.sum(
                    (jnp.abs(x) ** 2).astype(jnp.float32) / 2
                )  # whose gradient is x, or its conjugate
                for x in floats
            )

        found = probe.sources({"half the square": loss}, tree, groups=probe.by_leaf)
        return dict(zip(found.groups, found.norms[0], strict=True)), None
    clip = probe.clip_by_global_norm(
        6.5 if name.startswith("clip") else np.inf, groups=probe.by_leaf
    )
    tx = optax.chain(clip, probe.updates(groups=probe.by_leaf)) if name == "updates" else clip
    result, state = tx.update(tree, tx.init(tree), tree)
    found = probe.read(state)
    by_leaf = found.updates if name == "updates" else found.groups
    if name == "updates":
        np.testing.assert_array_equal([*found.weights.values()], [*by_leaf.values()])
    return {leaf: norms[0] for leaf, norms in by_leaf.items()}, result


def test_each_kind_has_a_cell():
    assert {*LEAVES} == {*KINDS} - {"sharded"}  # tests/ops/test_sharded.py
    assert all([*cells] == KINDS for cells in CELLS.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("kind", LEAVES)
def test_what_a_recorder_makes_of_a_kind_of_gradient(name, kind):
    with jax.enable_x64(kind == "float64"):
        g = LEAVES[kind]
        expected = CELLS[name][kind]
        if expected not in ("value", "passes"):
            with pytest.raises((TypeError, ValueError), match=expected):
                recorded(name, g)
            return
        numbers = None if kind in WITHOUT else dense(g)
        assert (expected == "passes") == (numbers is None)
        norms, result = recorded(name, g)
    assert ("g" in norms) == (numbers is not None)
    if kind != "inf" or not np.isnan(norms["other"]):  # beside inf it may not be known
        np.testing.assert_allclose(norms["other"], 12, rtol=1e-6)
    if numbers is not None:
        np.testing.assert_allclose(norms["g"], norm_of(numbers), rtol=1e-6)
    if name == "sources":
        return
    whole = norm_of(numbers, OTHER)
    factor = 1.0 if name == "updates" else min(1, 6.5 / whole) if np.isfinite(whole) else np.nan
    np.testing.assert_allclose(result["other"], OTHER * factor, rtol=1e-6)
    if numbers is None:
        assert result["g"] is g
        return
    assert result["g"].dtype == g.dtype
    tolerance = 0.1 if g.dtype.itemsize == 1 else 1e-2 if g.dtype.itemsize == 2 else 1e-6
    wide = np.asarray(result["g"].astype(jnp.complex64 if kind == "complex" else jnp.float32))
    np.testing.assert_allclose(wide, numbers * factor, rtol=tolerance)
