"""What is timed is what JAX computes, and the same in all three ways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest

from benchmarks.program.cases import CASES, Case
from benchmarks.program.times import HERE, Jitted, Node, difference
from gradlab.program import compile

pytestmark = pytest.mark.slow
NUMBER = 5


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node() as running:
        yield running


def by_jax(case: Case) -> list[list[Any]]:
    with jax.enable_x64(True):
        return Jitted(case.function, case.calls(NUMBER)).results()


def test_there_are_twelve_functions_and_three_by_hand() -> None:
    assert len({case.name for case in CASES}) == 12
    files = {case.handwritten for case in CASES if case.handwritten}
    assert files == {path.name for path in Path(HERE, "handwritten").glob("*.js")}
    assert len(files) == 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_module_agrees_with_jax(case: Case, node: Node) -> None:
    program = compile(case.function, *case.calls(1)[0])
    node.load(case.name, program.javascript, case.calls(NUMBER))
    assert difference(node.results(case.name), by_jax(case)) <= 1e-10


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.handwritten], ids=lambda case: case.name
)
def test_what_is_written_by_hand_agrees_with_jax(case: Case, node: Node) -> None:
    text = Path(HERE, "handwritten", str(case.handwritten)).read_text(encoding="utf-8")
    node.load(f"{case.name} by hand", text, case.calls(NUMBER))
    assert difference(node.results(f"{case.name} by hand"), by_jax(case)) <= 1e-12
