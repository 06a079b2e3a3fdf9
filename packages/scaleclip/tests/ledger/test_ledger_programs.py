"""Programs that are shared by functions which compute the same, and by no others."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ledger import _programs

apply = jax.jit(lambda function, x: function(x), static_argnums=0)


def call(function, x=2.0):
    return _programs.call_compiled(apply, (function,), (jnp.asarray(x),))


def compiled():
    return _programs._compiled.cache_info().misses


def test_a_function_is_traced_and_compiled_once():
    traces = []

    def square(x):
        traces.append(x)
        return x * x

    before = compiled()
    assert [float(call(square)), float(call(square, 3.0))] == [4.0, 9.0]
    assert (len(traces), compiled() - before) == (1, 1)
    assert call(square, np.ones(2)).shape == (2,)
    assert (len(traces), compiled() - before) == (2, 2)


def test_functions_made_anew_share_a_program():
    before, times = compiled(), lambda c, x: c * x
    assert [float(call(lambda x: 3.25 * x)) for _ in range(3)] == [6.5] * 3
    assert [float(call(partial(times, 3.25))) for _ in range(3)] == [6.5] * 3
    assert compiled() - before == 1


@pytest.mark.parametrize("make", [float, np.asarray, jnp.asarray])
def test_a_function_made_anew_sees_what_has_changed(make):
    held = {"rate": make(0.5)}
    scaled = lambda: lambda x: jnp.sum(held["rate"] * x)
    first = scaled()
    assert float(call(first)) == 1.0
    held["rate"] = make(0.75)
    assert float(call(scaled())) == 1.5
    assert float(call(first)) == 1.0  # as of jit


def test_results_keep_their_structure():
    pair, named = lambda x: (x, x), lambda x: {"a": x, "b": x}
    assert isinstance(call(pair), tuple)
    assert call(named).keys() == {"a", "b"}


def test_callbacks_are_not_mixed_up():
    shape = jax.ShapeDtypeStruct((), jnp.result_type(float))
    asks = lambda c: lambda x: jax.pure_callback(lambda v: np.asarray(v + c, v.dtype), shape, x)
    assert [float(call(asks(c), jnp.asarray(1.0))) for c in (1.0, 2.0)] == [2.0, 3.0]


def test_functions_may_close_over_what_is_traced():
    of = lambda c: call(lambda x: c * x)
    np.testing.assert_array_equal(jax.vmap(of)(jnp.arange(2.0)), [0.0, 2.0])
    assert float(jax.grad(of)(5.0)) == 2.0
    assert float(jax.jit(of)(5.0)) == 10.0
    with jax.disable_jit():
        assert float(of(5.0)) == 10.0


def test_nan_is_refused_where_jax_looks_for_it():
    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        call(jnp.log, jnp.asarray(-1.0))
