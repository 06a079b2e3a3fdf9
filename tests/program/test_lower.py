"""Lowering of a jaxpr: fused loops, nothing dead, nothing twice."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.program import UnsupportedPrimitive, compile, ir
from gradlab.program.traverse import walk
from tests.program.fuzzing.check import lowered


def loops(module):
    return [statement for statement in walk(module.body) if isinstance(statement, ir.For)]


def test_a_chain_of_elementwise_operations_is_one_loop_without_buffers():
    module = lowered(lambda x: jnp.exp(jnp.sin(x) * 2 + 1), [np.ones(5)]).module
    assert len(loops(module)) == 1
    assert module.buffers == ()


def test_changes_of_index_cost_nothing():
    module = lowered(lambda x: x.T[::-1, 1:], [np.ones((3, 4))]).module
    assert len(loops(module)) == 2  # one nest, for the output
    assert module.buffers == ()


def test_dead_equations_are_left_out():
    def half_dead(x):
        jnp.linalg.norm(jnp.exp(x))
        return x + 1

    assert "Math.exp" not in compile(half_dead, np.ones(4)).javascript


def test_what_is_read_twice_is_computed_once():
    def twice(x):
        y = jnp.exp(x)
        return y * y + y

    assert compile(twice, 1.0).javascript.count("Math.exp") == 1
    assert compile(twice, np.ones(3)).javascript.count("Math.exp") == 1


def test_what_a_called_function_reads_twice_is_computed_once():
    @jax.jit
    def twice(x):
        return x + x * x

    assert compile(lambda x: twice(jnp.exp(x)), 1.0).javascript.count("Math.exp") == 1
    assert compile(lambda x: twice(jnp.exp(x)), np.ones(3)).javascript.count("Math.exp") == 1


def test_what_is_broadcast_is_computed_once():
    program = compile(lambda x: jnp.exp(x)[:, None] + jnp.zeros((3, 4)), np.ones(3))
    store = next(line for line in program.javascript.splitlines() if "Math.exp" in line)
    assert store.startswith("    const "), "it is computed in the loop over 3, not in that over 12"


def test_a_scan_is_a_loop_and_not_its_unrolling():
    def scanned(x):
        return jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, length=1000)[0]

    assert compile(scanned, 1.0).javascript.count("Math.sin") == 1


def test_an_unsupported_primitive_names_itself_its_line_and_what_is_supported():
    def decomposed(x):
        return jnp.linalg.svd(x)

    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(decomposed, np.eye(2))
    message = str(caught.value)
    line = decomposed.__code__.co_firstlineno + 1
    assert caught.value.primitive == "svd"
    assert f"{Path(__file__).name}:{line}" in message
    assert f"JAX {jax.__version__}" in message
    assert "dot_general" in message


def test_an_unsupported_parameter_says_which():
    with pytest.raises(UnsupportedPrimitive, match="to float16"):
        compile(lambda x: x.astype("float16").astype("float64"), 0.1)


@pytest.mark.parametrize(
    "function",
    [
        jnp.linalg.svd,
        jnp.linalg.eigh,
        jnp.linalg.qr,
        lambda x: jnp.abs(jnp.linalg.eigvals(x)),
        lambda x: jnp.abs(jnp.fft.fft(x)),
    ],
)
def test_what_cannot_be_done_well_is_refused_by_name(function):
    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(function, np.eye(3))
    assert caught.value.primitive in str(caught.value)


def test_what_is_done_for_its_effect_is_refused():
    def prints(x):
        jax.debug.print("{}", x)
        return x

    with pytest.raises(UnsupportedPrimitive, match=r"debug_print|debug_callback"):
        compile(prints, 1.0)


def test_a_long_chain_is_cut_into_expressions_that_can_be_read():
    def chain(x):
        for n in range(300):
            x = jnp.sin(x) * 1.01 + n
        return x

    program = compile(chain, np.ones(4))
    assert "b1" not in program.javascript, "what is cut is handed on without memory"
    assert max(map(len, program.javascript.splitlines())) < 1000
