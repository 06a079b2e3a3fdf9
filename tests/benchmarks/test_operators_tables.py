"""The table says what was measured, and a target that is missed is called missed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks.operators.tables import markdown, octets, power, targets
from tests.benchmarks.changed_results import changed


def ratio(value: float) -> dict[str, float]:
    return {"median": value, "low": 0.9 * value, "high": 1.1 * value}


def clip(size: int, against: float) -> dict[str, Any]:
    return {
        "size": size, "run": "called", "regime": "kept",
        "times": {"gradlab": 120.0, "optax": 100.0, "floor": 60.0},
        "ratios": {"gradlab / optax": ratio(against), "gradlab / floor": ratio(2.0)},
    }  # fmt: skip


def wanted(program: str, temporary: int) -> dict[str, Any]:
    return {
        "size": 10**6, "program": program, "donated": True, "temporary": temporary,
        "largest": 1_000_000, "copies": 0, "kernels": 20,
    }  # fmt: skip


def timed(**ratios: float) -> dict[str, Any]:
    found = {name.replace("_over_", " / "): ratio(value) for name, value in ratios.items()}
    return {"size": 10**6, "times": {"without": 300.0}, "ratios": found}


RESULTS: dict[str, Any] = {
    "machine": {
        "date": "2026-01-01", "commit": "abc", "system": "Linux", "processor": "a processor",
        "cores": 2, "python": "3.11", "jax": "0.10", "optax": "0.2", "numpy": "2", "load": 0.1,
    },
    "measured": {"rounds": 3, "seconds": 0.1},
    "clip": [clip(1000, 1.45), clip(10**6, 1.05)],
    "price": [
        {
            "size": 1000, "times": {"ordinary": 2.0, "large": 4.0, "small": 4.0},
            "ratios": {"large / ordinary": ratio(2.0), "small / ordinary": ratio(2.0)},
        }
    ],
    "kept": [{"entries": 1e25, "before": 2.0, "gradlab": 1.0, "optax": 0.0}],
    "memory": [wanted("gradlab", 30_000), wanted("optax", 900_000)],
    "scaling": [
        {
            "function": "sum of cubes", "met": 9, "operator": operator, "forward": True,
            "multiplications": 9, "kernels": 0,
        }
        for operator in ("gradlab", "optax")
    ],
    "backward": [timed(gradlab_over_without=1.0, optax_over_without=1.0, gradlab_over_optax=1.0)],
    "tensor": [timed(clip_gradient_over_without=1.2, clip_gradient_norm_over_without=3.0)],
}  # fmt: skip


def test_all_targets_are_met() -> None:
    assert [target.met for target in targets(RESULTS)] == [True] * 5


@pytest.mark.parametrize(
    ("where", "value", "claim"),
    [
        ("clip,1,ratios,gradlab / optax,median", 1.11, "1.1 times Optax, from 1e6 on"),
        ("clip,0,ratios,gradlab / optax,median", 1.51, "1.5 times Optax, below 1e6"),
        ("memory,0,temporary", 10**6, "temporary memory"),
        ("memory,0,copies", 1, "no array copied"),
        ("scaling,0,forward", False, "the function's program"),
        ("scaling,0,multiplications", 10, "one multiplication more"),
        ("scaling,0,kernels", 1, "no more often"),
    ],
)
def test_one_number_over_its_limit_misses_its_target_alone(
    where: str, value: Any, claim: str
) -> None:
    missed = [target for target in targets(changed(RESULTS, where, value)) if not target.met]
    assert len(missed) == 1
    assert claim in missed[0].claim


def test_what_peers_need_is_held_against_no_target() -> None:
    for where, value in (
        ("memory,1,temporary", 10**9),
        ("memory,1,copies", 3),
        ("scaling,1,forward", False),
        ("scaling,1,kernels", 5),
    ):
        assert all(target.met for target in targets(changed(RESULTS, where, value)))


def test_what_optax_needs_as_well_is_no_fault() -> None:
    rows = [wanted("gradlab", 10**6 + 100), wanted("optax", 10**6)]
    assert all(target.met for target in targets(RESULTS | {"memory": rows}))


def test_sizes_that_were_not_measured_have_no_target() -> None:
    small = RESULTS | {"clip": [clip(1000, 1.2)]}
    assert not any("from 1e6 on" in target.claim for target in targets(small))
    assert len(targets(small)) == 4


def test_a_page_beside_a_small_tree_is_not_much() -> None:
    row = wanted("gradlab", 4096) | {"size": 1000}
    assert all(target.met for target in targets(RESULTS | {"memory": [row]}))
    more = targets(RESULTS | {"memory": [row | {"temporary": 4097}]})
    assert [target.met for target in more].count(False) == 1


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    tables = re.findall(r"(?:^\|.*\n?)+", markdown(RESULTS), re.MULTILINE)
    assert len(tables) == 8
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_the_ratios_and_the_speed_of_the_memory_stand_in_the_table() -> None:
    text = markdown(RESULTS)
    # twelve bytes for each of a million parameters in 60 microseconds
    assert (
        "| 1e6 | called | kept | 120 µs | 100 µs | 60.0 µs | 1.05 (0.95 to 1.16) "
        "| 2.00 (1.80 to 2.20) | 200.0 |" in text
    )
    assert "**missed**" not in text


@pytest.mark.parametrize(
    ("count", "text"),
    [(4, "4 bytes"), (1500, "1.5 kB"), (15_000, "15 kB"), (4e6, "4.0 MB"), (4e8, "400 MB")],
)
def test_bytes_have_two_digits_or_more(count: float, text: str) -> None:
    assert octets(count) == text


def test_powers_of_ten_are_written_as_such() -> None:
    assert [power(size) for size in (1000, 10**8, 1500)] == ["1e3", "1e8", "1,500"]
