"""Python and NumPy that need the number behind a traced argument: the error says what to write instead."""

from __future__ import annotations

import math
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorax.compiler import compile
from explorax.compiler.errors import ProgramError
from tests.tiers import some_now


def repeat(s):
    while s < 9:
        s = 2 * s
    return s


def place(s):
    x = np.zeros(3)
    x[0] = s
    return x


CASES = [
    (lambda s: s if s > 2 else -s, "s > 2", "jnp.where"),
    (repeat, "s < 9", "jax.lax.while_loop"),
    (jax.grad(lambda s: s if s > 2 else -s), "s > 2", "jnp.where"),
    (lambda s: max(s, 1.0), "max(s, 1.0)", "jnp.maximum"),
    (lambda s: np.sin(s), "np.sin(s)", "jnp.sin in place of np.sin"),
    (lambda s: np.array([s, s]), "np.array([s, s])", "jnp.array in place of np.array"),
    (lambda s: math.sin(s), "math.sin(s)", "jnp.sin in place of math.sin"),
    (lambda s: float(s), "float(s)", "Leave out float()"),
    (lambda s: int(s), "int(s)", "x.astype(int)"),
    (lambda s: s.item(), "s.item()", ".item()"),
    (lambda s: sum(range(s.astype(int))), "range(s.astype(int))", "jax.lax.fori_loop"),
    (lambda s: [1.0, 2.0][s.astype(int)], "[1.0, 2.0][s.astype(int)]", "jnp.array(list)[n]"),
    (lambda s: jnp.arange(s), "jnp.arange(s)", "mask the rest"),
    (lambda s: jnp.zeros(s.astype(int)), "jnp.zeros(s.astype(int))", "mask the rest"),
    (lambda s: jnp.ones(9)[: s.astype(int)], "jnp.ones(9)[: s.astype(int)]", "mask the rest"),
    (lambda s: jnp.ones(2)[jnp.ones(2) > s], "jnp.ones(2)[jnp.ones(2) > s]", "mask the rest"),
    (lambda s: list(s), "list(s)", "a single number"),
    (lambda s: len(f"{s:.2f}") * s, ":.2f", "return the number"),
    (place, "x[0] = s", "x.at[0].set(s)"),
]  # fmt: skip


@pytest.mark.parametrize("case", some_now(CASES, CASES[0], *CASES[4:8], CASES[10]))
def test_traced_value_used_as_a_number_gives_advice(case):
    function, code, advice = case
    with pytest.raises(ProgramError) as caught:
        compile(function, 1.0)
    message = str(caught.value)
    assert code in message, "the reader's own code"
    assert f"{Path(__file__)}:" in message
    assert advice in message
    assert "needs the number behind" in message
    assert "Tracer" not in message


def test_the_argument_is_named():
    with pytest.raises(ProgramError, match=r"repeat needs the number behind the argument s in"):
        compile(repeat, 1.0)


def test_other_errors_stay_as_they_are():
    def wrong(s):
        return {}["key"] * s

    with pytest.raises(KeyError, match="key"):
        compile(wrong, 1.0)
