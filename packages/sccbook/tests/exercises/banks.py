"""The banks of answers to the exercises, one a file, and what is seen of their right answers.

The bank of the exercise NAME is ``test_NAME.py``. It has ``WRONG``, from the name of a finding to the
answers that get it, and ``RIGHT``, from a few words to an answer; where it is needed also
``SOLUTION``, a pattern that no message may show.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from sccbook.checking.probes import Observation, observe
from sccbook.exercises.catalogue import EXERCISES

COMPILED = (
    "backward_products",
    "ledger_coefficients",
    "name_the_placement",
    "read_the_updates",
)
"""The exercises of arrays of NumPy to which some of the bank's answers are written in JAX."""


def compiles(name: str) -> bool:
    """Tell whether JAX compiles the answers to an exercise, which takes a while."""
    return name in COMPILED or EXERCISES[name].probe != "returned"


EACH_RUN = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * compiles(name)) for name in EXERCISES]
)
"""Each exercise, for a test that runs answers."""

COMPILED_NOW = ("scale_gradient", "clip_by_global_norm")
"""Those that JAX compiles, and whose whole banks are run each time."""


def tier(name: str) -> Any:
    """Return the pytest marks of a test that runs a whole bank."""
    if not compiles(name):
        return ()
    return pytest.mark.slow if name in COMPILED_NOW else pytest.mark.exhaustive


EACH_BANK = pytest.mark.parametrize("name", [pytest.param(n, marks=tier(n)) for n in EXERCISES])
"""Each exercise, for a test that runs a whole bank."""


def bank(name: str) -> Any:
    """Import the bank of an exercise."""
    return import_module(f"sccbook.exercises.{name}.test_{name}")


def has_x64(name: str) -> bool:
    """Tell whether numbers have 64 bits where an exercise is set: in a chapter, not in an assignment."""
    return import_module(f"sccbook.exercises.{name}.exercise").__doc__.startswith("Chapter")


@cache
def seen_of_the_right_answer(name: str) -> tuple[Observation, ...]:
    """Observe the first right answer of the bank."""
    exercise = EXERCISES[name]
    answer = next(iter(bank(name).RIGHT.values()))
    with jax.enable_x64(has_x64(name)):
        return observe(exercise.probe, answer, [case.arguments for case in exercise.cases]).seen


def with_rule(
    back: Callable[..., Any],
    value: Callable[..., Any] = lambda x, *_: x,
    traced: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """Make an answer with a custom backward rule.

    Args:
      back: of the cotangent and the answer's arguments.
      value: what is returned, of the arguments.
      traced: the same while JAX differentiates; ``value`` if None.
    """
    answer = jax.custom_vjp(value)
    answer.defvjp(
        lambda *given: ((traced or value)(*given), given),
        lambda given, g: (back(g, *given) * jnp.ones_like(g), *(None for _ in given[1:])),
    )
    return answer


def same(a: Any, b: Any) -> bool:
    """Tell whether two pieces of plain data are identical: types, dtypes, shapes, order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and same(list(a.values()), list(b.values()))
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "tobytes"):
        return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    return a == b
