"""The right answers of the concept inventory are computed, and so are the wrong ones where they can be.

For each question a test works out what every choice claims: it calls the operators, or runs what
the misconception would run, and compares that with the words of the form.
"""

from __future__ import annotations

import re
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from gradlab_classroom import inventory

from classroom.tests.paths import ASSIGNMENTS
from gradlab.ops import (
    clip_by_global_norm,
    clip_by_norm,
    clip_by_value,
    clip_gradient_norm,
    global_norm,
    max_norm,
    scale_gradient,
)
from gradlab.unroll.placements import coefficients

FORMS = inventory.read(ASSIGNMENTS / "inventory.yml").forms
pytestmark = pytest.mark.slow
BOTH = pytest.mark.parametrize("form", inventory.FORMS)


def texts(number, form):
    """The words of each choice by its misconception, those of the right one by ``"right"``."""
    choices = FORMS[form][number - 1].choices.values()
    return {choice.misconception or "right": choice.text for choice in choices}


def stem(number, form):
    return FORMS[form][number - 1].stem


@pytest.fixture(autouse=True)
def in_float64():
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize(("form", "s"), [("A", 0.5), ("B", 0.1)])
def test_1_only_the_right_choice_keeps_the_value_and_multiplies_every_gradient(form, s):
    assert str(s) in stem(1, form)
    functions = {
        "right": lambda x: scale_gradient(x, s),
        "forward_scaled": lambda x: s * x,
        "scaling_is_clipping": lambda x: clip_gradient_norm(x, s),
        "tf_function_was_removed": lambda x: x,
    }
    assert set(functions) == set(texts(1, form))
    x = jnp.array([3.0, -4.0])
    for name, function in functions.items():
        value, pull = jax.vjp(function, x)
        same = bool(jnp.array_equal(value, x))
        scaled = all(np.allclose(pull(size * x)[0], s * size * x) for size in (0.001, 1.0, 1000.0))
        assert (same and scaled) == (name == "right"), name
        assert same == (name != "forward_scaled")


@pytest.mark.parametrize(("form", "s"), [("A", 1 / 4), ("B", 3)])
def test_2_the_code_of_each_choice_does_what_its_name_says(form, s):
    names = {"stop": jax.lax.stop_gradient, "clip": jnp.clip}
    x = jnp.array([0.1, 0.2, 10.0])
    does = {  # the value, and the derivative of each entry
        "right": (x, s * jnp.ones(3)),
        "wrong_term_stopped": (x, (1 - s) * jnp.ones(3)),
        "forward_scaled": (s * x, s * jnp.ones(3)),
        "inputs_clipped": (jnp.clip(x, -s, s), jnp.array([1.0, 1.0, 0.0])),
    }
    assert set(does) == set(texts(2, form))
    for name, text in texts(2, form).items():
        function = eval(f"lambda x: {text.strip('`')}", names)
        value, pull = jax.vjp(function, x)
        np.testing.assert_allclose(value, does[name][0], rtol=1e-12)
        np.testing.assert_allclose(pull(jnp.ones(3))[0], does[name][1], rtol=1e-12)


@pytest.mark.parametrize(("form", "s"), [("A", 0.5), ("B", 0.1)])
def test_3_nothing_but_the_function_at_the_state_keeps_the_loss_and_scales_one_share(form, s):
    draws = np.random.default_rng(0)
    w, main, auxiliary = (jnp.asarray(draws.normal(size=(2, 2))) for _ in range(3))
    batches = jnp.asarray(draws.normal(size=(3, 5, 2)))

    def losses(function, number):
        """The losses of all batches and the gradients of w, with a function on one of two ways."""

        def loss(w, x):
            h = jnp.tanh(x @ w)
            on_its_way = function(h, number)
            if form == "A":  # w makes h, and is used again after it
                return jnp.sum((on_its_way @ w - 1) ** 2)
            return jnp.sum((h @ main - 1) ** 2) + jnp.sum((on_its_way @ auxiliary - 1) ** 2)

        return jax.vmap(jax.value_and_grad(loss), (None, 0))(w, batches)

    def normalised(h, epsilon):
        return (h - h.mean(0)) / jnp.sqrt(h.var(0) + epsilon)

    at = jax.jit(losses, static_argnums=0)
    values, whole = at(scale_gradient, 1.0)
    rest = at(scale_gradient, 0.0)[1]
    wanted = rest + s * (whole - rest)

    def reaches(found):
        return bool(np.allclose(found[0], values) and np.allclose(found[1], wanted))

    assert reaches(at(scale_gradient, s))
    assert not reaches(at(normalised, 1e-3))
    assert not any(reaches(at(max_norm, cap)) for cap in np.geomspace(1e-2, 1e2, 41))
    # a clip of the sum keeps its direction, at every limit, and the gradient wanted has another
    cosines = jnp.sum(whole * wanted, (1, 2)) / jnp.sqrt(
        jnp.sum(whole**2, (1, 2)) * jnp.sum(wanted**2, (1, 2))
    )
    assert (cosines < 0.99).any()
    assert set(texts(3, form)) == {
        "right",
        "batch_norm_instead",
        "max_norm_on_state",
        "clipnorm_can_scale",
    }


@pytest.mark.parametrize(("form", "norm", "limit"), [("A", 0.04, 0.5), ("B", 0.006, 0.1)])
def test_4_a_clip_leaves_a_short_gradient_alone(form, norm, limit):
    assert re.search(rf"of\s+{norm}\b|is {norm}\b", stem(4, form))
    assert re.search(rf"limit\s+of {limit}\b", stem(4, form))
    gradient = norm * jnp.array([0.6, 0.8])
    numbers = {
        "right": float(global_norm(clip_by_norm(gradient, limit))),
        "clip_helps_vanishing": limit,
        "clip_is_a_threshold": 0.0,
        "scaling_is_clipping": float(global_norm(limit * gradient)),
    }
    assert {name: float(text) for name, text in texts(4, form).items()} == pytest.approx(numbers)


@pytest.mark.parametrize(("form", "norms", "limit"), [("A", (6, 8), 5), ("B", (12, 16), 10)])
def test_5_clipnorm_is_a_limit_for_each_array(form, norms, limit):
    assert f"{norms[0]} and {norms[1]}" in stem(5, form)
    assert f"clipnorm={limit}" in stem(5, form)
    gradients = {"a": jnp.array([norms[0], 0.0]), "b": jnp.array([0.0, -norms[1]])}
    assert f"norm {float(global_norm(gradients)):.0f}" in stem(5, form)

    def words(grads):
        return " and ".join(f"{float(global_norm(grads[name])):.0f}" for name in "ab")

    said = texts(5, form)
    assert said["right"] == words(clip_by_norm(gradients, limit))
    assert said["clipnorm_is_global"] == words(clip_by_global_norm(gradients, limit)[0])
    for name in ("clipnorm_is_a_constraint", "clip_after_step"):
        assert said[name].startswith(f"{words(gradients)}: ")


@pytest.mark.parametrize(("form", "parts", "scale"), [("A", 4, 1024), ("B", 8, 256)])
def test_6_one_order_gives_the_step_of_the_whole_batch(form, parts, scale):
    assert f"{scale:,}" in stem(6, form)
    draws = np.random.default_rng(1)
    rate = 0.5

    def does(orders, gradients):
        """Carry out a choice: the weights after a step from 0."""
        shares, w = [scale * gradient for gradient in gradients], jnp.zeros(3)
        for order in orders.split(", "):
            if order.startswith("divide"):
                shares = [share / scale for share in shares]
            elif order.startswith("average"):
                shares = [sum(shares) / len(shares)]
            elif order.startswith("clip"):
                shares = [clip_by_norm(share, 1.0) for share in shares]
            else:
                assert order == "step"
                assert len(shares) == 1
                w = w - rate * shares[0]
        return w

    for size in (0.1, 1.0, 100.0):  # under the limit as a whole, near it, far above
        gradients = [
            size * jnp.asarray(draws.normal(size=3)) * 10 ** draws.uniform(0, 1)
            for _ in range(parts)
        ]
        whole = -rate * clip_by_norm(sum(gradients) / parts, 1.0)
        np.testing.assert_allclose(does(texts(6, form)["right"], gradients), whole, rtol=1e-12)
    for name, text in texts(6, form).items():  # the last, far above
        before_unscaling = name == "clip_before_unscaling"
        result = does(text, gradients)
        assert np.allclose(result, whole) == (name == "right"), name
        assert np.allclose(result * scale, whole) == before_unscaling


@pytest.mark.parametrize(("form", "limit"), [("A", 1), ("B", 10)])
def test_7_one_nan_makes_every_entry_nan(form, limit):
    assert f"np.minimum(1, {limit} / n)" in stem(7, form)
    arrays = [np.array([3.0, np.nan]), np.array([1.0, 2.0]), np.array([0.5, 0.0])]
    n = np.sqrt(sum(np.sum(array**2) for array in arrays))
    for array in arrays:
        assert np.isnan(array * np.minimum(1, limit / n)).all()
    clipped, _ = clip_by_global_norm(arrays, limit)
    assert all(np.isnan(array).all() for array in clipped)
    assert "all three arrays" in texts(7, "A")["right"]
    assert texts(7, "B")["right"] == "The bias: NaN. The policy head: NaN"


@pytest.mark.parametrize(
    ("form", "batches", "spike", "limit"), [("A", 5_000, 1_000, 3), ("B", 10_000, 2_000, 2)]
)
def test_8_adam_is_slow_for_hundreds_of_batches_after_a_spike_and_not_with_a_clip(
    form, batches, spike, limit
):
    assert all(f"{n:,}" in stem(8, form) for n in (batches, spike))
    adam = optax.adam(1.0)

    def steps(gradients):
        def one(state, g):
            step, state = adam.update(g, state)
            return state, -step

        return np.asarray(jax.lax.scan(one, adam.init(jnp.array(0.0)), jnp.asarray(gradients))[1])

    gradients = np.ones(batches + 500)
    gradients[batches] = spike
    free, clipped = steps(gradients), steps(np.minimum(gradients, limit))
    usual = free[batches - 1]
    assert usual == pytest.approx(1)
    late = slice(batches + 200, None)
    assert (free[late] < 0.1 * usual).all()  # so a clip is of use, though Adam divides
    assert (clipped[late] > 0.9 * usual).all()
    assert free[batches] < 4 * usual  # not a step of the spike's length
    assert texts(8, form)["right"].startswith("Yes")


@BOTH
def test_9_each_choice_is_the_kernel_of_its_misconception(form):
    cap = float(re.search(r"MaxNorm\((\d+)\)", stem(9, form))[1])
    w = jnp.array(np.array(re.findall(r"\d+", stem(9, form).split("w =")[1])[:4], float)).reshape(
        2, 2
    )
    kernels = {
        "right": max_norm(w, cap, axis=0),
        "wrong_axis": max_norm(w, cap, axis=1),
        "cap_on_entries": clip_by_value(w, -cap, cap),
        "constraint_on_gradient": w,
    }
    assert set(kernels) == set(texts(9, form))
    for name, text in texts(9, form).items():
        np.testing.assert_allclose(
            np.array(re.findall(r"\d+", text), float).reshape(2, 2), kernels[name], rtol=1e-12
        )


@pytest.mark.parametrize(("form", "steps", "k"), [("A", 4, 3), ("B", 2, 2)])
def test_10_each_choice_is_the_program_of_its_misconception(form, steps, k):
    assert f"K = {steps}" in stem(10, form)
    assert f"loss of step {k}" in " ".join(stem(10, form).split())
    program = "\n".join(re.findall(r"^    (.*)$", stem(10, form), re.MULTILINE))
    *others, line = program.splitlines()
    assert line == "    h = scale(h, 1/2)"

    def reaches(code, which):
        """The derivative of one loss with respect to the representation, as the program has it."""

        def total(root):
            names = {
                "scale": scale_gradient,
                "observation": root,
                "representation": lambda observation: observation,
                "dynamics": lambda h: h,
                "loss": lambda at, h: h if at == which else 0.0,
            }
            exec(code, names)
            return names["total"]

        return Fraction(float(jax.grad(total)(1.0)))

    def factors(code):
        return f"{reaches(code, 0)} and {reaches(code, k)}"

    every = program.replace("total = loss(0, h)", f"total = scale(loss(0, h), 1/{steps})")
    assert texts(10, form) == {
        "right": factors(program),
        "scale_before_the_heads": factors("\n".join([*others[:-1], line, others[-1]])),
        "one_over_k_on_step_0": factors(every),
        "line_outside_the_loop": factors("\n".join([*others, line.strip()])),
    }
    assert (
        texts(10, form)["right"] == f"1 and {Fraction(float(coefficients(steps, 0.5)[1][k - 1]))}"
    )


@pytest.mark.parametrize(
    ("form", "limit", "rate", "logged"), [("A", 0.5, 0.1, (3, 8)), ("B", 2.0, 0.01, (20, 90))]
)
def test_11_a_clip_that_always_acts_sets_the_length_of_every_step(form, limit, rate, logged):
    assert f"between {logged[0]} and {logged[1]}" in stem(11, form)
    assert f", {limit})`" in stem(11, form)
    assert f"learning rate {rate}" in stem(11, form)
    gradients = [norm * jnp.array([0.6, -0.8]) for norm in (*logged, sum(logged) / 2)]
    for norm, gradient in zip(logged, gradients, strict=False):
        clipped, before = clip_by_global_norm(gradient, limit)
        assert float(before) == pytest.approx(norm)  # what is logged
        assert float(global_norm(clipped)) == pytest.approx(limit)  # what the optimizer receives
    steps = [float(global_norm(rate * clip_by_global_norm(g, limit)[0])) for g in gradients]
    np.testing.assert_allclose(steps, rate * limit, rtol=1e-12)
    said = texts(11, form)
    assert f"was {rate * limit:g} long" in said["right"]
    assert f"learning rate of {rate * limit:g}" in said["right"]
    low, high = (rate * norm for norm in logged)
    assert f"{low:g} to {high:g} long" in said["clipnorm_is_a_constraint"]
    assert set(said) >= {"logged_norm_is_after", "always_clipping_helps"}


@pytest.mark.parametrize(("form", "norms", "limit"), [("A", (6, 8), 5), ("B", (12, 16), 10)])
def test_12_a_clip_for_each_group_turns_the_whole(form, norms, limit):
    assert f"limit of {limit}" in stem(12, form)
    groups = [norms[0] * jnp.array([1.0, 0.0]), norms[1] * jnp.array([0.0, 1.0])]
    whole = float(global_norm(groups))
    assert re.search(rf"{norms[0]}\b.*{norms[1]}\b.*{whole:.0f}\b", stem(12, form), re.DOTALL)

    def words(found):
        flat, before = jnp.concatenate(found), jnp.concatenate(groups)
        cosine = float(flat @ before / jnp.linalg.norm(flat) / jnp.linalg.norm(before))
        way = "the direction of the gradient" if cosine > 1 - 1e-12 else "another direction"
        return " and ".join(f"{float(global_norm(g)):.0f}" for g in found) + f", and {way}"

    said = texts(12, form)
    apart = [clip_by_norm(group, limit) for group in groups]
    assert said["right"].startswith(f"Norms of {words(apart)}")
    assert (
        said["group_clip_is_global"] == f"Norms of {words(clip_by_global_norm(groups, limit)[0])}"
    )
    assert said["clip_turns_nothing"].startswith(
        f"Norms of {words(apart)}".replace("another direction", "the direction of the gradient")
    )
    assert said["cap_on_entries"].startswith(f"Norms of {norms[0]} and {norms[1]},")
