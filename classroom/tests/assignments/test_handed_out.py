"""What an assignment hands out to look with: no function of it answers an exercise, and its numbers hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from classroom.tests.assigned import COURSE, NAMES, code, notebook, run
from gradlab.exercises import check, personal_numbers
from gradlab.ops import scale_gradient
from gradlab.unroll import coefficients
from tests.tiers import some_now

LEDGER = "5_the_ledger"


def handed_out(name: str) -> dict[str, Callable[..., Any]]:
    """Every callable of a released notebook, imported ones too, but the empty answers and ``check``."""
    sources = code(notebook("release", name).cells)
    namespace, _ = run([source for source in sources if "import points" not in source])
    others = {*COURSE.assignments[name].functions, "check", "personal_numbers"}
    return {
        key: value
        for key, value in namespace.items()
        if callable(value) and not isinstance(value, type) and key not in others
    }


def earning(given: Mapping[str, Callable[..., Any]], name: str) -> dict[tuple[str, str], float]:
    """The part of the points that each function earns where it is taken for an exercise's answer."""
    with jax.enable_x64(False):
        return {
            (key, exercise): result.credit
            for key, answer in given.items()
            for exercise in COURSE.assignments[name].functions
            if (result := check(exercise, answer)).credit > 0
        }


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(NAMES, LEDGER))
def test_no_function_that_is_handed_out_earns_anything_as_an_answer(name: str) -> None:
    given = handed_out(name)
    assert given
    assert earning(given, name) == {}


def test_a_right_answer_would_be_found_among_what_is_handed_out() -> None:
    given = {"show": lambda limit: [[0.9 * limit] * 4]}
    assert earning(given, "4_constraining") == {("show", "wrong_axis"): 1.0}


def by_jax(jacobians: np.ndarray, own: np.ndarray, s: float) -> Any:
    def total(h: jax.Array) -> Any:
        loss = 0.0
        for jacobian, sent in zip(jacobians, own, strict=True):
            h = jacobian @ scale_gradient(h, s)
            loss += sent @ h
        return loss

    return jax.grad(total)(jnp.zeros(own.shape[1])).tolist()


@pytest.mark.exhaustive
def test_the_numbers_that_the_ledger_shows_are_what_jax_finds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    namespace = {
        "np": np,
        "mine": personal_numbers("ab123", LEDGER),
        "ledger_coefficients": coefficients,
        "backward_products": by_jax,
    }
    for cell in notebook("release", LEDGER).cells:
        if cell.id in ("ledger_coefficients-look", "backward_products-look"):
            exec(cell.source, namespace)
    shown = capsys.readouterr().out
    assert shown.count("yours agrees: True") == 6
    assert "agrees: False" not in shown
    assert "by JAX: [7.0, 16.0], yours: [7.0, 16.0]" in shown
    assert "by JAX: [2.0, 4.5], yours: [2.0, 4.5]" in shown
