"""No function that an assignment defines or imports earns points as an answer to its questions."""

import re
from collections.abc import Iterator
from importlib import import_module
from inspect import signature
from itertools import combinations, permutations, product
from typing import Any

import jax
import numpy as np
import pytest

from classroom.tests.assigned import COURSE, NAMES, code, notebook, run_quietly
from sccbook.checking.probes import observe_one
from sccbook.exercises.catalogue import EXERCISES
from tests.tiers import some_now

OPERATORS = {"3": ("clip_by_global_norm", "clip_gradient_norm"), "4": ("max_norm",)}
GIVEN_AWAY = """from scaleclip.ledger import coefficients
both = lambda placement, s, K: (None, coefficients(K, s, placement))"""


def handed_out(cells: list[str], namespace: dict[str, Any], asked: set[str]) -> dict[Any, str]:
    """The functions that cells have one after another, and those of the modules they import from."""
    found: dict[Any, str] = {}
    for cell in cells:
        run_quietly(cell, namespace)
        found |= {f: key for key, f in namespace.items() if callable(f) and key not in asked}
    for name in re.findall(
        r"^from ((?:sccbook|scaleclip)\S*) import", "\n".join(cells), re.MULTILINE
    ):
        module = import_module(name)
        found |= {getattr(module, key): f"{name}.{key}" for key in module.__all__}
    return {f: name for f, name in found.items() if callable(f) and not isinstance(f, type)}


def adapted(given: Any, names: list[str]) -> Iterator[Any]:
    """A function of some of an answer's arguments, in any order if they are few."""
    known = signature(given).parameters.values()
    choose: Any = permutations if len(names) < 4 else combinations
    for n in {len(known), sum(one.default is one.empty for one in known)}:
        for chosen in choose(range(len(names)), min(n, len(names))):
            yield lambda *of, chosen=chosen: given(*(of[i] for i in chosen))


def earning(name: str, *more: str) -> Iterator[tuple[str, str]]:
    """Yield each function that earns anything, and the question that it does that for."""
    asked, namespace = {*COURSE.assignments[name].functions}, {"__name__": "__main__"}
    given = handed_out([*code(notebook("release", name).cells), *more], namespace, asked)
    size = lambda value: sum(map(np.size, jax.tree.leaves(value)))
    for (function, called), question in product(given.items(), asked):
        exercise, names = EXERCISES[question], [*signature(namespace[question]).parameters]
        right, of = getattr(exercise.judge, "right", None), exercise.cases[0].arguments
        compared = right and exercise.probe.startswith("returned")
        answers = [*adapted(function, names)]
        for answer in answers:  # and then for the parts of what one returns
            with jax.enable_x64(False), np.errstate(all="ignore"):
                first = observe_one(exercise.probe, answer, of)
                parts = range(len(first.value)) if isinstance(first.value, tuple) else ()
                answers += [lambda *of, f=answer, i=i: f(*of)[i] for i in parts]
                fits = not compared or size(first.value) == size(right(*of))
                if not first.error and fits and exercise.credit(exercise.examine(answer)):
                    yield called, question


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(NAMES, NAMES[0]))
def test_nothing_that_is_handed_out_earns_points(name: str) -> None:
    own = OPERATORS.get(name[0], ())  # the package's: the grader notes where one is handed in
    assert {*earning(name)} == {(f"scaleclip.ops.{one}", one) for one in own}


@pytest.mark.exhaustive
def test_answers_that_need_another_order_or_are_a_part_are_found() -> None:
    wanted = {(f, "ledger_coefficients") for f in ("scaleclip.ledger.coefficients", "both")}
    assert {*earning("5_the_ledger", GIVEN_AWAY)} == wanted
