"""Names of a traced function's leaves, and functions that cannot be traced."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.program import ProgramError, compile
from gradlab.program.trace import trace


def network(params, x):
    return {"y": params["w"] @ x + params["b"][0], "n": jnp.sum(x > 0)}


def test_leaves_are_named_by_argument_and_path():
    traced = trace(network, {"w": np.ones((2, 3)), "b": [np.zeros(2)]}, np.ones(3))
    assert [leaf.name for leaf in traced.inputs] == ["params.b.0", "params.w", "x"]
    assert [leaf.name for leaf in traced.outputs] == ["n", "y"]
    assert [leaf.shape for leaf in traced.inputs] == [(2,), (2, 3), (3,)]
    assert traced.name == "network"


def test_a_lone_array_is_called_result():
    assert [leaf.name for leaf in trace(jnp.sin, 1.0).outputs] == ["result"]


def test_floats_become_strong_float64_and_integers_stay():
    def carried(x):
        return jax.lax.scan(lambda c, _: (c * x, c), np.float64(1.0), length=3)[0]

    assert trace(carried, 2.0).outputs[0].dtype == "float64"
    traced = trace(lambda n, b: (n + 1, b), 3, True)
    assert [leaf.dtype for leaf in traced.inputs] == ["int64", "bool"]


@pytest.mark.parametrize("flag", [True, False])
def test_the_callers_x64_flag_plays_no_part(flag):
    with jax.enable_x64(flag):
        program = compile(lambda x: x / 3, 1.0)
        assert program.outputs[0].dtype == "float64"
        assert program(1.0).dtype == np.float64
        assert float(program(1.0)) == 1 / 3


def test_float32_programs_stay_float32():
    assert compile(lambda x: x / 3, 1.0, dtype=np.float32)(1.0).dtype == np.float32


def test_a_captured_float32_array_is_an_error_that_names_the_cure():
    captured = np.ones(3, dtype=np.float32)

    def shifted(x):
        return x + captured

    with pytest.raises(
        ProgramError, match=r"shifted captures a float32 array of shape \(3,\).*float64"
    ):
        compile(shifted, np.ones(3))


def test_an_integer_that_javascript_would_round_is_an_error_that_names_the_line():
    def capped(n):
        return jnp.minimum(n, 2**53 + 1)

    line = capped.__code__.co_firstlineno + 1
    with pytest.raises(
        ProgramError, match=rf"9007199254740993 for 'min' in .*test_trace.py:{line}"
    ):
        compile(capped, np.arange(3))
    with pytest.raises(ProgramError, match=r"9007199254740993 in a result"):
        compile(lambda n: (n, 2**53 + 1), 1)


def test_arguments_that_do_not_fit_are_named():
    with pytest.raises(ProgramError, match="network cannot take 1 example arguments"):
        compile(network, {})
    with pytest.raises(ProgramError, match="complex128"):
        compile(lambda x: x, 1j)
    with pytest.raises(ProgramError, match=r"'float16'; expected 'float64' or 'float32'"):
        compile(lambda x: x, 1.0, dtype="float16")


def test_calls_check_the_number_and_shapes_of_leaves():
    program = compile(lambda x, y: x + y, np.ones(2), 1.0)
    with pytest.raises(ProgramError, match="Given 1 leaves; expected 2: x, y"):
        program(np.ones(2))
    with pytest.raises(ProgramError, match=r"x has shape \(3,\); expected \(2,\)"):
        program(np.ones(3), 1.0)


def test_a_call_does_not_cut_a_number_to_the_traced_integer():
    program = compile(lambda n: n * 2, 3)
    with pytest.raises(ProgramError, match="n is float64; expected int64"):
        program(2.5)
    assert int(program(np.int32(2))) == 4


def test_a_float32_array_that_a_jitted_function_captures_is_refused_too():
    captured = np.full(3, 0.1, dtype=np.float32)
    inner = jax.jit(lambda x: x + captured)
    with pytest.raises(ProgramError, match=r"captures a float32 array of shape \(3,\)"):
        compile(lambda x: jax.jit(inner)(x) * 2, 1.0)


def test_a_function_without_a_signature_is_refused_with_the_cure():
    with pytest.raises(ProgramError, match=r"max has no arguments that could be named.*lambda"):
        compile(max, 1.0, 2.0)


def test_a_call_with_another_structure_than_the_traced_one_is_refused():
    program = compile(lambda pair: pair["a"] - pair["b"], {"a": 1.0, "b": 2.0})
    assert float(program({"b": 1.0, "a": 3.0})) == 2.0
    for other in ({"b": 1.0, "c": 3.0}, [1.0, 3.0]):
        with pytest.raises(ProgramError, match=r"structured as .* expected .*'a'.*'b'"):
            program(other)
