"""Timed programs compute what JAX computes, in every way; bytes are weighed as they travel."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import jax
import numpy as np
import pytest

from benchmarks.program import cases
from benchmarks.program.book import RECORDED, Shown, figures_in, weigh
from benchmarks.program.cases import Case
from benchmarks.program.times import require_agreement, timed
from sccbook.figures import UnrolledFlow
from explorax.compiler import compile


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", [*cases.WRITTEN_BY_HAND, cases.BEYOND], ids=lambda case: case.name)
def test_all_ways_agree_and_are_timed_in_every_round(case: Case) -> None:
    with jax.enable_x64(True):
        rounds = timed(case, rounds=2, seconds=0.001)
    assert set(rounds) == {"module", "jax.jit"} | ({"by hand"} if case.by_hand else set())
    assert all(len(times) == 2 and min(times) > 0 for times in rounds.values())


def test_what_differs_is_refused() -> None:
    found = np.array([np.nan, np.inf, 100.0])
    require_agreement([[found]], [[np.array([np.nan, np.inf, 100.0 + 1e-9])]], "one")
    for other in ([np.nan, np.inf, 100.0 + 1e-7], [0.0, np.inf, 100.0], [np.nan, 1.0, 100.0]):
        with pytest.raises(AssertionError, match="two"):
            require_agreement([[found]], [[np.array(other)]], "two")


@pytest.mark.slow
def test_a_figure_is_called_with_its_controls_set_at_random_within_their_ends() -> None:
    case = cases.of_figure(Shown("page.html", 0, UnrolledFlow().describe()))
    assert case.function is UnrolledFlow.spec.function
    assert len({str(call) for call in case.calls}) == cases.CALLS
    for call in case.calls:
        for control, value in zip(UnrolledFlow.spec.controls, call, strict=True):
            if control.kind in ("range", "integer"):
                control.check(value)


def test_an_array_in_a_module_is_found_and_weighed_apart() -> None:
    norms = np.random.default_rng(0).normal(size=200)
    module = compile(lambda limit: np.minimum(1, 2) * norms * limit, 1.0).javascript
    assert len(RECORDED.findall(module)) == 1
    weight = weigh(module)
    assert weight["arrays, gzip, bytes"] > 1000
    assert weight["gzip, bytes"] < len(gzip.compress(module.encode(), 9)) - 1000
    assert weigh("const x = 1;")["arrays, gzip, bytes"] is None


def test_a_figure_in_two_pages_is_found_once_and_its_stages_each(tmp_path: Path) -> None:
    def write(page: str, *sights: list[str]) -> None:
        parts = [{"name": "F", "program": "", "sight": sight, "more": []} for sight in sights]
        start = '<script type="application/json" class="gl-description">'
        text = "".join(f"{start}{json.dumps(part)}</script>" for part in parts)
        (tmp_path / page).write_text(f"<html>{text}</html>", encoding="utf-8")

    write("a.html", ["s"])
    write("b.html", ["s"], ["s", "K"])
    assert [(shown.page, shown.place) for shown in figures_in(tmp_path)] == [
        ("a.html", 0),
        ("b.html", 1),
    ]
