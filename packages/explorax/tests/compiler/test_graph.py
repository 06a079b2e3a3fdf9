"""Between the jaxpr and its lowering: what is left to do, and that it is the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorax.compiler.graph import Constant, build
from explorax.compiler.trace import trace

X = np.linspace(-1.0, 2.0, 5)


def graph(function, *arguments):
    return build(trace(function, *arguments).jaxpr)


def names(body):
    found = []
    for equation in body.equations:
        found.append(equation.primitive.name)
        bodies = [equation.params.get("body"), *equation.params.get("branches", ())]
        for inner in bodies:
            if inner is not None:
                found += names(inner)
    return found


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
}  # fmt: skip


@pytest.mark.parametrize("case", LEFT)
def test_what_is_left_of_a_function_is_this(case):
    function, arguments, left = LEFT[case]
    assert names(graph(function, *arguments)) == left


def test_calls_and_custom_derivatives_are_inlined():
    assert set(names(graph(jax.grad(lambda x: jnp.sum(jax.nn.silu(x))), X))).isdisjoint(
        {"jit", "pjit", "custom_jvp_call", "custom_vjp_call"}
    )


def test_a_result_of_more_than_4_kb_is_computed_in_the_page():
    assert "sin" in names(graph(lambda x: x + jnp.sin(jnp.arange(513.0)), 1.0))
    assert "sin" not in names(graph(lambda x: x + jnp.sin(jnp.arange(512.0)), 1.0))


@pytest.mark.slow
def test_a_draw_from_a_constant_key_is_a_constant_whatever_its_size():
    body = graph(lambda x: x * jax.random.normal(jax.random.key(3), (1000,)), 1.0)
    assert not [name for name in names(body) if name.startswith("random") or "bits" in name]


def test_what_does_not_change_in_a_loop_is_computed_before_it():
    def looped(a, x):
        return lax.scan(lambda c, y: (c * jnp.exp(a) + y, None), 0.0, x)[0]

    body = graph(looped, 0.3, X)
    assert "exp" in [e.primitive.name for e in body.equations]
    assert "exp" not in names(only(body, "scan").params["body"])


def test_what_a_branch_computes_stays_in_the_branch():
    body = graph(lambda a, x: lax.cond(a, lambda: jnp.exp(x), lambda: x), True, X)
    assert "exp" not in [e.primitive.name for e in body.equations]


def test_a_carry_that_never_changes_is_no_carry():
    def looped(a, x):
        return lax.scan(lambda c, y: ((c[0], c[1] * c[0] + y), None), (a, 0.0), x)[0][1]

    assert only(graph(looped, 0.3, X), "scan").params["carries"] == 1


def test_carries_and_stacks_that_nobody_reads_are_gone():
    def looped(x):
        (_, total), _ = lax.scan(
            lambda c, y: ((jnp.sin(c[0] + y), c[1] + y), jnp.cos(c[0])), (0.0, 0.0), x
        )
        return total

    body = graph(looped, X)
    assert len(only(body, "scan").outvars) == 1
    assert not {"sin", "cos"} & set(names(body))


def test_the_counter_of_a_loop_with_a_traced_end_is_the_only_thing_beside_its_state():
    loop = only(graph(lambda n, x: lax.fori_loop(0, n, lambda i, c: c * 0.5, x), 3, X), "while")
    assert len(loop.invars) == 2


def test_an_operation_of_arrays_that_are_the_same_everywhere_is_done_once():
    body = graph(lambda a: jnp.full(7, a) * jnp.full(7, 3.0) + jnp.zeros(7), 0.5)
    assert all(e.outvars[0].aval.shape == () for e in body.equations[:-1])


def test_a_result_that_is_known_is_a_constant():
    assert isinstance(graph(lambda x: jnp.ones(3) * 2, 1.0).outvars[0], Constant)
