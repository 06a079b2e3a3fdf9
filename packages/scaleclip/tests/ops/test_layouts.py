"""Layouts of kernels, and which leaves of a pytree a constraint is for."""

from __future__ import annotations

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ops.reference import bits, norm64, normal

from scaleclip.ops import clip_adaptively, max_norm, min_max_norm, non_negative, unit_norm

CONSTRAINTS = {
    "max_norm": lambda w, **how: max_norm(w, 0.5, **how),
    "unit_norm": unit_norm,
    "min_max_norm": lambda w, **how: min_max_norm(w, 0.2, 0.5, **how),
}
BY_COLUMN = pytest.mark.parametrize("constrain", CONSTRAINTS.values(), ids=CONSTRAINTS)
ADAPTIVE = {"clip_adaptively": lambda w, **how: clip_adaptively(w**3, w, 0.1, **how)}
BY_UNIT = pytest.mark.parametrize(
    "operator", (CONSTRAINTS | ADAPTIVE).values(), ids=CONSTRAINTS | ADAPTIVE
)


def model(kernel):
    """The leaves of a layer and its LayerNorm, as a library names them."""
    return {
        "layers": [{"weight": kernel, "bias": jnp.full(3, 7.0)}],
        "norm": {"scale": jnp.ones(4)},
    }


def program(f, w):
    """What JAX traces of a function of a pytree: equal for equal computations."""
    return re.sub(" at 0x[0-9a-f]+", "", str(jax.make_jaxpr(f)(w)))


@BY_UNIT
@pytest.mark.parametrize("shape", [(4, 3), (3, 3, 2, 4)])
def test_a_layout_is_short_for_the_axes_of_a_unit(operator, shape):
    w = normal(*shape)
    for layout, axis in (("in_out", tuple(range(w.ndim - 1))), ("out_in", tuple(range(1, w.ndim)))):
        named = program(lambda w, axis=axis: operator(w, axis=axis), w)
        assert program(lambda w, layout=layout: operator(w, layout=layout), w) == named
    assert program(operator, w) == program(lambda w: operator(w, layout="in_out"), w) != named


@BY_COLUMN
def test_in_a_tree_only_kernels_are_constrained(constrain):
    def by_hand(w):
        (layer,) = w["layers"]
        capped = layer | {"weight": constrain(layer["weight"], layout="out_in")}
        return w | {"layers": [capped]}

    w = model(jnp.ones((3, 4)))
    assert program(lambda w: constrain(w, layout="out_in"), w) == program(by_hand, w)


@pytest.mark.slow
def test_where_selects_by_path_and_leaf():
    w = model(normal(4, 3)) | {"steps": jnp.arange(3), "none": None}
    asked = {}

    def where(path, leaf):
        asked[path] = leaf.shape
        return path.endswith("bias")

    out = max_norm(w, 1.0, where=where)
    assert asked == {"layers/0/weight": (4, 3), "layers/0/bias": (3,), "norm/scale": (4,)}
    np.testing.assert_allclose(out["layers"][0].pop("bias"), np.full(3, 3**-0.5))
    del w["layers"][0]["bias"]
    assert jax.tree.all(jax.tree.map(lambda a, b: bits(a) == bits(b), out, w))


def test_an_axis_too_is_for_the_kernels_of_a_tree_alone():
    out = max_norm(model(3 * normal(4, 3)), 1.0, axis=0)
    assert bits(out["norm"]["scale"]) == bits(jnp.ones(4))
    assert np.all(norm64(out["layers"][0]["weight"], axis=0) <= 1 + 1e-15)


def test_non_negative_is_for_every_leaf_unless_where_selects():
    w = {"kernel": jnp.ones((2, 2)), "bias": jnp.ones(2)}
    each = program(lambda w: {name: non_negative(leaf) for name, leaf in w.items()}, w)
    assert program(non_negative, w) == each
    selected = program(lambda w: non_negative(w, where=lambda path, leaf: path == "kernel"), w)
    assert selected == program(lambda w: w | {"kernel": non_negative(w["kernel"])}, w)


@BY_COLUMN
def test_what_may_be_a_bias_is_refused_in_a_tree_until_where_decides(constrain):
    w = {"conv": {"bias": jnp.full((3, 1, 1), 7.0)}, "one_input": jnp.ones((1, 4))}
    with pytest.raises(ValueError, match=r"w\['conv'\]\['bias'\] has the shape \(3, 1, 1\).* bias"):
        constrain(w, layout="out_in")
    with pytest.raises(ValueError, match=r"w\['one_input'\].* where=lambda path, leaf"):
        constrain({"one_input": w["one_input"]})
    selected = program(lambda w: constrain(w, where=lambda path, leaf: path == "one_input"), w)
    assert selected == program(lambda w: w | {"one_input": constrain(w["one_input"])}, w)


@BY_COLUMN
def test_3d_kernels_in_a_tree_need_out_in_layout(constrain):
    w = {"query": jnp.ones((4, 2, 3))}
    for how in ({}, {"layout": "in_out"}):
        with pytest.raises(
            ValueError, match=r"w\['query'\] .* or attention's \[in, heads, features\]"
        ):
            constrain(w, **how)
    for how in ({"axis": 0}, {"layout": "out_in"}, {"where": lambda path, leaf: True}):
        alone = program(lambda w, how=how: constrain(w, **how), w["query"])
        assert program(lambda w, how=how: constrain(w, **how), w) == alone


@BY_COLUMN
def test_depthwise_kernels(constrain):
    w = normal(3, 3, 4, 2)
    named = program(lambda w: constrain(w, axis=(0, 1)), w)
    assert program(lambda w: constrain(w, layout="depthwise"), w) == named
    for tree in ({"depthwise_kernel": w}, {"kernel": w[..., :1]}):
        with pytest.raises(ValueError, match=r"or a depthwise one.*layout='depthwise'"):
            constrain(tree)
        (name,) = tree
        alone = program(lambda w: constrain(w, layout="depthwise"), tree[name])
        assert program(lambda w: constrain(w, layout="depthwise"), tree) == alone


@BY_COLUMN
def test_a_call_that_would_constrain_nothing_is_refused(constrain):
    with pytest.raises(ValueError, match=r"no leaf of two axes or more.*'scale'"):
        constrain({"scale": jnp.ones(3)})
    with pytest.raises(
        ValueError, match=r"where selects no leaf.*'layers/0/bias', 'layers/0/weigh"
    ):
        constrain(model(jnp.ones((2, 2))), where=lambda path, leaf: "kernel" in path)
    assert constrain({"n": None, "i": 3}) == {"n": None, "i": 3}


@BY_UNIT
def test_a_layout_that_there_is_not_is_refused_and_one_beside_an_axis(operator):
    w = jnp.ones((2, 2))
    for layout in ("OIHW", "in-out", 1, ["in_out"]):
        with pytest.raises(ValueError, match=r"layout must be 'in_out', outputs last.* was given"):
            operator(w, layout=layout)
    # the whole leaf is an axis too, but for a clip it is the default
    for axis in (0, (0, 1), None)[: None if operator in CONSTRAINTS.values() else 2]:
        with pytest.raises(ValueError, match=r"axis = .* and layout = 'in_out' were given\. Give"):
            operator(w, axis=axis, layout="in_out")
