"""The recorders on each kind of gradient: their sections of tests/kinds_of_gradient.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jax.experimental import sparse

from scaleclip import probe

TABLE = tomllib.loads(
    (Path(__file__).parents[1] / "kinds_of_gradient.toml").read_text(encoding="utf-8")
)
KINDS = [*TABLE["kinds"]["all"], *TABLE["kinds"]["jax"]]
CELLS = {
    name: TABLE["jax"][f"probe.{name}"] for name in ("clip_by_global_norm", "updates", "sources")
}

NUMBERS = np.array([[0.0, 0.0], [3.0, -4.0], [0.0, 0.0], [6.0, 8.0]])
OTHER = np.array([12.0])
DTYPES = {"float8": jnp.float8_e4m3fn, "integer": jnp.int32}


def example(kind):
    """A gradient of a kind, and the same numbers in a dense array of NumPy; None if it has none."""
    dense = NUMBERS.copy()
    if kind in ("nan", "inf"):
        dense[1, 0] = float(kind)
    if kind == "complex":
        return jnp.array(dense * (0.6 + 0.8j), jnp.complex64), dense * (0.6 + 0.8j)
    if kind == "empty":
        return jnp.zeros((0, 2)), dense[:0]
    if kind == "missing":
        return None, None
    if kind == "float0":
        return np.zeros((4, 2), jax.dtypes.float0), None
    if kind.startswith("sparse"):
        rows = [1, 3, 1] if "repeated" in kind else [1, 3]
        return sparse.BCOO(
            (jnp.ones((len(rows), 2)), jnp.array(rows)[:, None]), shape=(4, 2)
        ), dense
    if kind == "sharded":
        mesh = jax.sharding.NamedSharding(
            jax.make_mesh((1,), ("d",)), jax.sharding.PartitionSpec("d")
        )
        return jax.device_put(jnp.array(dense, jnp.float32), mesh), dense
    dtype = DTYPES.get(kind, kind if kind.startswith(("float", "bfloat")) else jnp.float32)
    return jnp.array(dense, dtype), None if kind == "integer" else dense


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
    assert all([*cells] == KINDS for cells in CELLS.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_recorder_makes_of_a_kind_of_gradient(name, kind):
    with jax.enable_x64(kind == "float64"):
        g, dense = example(kind)
        expected = CELLS[name][kind]
        if expected not in ("value", "passes"):
            with pytest.raises((TypeError, ValueError), match=expected):
                recorded(name, g)
            return
        assert (expected == "passes") == (dense is None)
        norms, result = recorded(name, g)
    assert ("g" in norms) == (dense is not None)
    if kind != "inf" or not np.isnan(norms["other"]):  # beside inf it may not be known
        np.testing.assert_allclose(norms["other"], 12, rtol=1e-6)
    if dense is not None:
        np.testing.assert_allclose(norms["g"], norm_of(dense), rtol=1e-6)
    if name == "sources":
        return
    whole = norm_of(dense, OTHER)
    factor = 1.0 if name == "updates" else min(1, 6.5 / whole) if np.isfinite(whole) else np.nan
    np.testing.assert_allclose(result["other"], OTHER * factor, rtol=1e-6)
    if dense is None:
        assert result["g"] is g
        return
    assert result["g"].dtype == g.dtype
    tolerance = 0.1 if g.dtype.itemsize == 1 else 1e-2 if g.dtype.itemsize == 2 else 1e-6
    wide = np.asarray(result["g"].astype(jnp.complex64 if kind == "complex" else jnp.float32))
    np.testing.assert_allclose(wide, dense * factor, rtol=tolerance)
