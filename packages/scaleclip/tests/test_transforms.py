"""Claims of scaleclip.transforms: each transformation is its operator, inside Optax's chains."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from tests.ops.reference import normal

from scaleclip import ops, transforms

CLIPS = {
    "clip_by_value": (-0.3, 0.2),
    "clip_by_norm": (0.5, 0),
    "clip_by_average_norm": (0.1,),
    "clip_by_rms": (0.4,),
    "clip_by_global_norm": (0.7,),
    "clip_adaptively": (0.1, 1e-2),
}
CONSTRAINTS = {
    "max_norm": (0.5,),
    "unit_norm": (),
    "min_max_norm": (0.2, 0.5, 0.3),
    "non_negative": (),
}
WEIGHTS: Any = {"layers": [{"kernel": normal(4, 3, dtype="f4"), "bias": normal(3, dtype="f4")}]}
GRADS = jax.tree.map(lambda leaf: jnp.sin(10 * leaf), WEIGHTS)
KERNELS = lambda path, leaf: path.endswith("kernel")


def by_hand(name, **how):
    """A clip of gradients, as a function of gradients and weights."""
    operator, limits = getattr(ops, name), CLIPS[name]
    if name == "clip_adaptively":
        return lambda g, w: operator(g, w, *limits, **how)
    if name == "clip_by_global_norm":
        return lambda g, w: operator(g, *limits, **how)[0]
    return lambda g, w: operator(g, *limits, **how)


def one_update(transformation):
    """The first updates, as a function of gradients and weights."""
    return lambda g, w: transformation.update(g, transformation.init(w), w)[0]


def program(f):
    """What JAX traces of a function of gradients and weights: equal for equal computations."""
    return re.sub(" at 0x[0-9a-f]+", "", str(jax.make_jaxpr(f)(GRADS, WEIGHTS)))


def test_every_operator_on_gradients_or_weights_is_a_transformation():
    others = {"global_norm", "clip_gradient", "clip_gradient_norm", "straight_through"}
    assert set(transforms.__all__) == set(ops.__all__) - others
    of_their_own = {"constrained", "clip_per_example", "scale_gradient", "reverse_gradient"}
    assert {*CLIPS, *CONSTRAINTS, *of_their_own} == set(transforms.__all__)
    assert transforms.constrained is ops.constrained


@pytest.mark.parametrize("name", CLIPS)
def test_a_clip_is_its_operator_by_hand_alone_and_in_a_chain(name):
    clip, operator, adam = getattr(transforms, name)(*CLIPS[name]), by_hand(name), optax.adam(1e-3)

    def clipped_first(g, w):
        state = adam.init(w)
        return adam.update(operator(g, w), state, w)[0]

    assert program(one_update(clip)) == program(operator) != program(lambda g, w: g)
    assert program(one_update(optax.chain(clip, adam))) == program(clipped_first)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_constraint_at_the_end_of_a_chain_is_one_around_it(name):
    how: Any = {"where": KERNELS} | ({} if name == "non_negative" else {"layout": "out_in"})
    last = getattr(transforms, name)(*CONSTRAINTS[name], **how)
    project = lambda w: getattr(ops, name)(w, *CONSTRAINTS[name], **how)
    chain = optax.chain(optax.adam(0.3), last)
    around = transforms.constrained(optax.adam(0.3), project)
    assert program(one_update(chain)) == program(one_update(around))


@pytest.mark.parametrize("name", CLIPS)
def test_where_selects_leaves_by_their_path(name):
    def on_kernels(g, w):
        (g,), (w,) = g["layers"], w["layers"]
        return {"layers": [g | {"kernel": by_hand(name)(g["kernel"], w["kernel"])}]}

    clip = getattr(transforms, name)(*CLIPS[name], where=KERNELS)
    assert program(one_update(clip)) == program(on_kernels)


def test_optaxs_mask_hides_what_it_hides():
    mask = jax.tree.map(lambda leaf: leaf.ndim > 1, WEIGHTS)
    for name in CLIPS:
        make, limits = getattr(transforms, name), CLIPS[name]
        masked = one_update(optax.masked(make(*limits), mask))
        assert program(masked) == program(one_update(make(*limits, where=KERNELS)))


@pytest.mark.slow
def test_a_limit_may_change_in_time():
    injected = optax.inject_hyperparams(transforms.clip_by_rms, static_args="where")
    by_time = injected(max_rms=lambda count: 0.5 / (1 + count), where=KERNELS)
    state = by_time.init(WEIGHTS)
    for limit in (0.5, 0.25):
        found, state = by_time.update(GRADS, state)
        kernel = found["layers"][0]["kernel"]
        np.testing.assert_allclose(jnp.sqrt(jnp.mean(kernel**2)), limit, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: transforms.clip_by_rms(-1.0), "max_rms must be 0 or more"),
        (lambda: transforms.clip_by_value(1.0, 0.0), "must not be greater"),
        (lambda: transforms.clip_adaptively(0.1, layout="OIHW"), "layout must be"),
        (lambda: transforms.max_norm(1.0, axis=0, layout="out_in"), "Give one of them"),
        (lambda: transforms.clip_by_norm(0.5, layout="out_last"), "layout must be"),
        (lambda: transforms.clip_by_norm(0.5, 0, layout="in_out"), "Give one of them"),
        (lambda: transforms.unit_norm(nonfinite="ignore"), "nonfinite must be one of"),
        (  # gradients that were accumulated
            lambda: transforms.clip_per_example(0.5).update(
                {"w": jnp.ones(4)}, optax.EmptyState(), {"w": jnp.zeros(4)}
            ),
            r"one for each example, but .*before MultiSteps",
        ),
    ],
)
def test_arguments_that_cannot_be_right_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", ["clip_adaptively", *CONSTRAINTS])
def test_what_needs_the_weights_says_so(name):
    transformation = getattr(transforms, name)(*(CLIPS | CONSTRAINTS)[name])
    named = f"^{name} keeps the weights.*" if name in CONSTRAINTS else ""
    with pytest.raises(ValueError, match=rf"(?s){named}call update\(grads, state, params\)"):
        transformation.update(GRADS, transformation.init(WEIGHTS))


@pytest.mark.parametrize("name", ["clip_by_norm", "clip_by_rms", "clip_by_global_norm"])
def test_a_limit_of_0_warns_where_it_is_known(name):
    with pytest.warns(UserWarning, match=f"{name} was given the limit 0.*math.inf"):
        getattr(transforms, name)(0)
    getattr(transforms, name)(1e-30)


@pytest.mark.parametrize("scale", [0.5, 0.0, -2.0])
def test_a_scale_multiplies_the_gradients_that_are_selected(scale):
    scaled = one_update(transforms.scale_gradient(scale, where=KERNELS))(GRADS, WEIGHTS)
    (layer,), (given,) = scaled["layers"], GRADS["layers"]
    np.testing.assert_array_equal(layer["kernel"], np.float32(scale) * given["kernel"])
    np.testing.assert_array_equal(layer["bias"], given["bias"])
    with pytest.raises(TypeError, match="scale must be one real number"):
        transforms.scale_gradient("half")


@pytest.mark.parametrize("chosen", ["wb", "w"])
def test_a_clip_per_example_returns_the_mean_of_clipped_examples(chosen):
    each = {"w": normal(6, 4, dtype="f4"), "b": normal(6, dtype="f4")}
    clip = transforms.clip_per_example(0.5, where=lambda path, leaf: path in chosen)
    found = one_update(clip)(each, {"w": 0.0, "b": 0.0})
    clipped = each | ops.clip_per_example({name: each[name] for name in chosen}, 0.5)
    for name, mean in found.items():
        np.testing.assert_allclose(mean, np.mean(clipped[name], axis=0), rtol=1e-6)


@pytest.mark.parametrize(("layout", "axis"), [("in_out", 0), ("out_in", 1)])
@pytest.mark.parametrize(("name", "limit"), [("clip_by_norm", 0.5), ("clip_adaptively", 0.1)])
def test_a_clip_with_a_layout_clips_each_unit(name, limit, layout, axis):
    g, make = {"w": normal(4, 3, dtype="f4")}, getattr(transforms, name)
    by_layout, by_axis = make(limit, layout=layout), make(limit, axis=axis)
    np.testing.assert_array_equal(one_update(by_layout)(g, g)["w"], one_update(by_axis)(g, g)["w"])
