"""Names of a traced function's leaves, and functions that cannot be traced."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorax.compiler import ProgramError, compile
from explorax.compiler.trace import trace


def network(params, x):
    return {"y": params["w"] @ x + params["b"][0], "n": jnp.sum(x > 0)}


def test_leaves_are_named_by_argument_and_path():
    traced = trace(network, {"w": np.ones((2, 3)), "b": [np.zeros(2)]}, np.ones(3))
    assert [leaf.name for leaf in traced.inputs] == ["params.b.0", "params.w", "x"]
    assert [leaf.name for leaf in traced.outputs] == ["n", "y"]
    assert [leaf.shape for leaf in traced.inputs] == [(2,), (2, 3), (3,)]
    assert traced.name == "network"
    assert [leaf.name for leaf in trace(jnp.sin, 1.0).outputs] == ["result"]


def test_floats_become_strong_and_integers_stay():
    def carried(x):
        return jax.lax.scan(lambda c, _: (c * x, c), np.float64(1.0), length=3)[0]

    assert trace(carried, 2.0).outputs[0].dtype == "float64"
    assert compile(lambda x: x / 3, 1.0, dtype=np.float32)(1.0).dtype == np.float32
    traced = trace(lambda n, b: (n + 1, b), 3, True)
    assert [leaf.dtype for leaf in traced.inputs] == ["int64", "bool"]


@pytest.mark.parametrize("flag", [True, False])
def test_callers_x64_flag_does_not_matter(flag):
    with jax.enable_x64(flag):
        program = compile(lambda x: x / 3, 1.0)
        assert program.outputs[0].dtype == "float64"
        assert program(1.0).dtype == np.float64
        assert float(program(1.0)) == 1 / 3


def test_integer_beyond_2_to_the_53_is_refused_with_the_line():
    def capped(n):
        return jnp.minimum(n, 2**53 + 1)

    line = capped.__code__.co_firstlineno + 1
    with pytest.raises(
        ProgramError, match=rf"9007199254740993 for 'min' in .*test_trace.py:{line}"
    ):
        compile(capped, np.arange(3))
    with pytest.raises(ProgramError, match=r"9007199254740993 in a result"):
        compile(lambda n: (n, 2**53 + 1), 1)


DATA = jnp.asarray(np.linspace(-1, 2, 6), jnp.float32).reshape(2, 3)  # as JAX makes it without x64
HALF = DATA.astype("bfloat16")


def test_captured_float32_data_is_exact_beside_float64_arguments():
    exact = np.asarray(DATA, np.float64)
    found, expected = (compile(lambda w, x=x: jnp.tanh(x @ w), np.ones(3)) for x in (DATA, exact))
    w = np.linspace(0.1, 1, 3)
    np.testing.assert_array_equal(found(w), expected(w), strict=True)


def scanned(w):
    return jax.lax.scan(lambda h, x: (h * x + w, h), DATA[0], DATA)


REFUSED = {
    "captured data wider than the program": (lambda x: x + np.ones(3), [np.ones(3)], {"dtype": "float32"}, r"captures a float64 array of shape \(3,\).*float32 program"),
    "captured data of half the precision": (lambda x: x + HALF, [1.0], {}, r"captures a bfloat16 array of shape \(2, 3\).*Make it with dtype=float64"),
    "a loop that starts in float32": (scanned, [np.ones(3)], {}, r"scanned mixes float32 and float64: jax\.lax\.scan\(.*test_trace\.py:\d+\)\. The input carry h has .*jax_enable_x64.*array\.astype\(x\.dtype\).*dtype=\"float32\""),
    "branches of two precisions": (lambda x: jax.lax.cond(x > 0, lambda: DATA[0, 0], lambda: x), [1.0], {}, "mixes float32 and float64"),
    "too few arguments": (network, [{}], {}, "network cannot take 1 example arguments"),
    "a key": (lambda key: jax.random.normal(key), [jax.random.key(0)], {}, r"key.*inside the function from a seed"),
    "keys": (lambda keys: jax.random.normal(keys[0]), [jax.random.split(jax.random.key(0))], {}, r"key.*inside the function from a seed"),
    "an old key": (lambda key: jax.random.normal(key), [jax.random.PRNGKey(0)], {}, r"key.*inside the function from a seed"),
    "a key as a result": (lambda i: jax.random.key(i), [0], {}, "key<fry>"),
    "a complex number": (lambda x: x, [1j], {}, "complex128"),
    "another precision": (lambda x: x, [1.0], {"dtype": "float16"}, "'float16'; expected 'float64' or 'float32'"),
    "no signature": (max, [1.0, 2.0], {}, "max has no arguments that could be named.*lambda"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_untraceable_function_is_refused_with_the_cure(case):
    function, arguments, options, message = REFUSED[case]
    with pytest.raises(ProgramError, match=message):
        compile(function, *arguments, **options)


PAIR = {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize(
    ("examples", "call", "message"),
    [
        ([np.ones(2), 1.0], [np.ones(2)], "Given 1 leaves; expected 2: given0, given1"),
        ([np.ones(2), 1.0], [np.ones(3), 1.0], r"given0 has shape \(3,\); expected \(2,\)"),
        ([3], [2.5], "given0 is float64; expected int64"),
        ([PAIR], [{"b": 1.0, "c": 3.0}], r"structured as .* expected .*'a'.*'b'"),
        ([PAIR], [[1.0, 3.0]], r"structured as .* expected .*'a'.*'b'"),
    ],
)
def test_call_unlike_the_traced_one_is_refused(examples, call, message):
    program = compile(lambda *given: given, *examples)
    with pytest.raises(ProgramError, match=message):
        program(*call)


def test_call_accepts_other_integer_widths_and_key_orders():
    program = compile(lambda n, pair: (n * 2, pair["a"] - pair["b"]), 3, PAIR)
    assert [x.item() for x in program(np.int32(2), {"b": 1.0, "a": 3.0})] == [4, 2.0]
