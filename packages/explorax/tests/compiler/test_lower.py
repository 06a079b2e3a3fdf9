"""Lowering of a jaxpr: fused loops, nothing dead, nothing twice."""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend.core import Primitive

from explorax.compiler import UnsupportedPrimitive, compile, ir
from explorax.compiler.errors import FOURIER
from explorax.compiler.traverse import walk
from tests.compiler.fuzzing.check import lowered


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


@pytest.mark.parametrize("x", [1.0, np.ones(3)])
@pytest.mark.parametrize("called", [lambda f: f, jax.jit])
def test_what_is_read_twice_is_computed_once(x, called):
    twice = called(lambda y: y * y + y)
    assert compile(lambda x: twice(jnp.exp(x)), x).javascript.count("Math.exp") == 1


def test_what_is_broadcast_is_computed_once():
    program = compile(lambda x: jnp.exp(x)[:, None] + jnp.zeros((3, 4)), np.ones(3))
    store = next(line for line in program.javascript.splitlines() if "Math.exp" in line)
    assert store.startswith("    const "), "it is computed in the loop over 3, not in that over 12"


def test_a_scan_is_a_loop_and_not_its_unrolling():
    def scanned(x):
        return jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, length=1000)[0]

    assert compile(scanned, 1.0).javascript.count("Math.sin") == 1


def test_an_unsupported_primitive_names_itself_and_its_line_and_says_what_to_do():
    def transformed(x):
        return jnp.abs(jnp.fft.rfft(x))

    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(transformed, np.eye(2))
    message = str(caught.value)
    line = transformed.__code__.co_firstlineno + 1
    assert caught.value.primitive == "fft"
    assert f"{Path(__file__).name}:{line}" in message
    assert f"JAX {jax.__version__}" in message
    assert "multiply by the matrices of the transform" in message
    assert "dot_general" in caught.value.supported


MYSTERY = Primitive("mystery")
MYSTERY.def_abstract_eval(lambda x: x)


@pytest.mark.parametrize(
    ("version", "cure"),
    [
        ((0, 12, 3), "Write that line with other functions of jax.numpy"),
        ((0, 13, 0), "newer explorax, or install 'jax<0.13'"),
    ],
)
def test_a_primitive_that_is_not_known_says_which_jax_are(monkeypatch, version, cure):
    monkeypatch.setattr(jax, "__version_info__", version)
    with pytest.raises(UnsupportedPrimitive) as caught:
        compile(lambda x: MYSTERY.bind(x) + 1, 1.0)
    message = str(caught.value)
    assert "'mystery'" in message
    assert f"{Path(__file__).name}:" in message
    assert f"JAX {jax.__version__}; explorax.compiler was tested with JAX 0.8 to 0.12" in message
    assert cure in message


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda x: jnp.linalg.svdvals(x + 1j), "to complex128.*two arrays"),
        (lambda x: jnp.abs(jnp.linalg.eigvals(x)), "'eig'.*jnp.linalg.eigh"),
        (
            lambda x: jnp.abs(jnp.fft.fft(x)),
            r"to complex128\)[^|]*multiply by the matrices of the transform",
        ),
        (lambda x: x.astype("float16").astype("float64"), "to float16"),
        (
            lambda x: (jax.debug.print("{}", x), x)[1],
            "'(debug_print|debug_callback)'.*Take the call",
        ),
    ],
)
def test_what_cannot_be_done_well_is_refused_by_name(function, named):
    with pytest.raises(UnsupportedPrimitive, match=named):
        compile(function, np.eye(3))


def test_the_advice_on_the_fft_gives_the_fft():
    lines = FOURIER.splitlines()[1:5]
    x = np.random.default_rng(0).normal(size=256)

    def sizes(x):
        scope = {"jnp": jnp, "n": 256, "x": x}
        exec("\n".join(map(str.strip, lines)), scope)
        return scope["size"]

    np.testing.assert_allclose(compile(sizes, x)(x), np.abs(np.fft.fft(x)), atol=1e-11)


def test_a_long_chain_is_cut_into_expressions_that_can_be_read():
    def chain(x):
        for n in range(300):
            x = jnp.sin(x) * 1.01 + n
        return x

    program = compile(chain, np.ones(4))
    assert "b1" not in program.javascript, "what is cut is handed on without memory"
    assert max(map(len, program.javascript.splitlines())) < 1000
