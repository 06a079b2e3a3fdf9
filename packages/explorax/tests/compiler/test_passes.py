"""Fewer loops, buffers and stores: what the passes do, and what they leave alone."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorax.compiler import compile

X = np.linspace(-1.0, 2.0, 6)


def text(function, *arguments):
    return compile(function, *arguments).javascript


def loops(javascript):
    return len(re.findall(r"\bfor \(", javascript))


def scratch(javascript):
    return re.findall(r"^const (b\d+) = ", javascript, re.MULTILINE)


FEWEST = {  # a function of a vector, and how many loops and buffers are left of it
    "loops that keep step are one": (
        lambda x: (jnp.sin(x), jnp.cos(x), jnp.sum(x * x), jnp.cumsum(x)), 1, 0
    ),
    "what is read twice needs no memory": (lambda x: jnp.exp(x) + 1 / jnp.exp(x), 1, 0),
    "a loop that needs a finished one stays behind it": (
        lambda x: jnp.exp(x) / jnp.sum(jnp.exp(x)), 2, 1
    ),
    "reading backwards keeps two loops": (lambda x: jnp.exp(x) + jnp.exp(x)[::-1], 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("case", FEWEST)
def test_so_many_loops_and_buffers_are_left(case):
    function, count, buffers = FEWEST[case]
    javascript = text(function, X)
    assert loops(javascript) == count
    assert len(scratch(javascript)) == buffers
    assert javascript.count("Math.exp") <= 1


def test_an_accumulator_is_updated_in_place():
    def outer_products(m):
        return lax.scan(lambda c, r: (c + jnp.outer(r, r), None), jnp.zeros((6, 6)), m)[0]

    assert not scratch(text(outer_products, np.ones((3, 6))))


def test_a_carry_that_mixes_its_elements_is_not_updated_in_place(agree):
    def turned(m, x):
        return lax.scan(lambda c, _: (m @ c, c[0]), x, None, length=4)

    assert scratch(text(turned, np.ones((6, 6)), X))
    agree(turned, np.random.default_rng(0).normal(size=(6, 6)), X)


def test_buffers_that_are_never_needed_together_share_memory():
    def chain(x, m):
        for _ in range(6):
            x = jnp.tanh(m @ x)
        return x

    assert len(scratch(text(chain, X, np.ones((6, 6))))) <= 2


def test_buffers_are_allocated_once():
    javascript = text(lambda x, m: m @ jnp.tanh(m @ x), X, np.ones((6, 6)))
    inside = javascript[javascript.index("export function") :]
    assert re.findall(r"new (\w+Array)", inside) == [
        "Float64Array"
    ]  # the result, the caller's to keep


def test_calls_do_not_see_each_other(run_in_node):
    def stateful(x):
        return lax.scan(lambda c, y: (jnp.sort(c) + y, c.sum()), jnp.zeros(6), jnp.outer(x, x))

    program = compile(stateful, X)
    first, other, again = run_in_node(program.javascript, [[X], [-3 * X], [X]])
    for a, b, c in zip(first, other, again, strict=True):
        np.testing.assert_array_equal(a, c)
        assert not np.array_equal(a, b)


def test_equal_constants_are_stored_once():
    table = np.random.default_rng(0).normal(size=20)
    javascript = text(lambda x: (x * table.copy(), x + table.copy()), X[0])
    assert javascript.count("decode(") == 1


@pytest.mark.parametrize(
    "constant",
    [
        lambda: jnp.arange(50.0) * 0.5 + 3,
        lambda: jnp.arange(50),
        lambda: jnp.linspace(-2.0, 2.0, 81),
        lambda: jnp.eye(9),
        lambda: jnp.tri(9),
        lambda: jnp.arange(30) > 4,
        lambda: jnp.full((20, 20), 0.1),
        lambda: jax.nn.one_hot(3, 20),
    ],
)
def test_a_constant_that_is_a_formula_is_no_table(constant):
    javascript = text(lambda x: x * constant(), 1.0)
    assert "decode" not in javascript
    assert ".of(" not in javascript


def test_a_constant_is_not_stored_along_axes_where_it_does_not_change():
    column = np.random.default_rng(0).normal(size=(12, 1))
    javascript = text(lambda x: x * np.broadcast_to(column, (12, 40)), 1.0)
    assert len(javascript) < 1000
