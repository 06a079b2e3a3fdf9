"""Few loops, buffers and stores: what comparing results with JAX can't see."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorax.compiler import compile

X, SQUARE = np.linspace(-1.0, 2.0, 6), np.ones((6, 6))
TABLE = np.random.default_rng(0).normal(size=20)
LOOPS, BUFFERS, EXP = r"\bfor \(", r"(?m)^const b\d+ = ", r"Math\.exp\("


def half_dead(x):
    jnp.linalg.norm(jnp.exp(x))
    return x + 1


def twice(x, called=lambda f: f):
    return called(lambda y: y * y + y)(jnp.exp(x))


def chain(x, m):
    for _ in range(6):
        x = jnp.tanh(m @ x)
    return x


def constant(made):
    """A constant that is a formula of its indices is not stored as a table."""
    return lambda x: x * made(), [1.0], {"decode": 0, r"\.of\(": 0}


CASES = {  # a function, its arguments, and how often its module has a text
    "elementwise operations are one loop": (lambda x: jnp.exp(jnp.sin(x) * 2 + 1), [X], {LOOPS: 1, BUFFERS: 0}),
    "loops that keep step are one": (
        lambda x: (jnp.sin(x), jnp.cos(x), jnp.sum(x * x), jnp.cumsum(x)), [X], {LOOPS: 1, BUFFERS: 0}
    ),
    "what is read twice needs no memory": (
        lambda x: jnp.exp(x) + 1 / jnp.exp(x), [X], {LOOPS: 1, BUFFERS: 0, EXP: 1}
    ),
    "a loop that needs a finished one stays behind it": (
        lambda x: jnp.exp(x) / jnp.sum(jnp.exp(x)), [X], {LOOPS: 2, BUFFERS: 1, EXP: 1}
    ),
    "reading backwards keeps two loops": (lambda x: jnp.exp(x) + jnp.exp(x)[::-1], [X], {LOOPS: 2, BUFFERS: 1, EXP: 1}),
    "changes of index cost nothing": (lambda x: x.T[::-1, 1:], [np.ones((3, 4))], {LOOPS: 2, BUFFERS: 0}),
    "dead equations are left out": (half_dead, [X], {EXP: 0}),
    "what is read twice is computed once": (twice, [X], {EXP: 1}),
    "so is a number": (twice, [1.0], {EXP: 1}),
    "and what a jitted function reads twice": (lambda x: twice(x, jax.jit), [X], {EXP: 1}),
    "what is broadcast is computed once, in the outer loop": (
        lambda x: jnp.exp(x)[:, None] + jnp.zeros((3, 4)), [np.ones(3)], {r"(?m)^    const \w+ = Math\.exp": 1, EXP: 1}
    ),
    "a scan is not unrolled": (
        lambda x: lax.scan(lambda c, _: (jnp.sin(c), None), x, length=1000)[0], [1.0], {r"Math\.sin": 1}
    ),
    "an accumulator is updated in place": (
        lambda m: lax.scan(lambda c, r: (c + jnp.outer(r, r), None), jnp.zeros((6, 6)), m)[0],
        [np.ones((3, 6))], {BUFFERS: 0},
    ),
    "buffers that are never needed together share memory": (chain, [X, SQUARE], {BUFFERS: 2}),
    "buffers are allocated once, but for the result": (
        lambda x, m: m @ jnp.tanh(m @ x), [X, SQUARE], {r"(?m)^ .*new \w+Array": 1, BUFFERS: 1}
    ),
    "equal constants are stored once": (lambda x: (x * TABLE.copy(), x + TABLE.copy()), [1.0], {r"decode\(": 1}),
    "a constant is not stored along axes where it does not change": (
        lambda x: x * np.broadcast_to(TABLE[:, None], (20, 40)), [1.0], {r"[\w+/=]{300}": 0}
    ),
    "a line": constant(lambda: jnp.arange(50.0) * 0.5 + 3),
    "a line of integers": constant(lambda: jnp.arange(50)),
    "a rounded line": constant(lambda: jnp.linspace(-2.0, 2.0, 81)),
    "the identity": constant(lambda: jnp.eye(9)),
    "a triangle": constant(lambda: jnp.tri(9)),
    "a step": constant(lambda: jnp.arange(30) > 4),
    "one number": constant(lambda: jnp.full((20, 20), 0.1)),
    "one hot": constant(lambda: jax.nn.one_hot(3, 20)),
    "known exponents are written plainly": (lambda x: x**0.5, [1.0], {r" \*\* 0\.5": 1, "power": 0}),
    "one hash serves all draws": (
        lambda i: (lambda key: (jax.random.normal(key), jax.random.uniform(key)))(jax.random.key(i)), [0],
        {"const threefry = ": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_module_is_as_small_as_it_can_be(case):
    function, arguments, counts = CASES[case]
    javascript = compile(function, *arguments).javascript
    assert {text: len(re.findall(text, javascript)) for text in counts} == counts


def test_a_long_chain_is_cut_into_expressions_that_can_be_read():
    def chain(x):
        for n in range(300):
            x = jnp.sin(x) * 1.01 + n
        return x

    javascript = compile(chain, np.ones(4)).javascript
    assert not re.search(BUFFERS, javascript), "what is cut is handed on without memory"
    assert max(map(len, javascript.splitlines())) < 1000
