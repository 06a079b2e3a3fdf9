"""Check what operators and transformations make of gradients that aren't one dense float array."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jax.experimental import sparse
from tests.kinds import LEAVES, TABLE, WEIGHTS, dense

from scaleclip import ops, transforms

OURS = ("ops.", "transforms.")
SECTIONS = {name: cells for name, cells in TABLE["jax"].items() if name.startswith(OURS)}
# ------------------------------------------- the same in NumPy, float64 or complex128


def norm(x: Any, axis: Any = None) -> Any:
    return np.sqrt(np.sum(np.abs(x) ** 2, axis=axis, keepdims=True))


def to(x: Any, n: Any, target: Any) -> Any:
    """``x * min(1, target / n)``; NaN where the norm isn't finite."""
    with np.errstate(all="ignore"):
        return x * np.where(np.isfinite(n), np.where(n > target, target / n, 1), np.nan)


def columns(x: Any, target: Callable[[Any], Any]) -> Any:
    with np.errstate(all="ignore"):
        n = norm(x, 0)
        return x * np.where(np.isfinite(n), np.where(n == 0, 1, target(n) / n), np.nan)


REFERENCE: dict[str, Callable[[Any], Any]] = {
    "scale_gradient": lambda x: 0.5 * x,
    "reverse_gradient": lambda x: -0.5 * x,
    "straight_through": lambda x: x,
    "clip_gradient": lambda x: np.clip(x, -1, 1),
    "clip_gradient_norm": lambda x: to(x, norm(x), 1.0),
    "global_norm": lambda x: norm(x)[0, 0],
    "clip_by_value": lambda x: np.clip(x, -1, 1),
    "clip_by_norm": lambda x: to(x, norm(x), 1.0),
    "clip_by_average_norm": lambda x: to(x, norm(x), 1.0 * max(x.size, 1)),
    "clip_by_rms": lambda x: to(x, norm(x), 1.0 * math.sqrt(max(x.size, 1))),
    "clip_by_global_norm": lambda x: to(x, norm(x), 1.0),
    "clip_per_example": lambda x: to(x, norm(x, 1), 1.0),
    "clip_adaptively": lambda x: to(
        x, norm(x, 0), 0.5 * np.maximum(norm(WEIGHTS[: len(x)], 0), 1e-3)
    ),
    "max_norm": lambda x: columns(x, lambda n: np.minimum(n, 1)),
    "min_max_norm": lambda x: columns(x, lambda n: np.clip(n, 1, 2)),
    "unit_norm": lambda x: columns(x, lambda n: 1),
    "non_negative": lambda x: np.where(x < 0, 0, x),
    "constrained": lambda x: columns(x, lambda n: np.minimum(n, 1)),
}

# ------------------------------------------------------------- the calls, of a tree


def like(tree: Any, entries: Any) -> Any:
    """Arrays in the shapes and dtypes of a tree's float leaves."""

    def one(leaf: Any) -> Any:
        if not (hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.inexact)):
            return leaf
        return jnp.asarray(entries[: leaf.shape[0]], leaf.dtype)

    return jax.tree.map(one, tree, is_leaf=lambda leaf: isinstance(leaf, sparse.BCOO))


def at(operator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Pull a leaf back through an operator at a tensor; a leaf without a gradient goes forward."""

    def pull(tree: Any) -> Any:
        leaf = tree["w"]
        if isinstance(leaf, sparse.BCOO):
            through = lambda data: operator({"w": sparse.BCOO((data, leaf.indices), shape=(2, 2))})
            (data,) = jax.vjp(through, leaf.data)[1](operator(tree))
            return {"w": sparse.BCOO((data, leaf.indices), shape=(2, 2))}
        if not (hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.inexact)):
            return operator(tree)
        return jax.vjp(operator, zeros(tree))[1](tree)[0]

    return pull


def keep(tree: Any) -> Any:
    """An optimizer that moves weights of 0 to a tree, constrained."""
    sgd = ops.constrained(optax.identity(), lambda w: ops.max_norm(w, 1.0))
    return sgd.update(tree, sgd.init(tree), zeros(tree))[0]


def zeros(tree: Any) -> Any:
    return jax.tree.map(lambda leaf: jnp.zeros_like(leaf) if hasattr(leaf, "dtype") else leaf, tree)


CALLS: dict[str, Callable[[Any], Any]] = {
    "ops.scale_gradient": at(lambda x: ops.scale_gradient(x, 0.5)),
    "ops.reverse_gradient": at(lambda x: ops.reverse_gradient(x, 0.5)),
    "ops.straight_through": at(lambda x: ops.straight_through(x, x)),
    "ops.clip_gradient": at(lambda x: ops.clip_gradient(x, -1.0, 1.0)),
    "ops.clip_gradient_norm": at(lambda x: ops.clip_gradient_norm(x, 1.0)),
    "ops.global_norm": ops.global_norm,
    "ops.clip_by_value": lambda t: ops.clip_by_value(t, -1.0, 1.0),
    "ops.clip_by_norm": lambda t: ops.clip_by_norm(t, 1.0),
    "ops.clip_by_average_norm": lambda t: ops.clip_by_average_norm(t, 1.0),
    "ops.clip_by_rms": lambda t: ops.clip_by_rms(t, 1.0),
    "ops.clip_by_global_norm": lambda t: ops.clip_by_global_norm(t, 1.0)[0],
    "ops.clip_per_example": lambda t: ops.clip_per_example(t, 1.0),
    "ops.clip_adaptively": lambda t: ops.clip_adaptively(t, like(t, WEIGHTS), 0.5),
    "ops.max_norm": lambda t: ops.max_norm(t, 1.0),
    "ops.min_max_norm": lambda t: ops.min_max_norm(t, 1.0, 2.0),
    "ops.unit_norm": ops.unit_norm,
    "ops.non_negative": ops.non_negative,
    "ops.constrained": keep,
}
MADE: dict[str, optax.GradientTransformation] = {
    "scale_gradient": transforms.scale_gradient(0.5),
    "reverse_gradient": transforms.reverse_gradient(0.5),
    "clip_by_value": transforms.clip_by_value(-1.0, 1.0),
    "clip_by_norm": transforms.clip_by_norm(1.0),
    "clip_by_average_norm": transforms.clip_by_average_norm(1.0),
    "clip_by_rms": transforms.clip_by_rms(1.0),
    "clip_by_global_norm": transforms.clip_by_global_norm(1.0),
    "clip_per_example": transforms.clip_per_example(1.0),
    "clip_adaptively": transforms.clip_adaptively(0.5),
    "max_norm": transforms.max_norm(1.0),
    "min_max_norm": transforms.min_max_norm(1.0, 2.0),
    "unit_norm": transforms.unit_norm(),
    "non_negative": transforms.non_negative(),
    "constrained": transforms.constrained(optax.identity(), lambda w: ops.max_norm(w, 1.0)),
}


def transform(name: str) -> Callable[[Any], Any]:
    """The first update, for weights that are 0 for a constraint, which then is what it is given."""

    def call(tree: Any) -> Any:
        weights = {"clip_adaptively": like(tree, WEIGHTS), "clip_per_example": None}
        given = weights.get(name, zeros(tree))
        return MADE[name].update(tree, MADE[name].init(tree), given)[0]

    return call


CALLS |= {f"transforms.{name}": transform(name) for name in MADE}


def test_the_table_has_every_operator_and_every_kind():
    public = {f"ops.{name}" for name in ops.__all__}
    public |= {f"transforms.{name}" for name in transforms.__all__}
    assert set(SECTIONS) == set(CALLS) == public
    kinds = {*TABLE["kinds"]["all"], *TABLE["kinds"]["jax"]}
    assert set(LEAVES) == kinds - {"sharded"}  # tests/ops/test_sharded.py
    assert all(set(cells) == kinds for cells in SECTIONS.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS)
def test_each_cell_of_the_table_holds(name):
    for kind, leaf in LEAVES.items():
        check(name, kind, leaf, SECTIONS[name][kind])


def check(name: str, kind: str, leaf: Any, cell: str) -> None:
    call, short = CALLS[name], name.partition(".")[2]
    if cell not in ("value", "passes"):
        with pytest.raises(TypeError, match=rf"\['w'\].*{cell}|{cell}.*\['w'\]"):
            call({"w": leaf})
        return
    if cell == "passes":
        if short == "global_norm":
            assert call({"w": leaf}) == 0
        else:
            found = call({"w": leaf})["w"]
            assert found is leaf or np.array_equal(found, leaf), (name, kind)
        return
    found = call({"w": leaf})
    if short != "global_norm":
        found = found["w"]
        assert found.dtype == leaf.dtype, (name, kind)
    expected = REFERENCE[short](dense(leaf))
    if name == "transforms.clip_per_example":
        expected = expected.sum(0) / max(len(expected), 1) if kind != "empty" else expected.sum(0)
    if kind == "empty":
        assert np.size(found) == np.size(expected) or name == "transforms.clip_per_example"
        return
    eps = float(jnp.finfo(leaf.dtype).eps)
    np.testing.assert_allclose(
        dense(found), expected, rtol=4 * eps, atol=4 * eps, err_msg=f"{name}, {kind}"
    )


def test_complex_and_float8_gradients_have_derivatives():
    z = jnp.array([3.0 + 4.0j, 1.0 - 2.0j])
    loss = lambda a: jnp.sum(jnp.abs(ops.clip_by_norm(z * a, 1.0) - 1.0) ** 2)
    step = 1e-6
    np.testing.assert_allclose(
        jax.grad(loss)(1.0), (loss(1 + step) - loss(1 - step)) / (2 * step), atol=1e-8
    )
    low = lambda a: loss(a * 0.01)  # within the limit
    np.testing.assert_allclose(
        jax.grad(low)(1.0), (low(1 + step) - low(1 - step)) / (2 * step), rtol=1e-6
    )


def test_where_may_leave_out_what_an_operator_cannot_take():
    tree = {"w": jnp.array([3.0, 4.0]), "table": LEAVES["sparse"], "f": jnp.sin}
    clip = transforms.clip_by_global_norm(1.0, where=lambda path, leaf: path == "w")
    clipped = clip.update(tree, clip.init(tree))[0]
    np.testing.assert_allclose(clipped["w"], [0.6, 0.8])
    assert clipped["table"] is tree["table"]
    assert clipped["f"] is tree["f"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: transforms.clip_by_norm(1.0, where="kernel"), r"where=lambda path, leaf: 'kernel' in path"),
        (lambda g: ops.max_norm(g, 1.0, where="kernel"), r"where=lambda path, leaf: 'kernel' in path"),
        (
            jax.jit(lambda g: transforms.clip_by_norm(1.0, where=lambda path, leaf: jnp.sum(leaf) > 0).update(g, optax.EmptyState())),
            r"of 'w' it returned a traced value.*leaf\.ndim",
        ),
    ],
)  # fmt: skip
def test_a_wrong_where_is_refused(call, message):
    with pytest.raises(TypeError, match=message):
        call({"w": jnp.ones((2, 2))})
