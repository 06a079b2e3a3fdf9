"""Arguments of a ledger: those it takes, in which dtypes, and those it refuses, with its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.ledger.ledger_reference import flat, reference

from scaleclip.ledger import ledger
from tests.tiers import some_now


def step(params, h, x):
    return jnp.tanh(params * h + x)


def head(params, h, x):
    return params * h


ONES = np.ones(3)


# States of every kind


def counted(params, state, x):
    h, (count, nothing) = state["h"], state["rest"]
    rate = 1.0 / (1.0 + count)
    return {"h": jnp.tanh(params * h * rate + x), "rest": (count + 1, nothing)}


def read(params, state, x):
    return state["h"] ** 2 * (1.0 + state["rest"][0])


@pytest.mark.slow
def test_counters_and_none_in_a_state_are_carried_along():
    state = {"h": 0.3, "rest": (0, None)}
    found = ledger(counted, read, 0.7, state, ONES, scale=0.5)
    expected = reference(counted, read, 0.7, state, ONES, scale=0.5)
    np.testing.assert_allclose(found.norms, expected["norms"], rtol=1e-12)
    assert found.state_cotangent["rest"] == (None, None)
    np.testing.assert_allclose(
        found.state_cotangent["h"], expected["state_cotangent"][0], rtol=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("key", some_now([jax.random.key, jax.random.PRNGKey], jax.random.key))
def test_random_keys_in_a_state_and_in_inputs_are_carried_along(key):
    def noisy(params, state, x):
        h, key = state
        key, now = jax.random.split(key)
        return jnp.tanh(params * h + jax.random.normal(now) + jax.random.normal(x)), key

    read = lambda params, state, x: state[0] ** 2
    arguments = (noisy, read, 0.7, (0.3, key(1)), jax.random.split(key(2), 3))
    found = ledger(*arguments, scale=0.5)
    np.testing.assert_allclose(found.norms, reference(*arguments, scale=0.5)["norms"], rtol=1e-12)
    assert found.state_cotangent[1] is None


@pytest.mark.slow
def test_none_among_parameters_stays_none():
    found = ledger(lambda p, h, x: p[0] * h + x, lambda p, h, x: h, (0.5, None), 1.0, ONES)
    assert found.total[1] is None


class Odd:
    """A function that cannot be hashed."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, params, h, x):
        return step(params, h, x)


@pytest.mark.slow
@pytest.mark.parametrize("function", [Odd(), jax.jit(step), partial(step), jax.checkpoint(step)])
def test_any_function_is_a_step(function):
    found = ledger(function, head, 0.5, 1.0, ONES)
    np.testing.assert_allclose(found.norms, ledger(step, head, 0.5, 1.0, ONES).norms, rtol=1e-12)


# Dtypes


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "rtol"), [(jnp.float32, 1e-5), (jnp.bfloat16, 0.05)])
def test_narrow_floats_stay_narrow_and_norms_are_float32(dtype, rtol):
    narrow = [np.asarray(argument, dtype) for argument in (0.7, 0.3, ONES)]
    found = ledger(step, head, *narrow, scale=0.5)
    expected = reference(step, head, 0.7, 0.3, ONES, scale=0.5)
    assert found.total.dtype == found.state_cotangent.dtype == dtype
    for field in ("norms", "head_norms", "own", "through", "root"):
        assert getattr(found, field).dtype == jnp.float32
        size = np.max(expected[field])
        np.testing.assert_allclose(getattr(found, field), expected[field], atol=rtol * size)


@pytest.mark.slow
def test_dtypes_may_be_mixed():
    params = {"w": jnp.float32(0.7), "b": jnp.asarray(0.1, jnp.bfloat16), "v": jnp.float64(0.2)}
    state = (jnp.float32(0.5), jnp.asarray(0.25, jnp.bfloat16))

    def mixed(p, state, x):
        h, g = state
        return (p["w"] * h + x).astype(jnp.float32), (g + p["b"] + p["v"] * h).astype(jnp.bfloat16)

    read = lambda p, state, x: state[0] ** 2 + state[1]
    found = ledger(mixed, read, params, state, jnp.ones(3, jnp.float32), scale=0.5)
    assert [leaf.dtype for leaf in found.state_cotangent] == [jnp.float32, jnp.bfloat16]
    assert {name: leaf.dtype for name, leaf in found.total.items()} == {
        name: leaf.dtype for name, leaf in params.items()
    }
    wide = jax.tree.map(lambda leaf: leaf.astype(jnp.float64), (params, state))
    same = lambda p, state, x: (p["w"] * state[0] + x, state[1] + p["b"] + p["v"] * state[0])
    expected = ledger(same, read, *wide, ONES, scale=0.5)
    np.testing.assert_allclose(found.norms, expected.norms, rtol=0.02, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_norms_neither_overflow_nor_underflow(size):
    far = lambda p, h, x: h + size * jnp.sum(p)
    found = ledger(far, lambda p, h, x: h, jnp.zeros(4), 0.0, ONES, weights=ONES)
    np.testing.assert_allclose(found.norms, 2 * size * np.tril(np.ones((3, 3))), rtol=1e-12)
    assert f"{12 * size:.3g}" in repr(found).splitlines()[-1]  # 6 entries of norm 2


@pytest.mark.slow
def test_no_gradient_is_no_nan():
    found = ledger(lambda p, h, x: h, lambda p, h, x: 1.0, {"w": jnp.ones(2)}, jnp.ones(2), ONES)
    for field in ("norms", "inner_products", "head_norms", "own", "through", "root"):
        assert not np.any(getattr(found, field))
    assert not np.any(flat(found.total))
    assert np.all(np.isnan(found.shares))


# Refusals


def like(params, h, x):
    return jnp.stack([h, h])


def read_vector(params, h, x):
    return h + params * (x @ x)


@jax.tree_util.register_dataclass
@dataclass
class Module:
    """A module that holds its activation, as Equinox's do, and a counter, as Flax's do."""

    w: Any
    activation: Any = None
    count: Any = None


VECTORS = [np.ones(2)] * 3
PARTITION = r"eqx.partition\(model, .*eqx.combine\(.*nnx.split\(.*nnx.merge\("

REFUSALS = {
    "placement": ({"placement": "P"}, ValueError, "placement .*'after_heads', .*'P' was given"),
    "scales": ({"scale": ONES}, ValueError, r"scale must be a scalar, .*\(3,\).*jax.vmap"),
    "a word": ({"scale": "half"}, TypeError, "scale must be one real number, .*'half'"),
    "few weights": (
        {"weights": [1.0, 2.0]}, ValueError, r"weights .*K = 3 losses, .*\[1.0, 2.0\] \(list\)",
    ),
    "one weight": ({"weights": 1.0}, ValueError, r"shape \(3,\), but 1.0 \(float\)"),
    "complex weights": ({"weights": 1j * ONES}, TypeError, "weights must be real"),
    "no leading axis": (
        {"inputs": 3}, ValueError, r"one leading axis K >= 1.*int64\[\] was given.*jnp.zeros\(K\)",
    ),
    "no inputs": ({"inputs": None}, ValueError, r"leading axis.*nothing was given"),
    "no steps": ({"inputs": np.zeros(0)}, ValueError, r"K >= 1.*float64\[0\]"),
    "a list": ({"inputs": [1.0, 2.0]}, ValueError, "leading axis.*Make one array of a list"),
    "a list of vectors": (
        {"step": read_vector, "inputs": VECTORS}, TypeError,
        r"a list of 3 was given, .*take no list. Give jnp.stack\(inputs\)",
    ),
    "a tuple of vectors": (
        {"step": read_vector, "inputs": tuple(VECTORS)}, TypeError, "take no tuple",
    ),
    "a list of pytrees": (
        {"step": lambda p, h, x: read_vector(p, h, x["x"]), "inputs": [{"x": x} for x in VECTORS]}, TypeError,
        r"a list of 3 .*Give jax.tree.map\(lambda \*x: jnp.stack\(x\), \*inputs\)",
    ),
    "a long list": ({"inputs": [1.0] * 99}, ValueError, r"\*.*\.\.\. of .*\.\.\. was given. Make one"),
    "lengths": (
        {"inputs": (ONES, np.ones(2))}, ValueError, r"leading axis.*float64\[3\], float64\[2\]",
    ),
    "words": ({"inputs": "abc"}, TypeError, "inputs is 'abc'"),
    "step": ({"step": None}, TypeError, "step must be a function.*None was given"),
    "step's shape": (
        {"step": like}, TypeError, r"step must return a state like.*float64\[\] it returned float64\[2\]",
    ),
    "step's dtype": (
        {"step": lambda p, h, x: h.astype(jnp.float32)}, TypeError,
        r"dtypes, but for float64\[\] it returned float32\[\]",
    ),
    "step's structure": (
        {"step": lambda p, h, x: (h,)}, TypeError, r"structure.*it returned PyTreeDef\(\(\*,\)\)",
    ),
    "a vector": ({"head": like}, TypeError, r"head must return one loss.*float64\[2\].*mean or the sum"),
    "an integer": ({"head": lambda p, h, x: 1}, TypeError, r"head must return.*int64\[\]"),
    "a complex": ({"head": lambda p, h, x: 1j * h}, TypeError, r"head must return.*complex128\[\]"),
    "nothing": ({"head": lambda p, h, x: None}, TypeError, "head must return.*nothing"),
    "an integer parameter": (
        {"params": {"w": 0.5, "n": 3}}, TypeError, "params .*real floats.*int64.*close over it",
    ),
    "a complex parameter": ({"params": 1j}, TypeError, "params .*real floats.*complex128.*two leaves"),
    "an activation": (
        {"params": {"net": Module(0.5, jnp.tanh)}}, TypeError,
        r"params\['net'\].activation is <.*" + PARTITION,
    ),
    "a state's function": ({"state": (0.5, abs)}, TypeError, r"state\[1\] is .*abs.*" + PARTITION),
    "a counter": (
        {"params": Module(0.5, None, 3)}, TypeError, r"params.count is an array.*int64.*" + PARTITION,
    ),
    "no parameters": ({"params": {}}, TypeError, "params must have at least one leaf"),
    "a named parameter": ({"params": {"w": "x"}}, TypeError, r"params\['w'\] is 'x'"),
    "an integer state": ({"state": 1}, TypeError, "state must have at least one leaf.*1.0 for 1"),
    "a complex state": ({"state": 1j}, TypeError, "state .*real floats.*complex128"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_names_what_was_given_and_what_to_do(name):
    change, error, message = REFUSALS[name]
    arguments = {"step": step, "head": head, "params": 0.5, "state": 1.0, "inputs": ONES} | change
    with pytest.raises(error, match="(?s)" + message):
        ledger(**arguments)


def test_a_list_that_step_takes_apart_is_a_pytree():
    inputs = [np.ones((3, 2)), np.ones(3)]
    split = lambda p, h, x: read_vector(p, h, x[0]) + x[1]
    shapes = jax.eval_shape(lambda: ledger(split, head, 0.5, 1.0, inputs))
    assert shapes.norms.shape == (3, 3)


def test_an_error_of_step_itself_is_left_as_it_is():
    def broken(params, h, x):
        raise KeyError("mine")

    for inputs in (VECTORS, ONES):
        with pytest.raises(KeyError, match="mine"):
            ledger(broken, head, 0.5, 1.0, inputs)
