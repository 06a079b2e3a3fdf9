"""Between the jaxpr and its lowering: what is left to do, and that it is the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from tests.compiler.fuzzing.check import primitives

from explorax.compiler.graph import build
from explorax.compiler.trace import trace

X = np.linspace(-1.0, 2.0, 5)


def graph(function, *arguments):
    return build(trace(function, *arguments).jaxpr)


def only(body, name):
    (found,) = [e for e in body.equations if e.primitive.name == name]
    return found


LEFT = {  # a function, its arguments, and the equations that are left of it
    "equal equations are one": (lambda x: jnp.exp(x) * 2 + jnp.exp(x), [X], ["exp", "mul", "add"]),
    "equal loops are one": (
        lambda x: [lax.scan(lambda c, y: (c * y, c), 1.0, x) for _ in range(2)], [X], ["scan", "mul"],
    ),
    "what depends on constants alone is folded": (
        lambda x: x + jnp.sin(jnp.arange(10.0)).sum(), [1.0], ["add"],
    ),
    "a stack of what stays the same is a broadcast": (
        lambda a, x: lax.scan(lambda c, y: (c + y, jnp.tanh(a)), 0.0, x)[1], [0.3, X],
        ["tanh", "broadcast_in_dim"],
    ),
    "a known branch is the only one": (
        lambda x: lax.cond(jnp.arange(3).sum() > 2, jnp.sin, jnp.cos, x), [X], ["sin"],
    ),
    "a factor of one is gone": (lambda x: x * 1.0, [X], []),
    "a minimum with infinity is gone": (lambda x: jnp.minimum(x, jnp.inf), [X], []),
    "logic with a known side is the other side": (
        lambda a: ((a & True) | False) != False, [np.array([True, False])], [],  # noqa: E712
    ),
    "adding zero is kept because of its sign": (lambda x: x + 0.0, [X], ["add"]),
    "what is known is a constant": (lambda x: jnp.ones(3) * 2, [1.0], []),
    "arrays that are the same everywhere are computed once, as numbers": (
        lambda a: jnp.full(7, a) * jnp.full(7, 3.0), [0.5], ["mul", "broadcast_in_dim"],
    ),
    "what does not change in a loop is computed before it": (
        lambda a, x: lax.scan(lambda c, y: (c * jnp.exp(a) + y, None), 0.0, x)[0], [0.3, X],
        ["exp", "scan", "mul", "add"],
    ),
    "what a branch computes stays in the branch": (
        lambda a, x: lax.cond(a, lambda: jnp.exp(x), lambda: x), [True, X], ["convert_element_type", "cond", "exp"],
    ),
    "carries and stacks that nobody reads are gone": (
        lambda x: lax.scan(lambda c, y: ((jnp.sin(c[0] + y), c[1] + y), jnp.cos(c[0])), (0.0, 0.0), x)[0][1], [X],
        ["scan", "add"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LEFT)
def test_graph_keeps_only_these_equations(case):
    function, arguments, left = LEFT[case]
    assert list(primitives(graph(function, *arguments))) == left


def test_calls_and_custom_derivatives_are_inlined():
    assert set(primitives(graph(jax.grad(lambda x: jnp.sum(jax.nn.silu(x))), X))).isdisjoint(
        {"jit", "pjit", "custom_jvp_call", "custom_vjp_call"}
    )


def test_a_result_of_more_than_4_kb_is_computed_in_the_page():
    assert "sin" in primitives(graph(lambda x: x + jnp.sin(jnp.arange(513.0)), 1.0))
    assert "sin" not in primitives(graph(lambda x: x + jnp.sin(jnp.arange(512.0)), 1.0))


@pytest.mark.slow
def test_a_draw_from_a_constant_key_is_a_constant_whatever_its_size():
    body = graph(lambda x: x * jax.random.normal(jax.random.key(3), (1000,)), 1.0)
    assert not [name for name in primitives(body) if name.startswith("random") or "bits" in name]


def test_constant_carry_is_dropped():
    def looped(a, x):
        return lax.scan(lambda c, y: ((c[0], c[1] * c[0] + y), None), (a, 0.0), x)[0][1]

    assert only(graph(looped, 0.3, X), "scan").params["carries"] == 1


def test_loop_with_a_traced_end_carries_only_its_counter_and_state():
    loop = only(graph(lambda n, x: lax.fori_loop(0, n, lambda i, c: c * 0.5, x), 3, X), "while")
    assert len(loop.invars) == 2
