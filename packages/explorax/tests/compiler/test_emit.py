"""Printed modules: constants stay themselves, names stay apart, wrong arguments are refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorax.compiler import compile
from explorax.node import NodeError


@pytest.mark.parametrize(
    "constant",
    [
        np.array([0.1, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1.7976931348623157e308]),
        np.linspace(-1, 1, 40) / 3,
        np.arange(40),
        np.arange(40, dtype=np.int32),
        np.arange(40) % 3 == 0,
    ],
    ids=["special", "float64", "int64", "int32", "bool"],
)
def test_captured_constants_arrive_bit_for_bit(constant, in_node):
    first, _ = in_node(lambda i: (constant, i), 0.0)
    np.testing.assert_array_equal(first, constant.astype(float))
    np.testing.assert_array_equal(np.signbit(first), np.signbit(constant.astype(float)))


def test_a_module_is_self_contained_and_names_its_function_and_leaves():
    def halved(x, n):
        return {"y": x / n}

    text = compile(halved, np.ones(3), 2).javascript
    assert text.startswith("// halved, traced by JAX.\n")
    assert "//   in   x: float64[3]" in text
    assert "//   out  y: float64[3]" in text
    assert text.count("export ") == 1
    assert "import" not in text


NAMES = "default arguments b1 v1 i1 t1 sum1 carry1 Math out_result ρ".split()  # noqa: SIM905


@pytest.mark.slow
def test_arguments_may_have_any_names(agree):
    def function(x, *others):
        def step(c, a):
            return c * 2 + jnp.exp(x).sum() + a, c

        return jax.lax.scan(step, x[0], x)[1][::-1] * jnp.exp(x), [jnp.exp(y) for y in others]

    scope = {"function": function}
    exec(f"def renamed({', '.join(NAMES)}): return function({', '.join(NAMES)})", scope)
    agree(scope["renamed"], *(np.arange(3.0) + n for n in range(len(NAMES))))


def test_similar_keys_and_invalid_identifiers_stay_apart(run_in_node):
    def function(x, x_y):
        return {"a b": x["y"] - x_y, "a_b": x["\n}"], "new": x_y}

    arguments = {"y": 3.0, "\n}": 5.0}, 1.0
    program = compile(function, *arguments)
    (results,) = run_in_node(program.javascript, [[5.0, 3.0, 1.0]])
    assert [leaf.name for leaf in program.inputs] == ["x.\n}", "x.y", "x_y"]
    assert [result[0] for result in results] == [2.0, 5.0, 1.0]


def test_float64_given_to_a_float32_program_is_rounded_on_entry(run_in_node):
    program = compile(lambda x, y: (x > 16777216.0, y), np.ones(2), 1.0, dtype="float32")
    (results,) = run_in_node(program.javascript, [[[16777217.0, 16777218.0], 0.1]])
    np.testing.assert_array_equal(results[0], [0, 1])
    assert results[1][0] == np.float32(0.1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ([[1.0, 2.0]], "scaled takes 2: x, s; given 1"),
        ([[1.0, 2.0], 3.0, 4.0], "scaled takes 2: x, s; given 3"),
        ([[1.0, 2.0, 5.0], 3.0], "x takes 2 numbers; given 3"),
        ([1.0, 3.0], "x takes 2 numbers; given undefined"),
    ],
)
def test_the_wrong_arguments_are_refused_by_name(call, said, run_in_node):
    def scaled(x, s):
        return x * s

    program = compile(scaled, np.ones(2), 1.0)
    with pytest.raises(NodeError, match=f"TypeError: {said}$"):
        run_in_node(program.javascript, [call])
