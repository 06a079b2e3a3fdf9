"""The tables say what was measured, exponents are slopes, and a target missed is called missed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks.ledger.tables import exponent, grows, markdown, octets, targets
from tests.benchmarks.changed_results import changed


def ratio(value: float) -> dict[str, float]:
    return {"median": value, "low": 0.8 * value, "high": 1.25 * value}


def row(model: str, steps: int) -> dict[str, Any]:
    """Time and memory as the claims have them; copies do not fit at K = 1,000."""
    times = {"ledger": 1e-3 * steps**2, "gradient": 1e-2 * steps, "passes": 3e-3 * steps**2}
    ratios = {"gradient": ratio(10 / steps), "passes": ratio(3.0)}
    if steps < 1000:
        times["copies"], ratios["copies"] = 9e-3 * steps**2, ratio(9.0)
    names = ("ledger", "gradient", "passes", "copies")
    return {
        "model": model, "steps": steps, "parameters": 1642, "rounds": 3,
        "once": ["passes"] if steps == 1000 else [],
        "compile": dict.fromkeys(names, 1.5),
        "temporary": {
            "ledger": 1000 * steps, "gradient": 500 * steps, "passes": 9000 * steps,
            "copies": 20_000 * steps**2,
        },
        "results": {"ledger": 12 * steps**2},
        "times": times, "ratios": ratios,
        "apart": {name: 1e-6 for name in ("passes", "copies") if name in times},
    }  # fmt: skip


RESULTS: dict[str, Any] = {
    "machine": {
        "date": "2026-01-01", "commit": "abc", "system": "Linux", "processor": "a processor",
        "cores": 2, "python": "3.11", "jax": "0.10", "numpy": "2", "load": 0.1, "load_after": 1.0,
    },
    "measured": {"rounds": 3, "seconds": 3.0, "memory": 4.0, "slow": 4.0, "minutes": 4.0},
    "rows": [row(model, steps) for model in ("tanh", "LSTM") for steps in (10, 100, 1000)],
}  # fmt: skip


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 2.5])
def test_the_exponent_of_a_power_is_that_power(power: float) -> None:
    assert exponent([(k, 7 * k**power) for k in (100, 300, 1000)]) == pytest.approx(power)


def test_an_exponent_is_the_slope_of_least_squares() -> None:
    # values 1, 10, 10 at 1, 10, 100: deviations -1, 0, 1 across and -2/3, 1/3, 1/3 up
    assert exponent([(1, 1.0), (10, 10.0), (100, 10.0)]) == pytest.approx(0.5)


@pytest.mark.parametrize("points", [[], [(10, 1.0)]])
def test_one_point_has_no_exponent(points: list[tuple[float, float]]) -> None:
    assert exponent(points) is None


def test_growth_is_that_of_one_model_and_program_from_a_hundred_steps_on() -> None:
    assert grows(RESULTS, "tanh", "times", "ledger") == pytest.approx(2.0)
    assert grows(RESULTS, "tanh", "temporary", "ledger") == pytest.approx(1.0)
    for where in ("rows,0,times,ledger", "rows,5,times,ledger"):  # K = 10, and another model
        assert grows(changed(RESULTS, where, 1e9), "tanh", "times", "ledger") == pytest.approx(2.0)
    assert grows(RESULTS, "tanh", "times", "copies") is None, "run at one K alone"


def test_all_targets_are_met() -> None:
    assert [target.met for target in targets(RESULTS)] == [True] * 5


@pytest.mark.parametrize(
    ("where", "value", "claim"),
    [
        ("rows,2,times,ledger", 2e3, "time grows"),
        ("rows,5,temporary,ledger", 2e6, "memory grows"),
        ("rows,0,apart,copies", 2e-4, "the same entries"),
        ("rows,4,temporary,copies", 1.9e6, "less memory"),
        ("rows,2,ratios,passes,median", 0.99, "less time"),
    ],
)
def test_one_number_over_its_limit_misses_its_target_alone(
    where: str, value: Any, claim: str
) -> None:
    missed = [target for target in targets(changed(RESULTS, where, value)) if not target.met]
    assert [claim in target.claim for target in missed] == [True]


def test_what_a_short_unroll_takes_is_held_against_no_target() -> None:
    for where, value in (("rows,0,ratios,passes,median", 0.5), ("rows,0,temporary,ledger", 10**9)):
        assert all(target.met for target in targets(changed(RESULTS, where, value)))


def test_what_was_not_measured_has_no_target() -> None:
    short = RESULTS | {"rows": [row("tanh", 10)]}
    assert ["the same entries" in target.claim for target in targets(short)] == [True]


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    tables = re.findall(r"(?:^\|.*\n?)+", markdown(RESULTS), re.MULTILINE)
    assert len(tables) == 5
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_times_ratios_and_what_does_not_fit_stand_in_the_tables() -> None:
    text = markdown(RESULTS)
    assert (
        "| tanh | 100 | 3 | 10.0 ms | 1.00 ms | 30.0 ms | 90.0 ms | 2.0 µs "
        "| 10 (8 to 12) | 3.00 (2.40 to 3.75) | 9.00 (7.20 to 11.25) |" in text
    )
    assert "| 3000 ms * | over 4 GB |" in text
    assert "| tanh | 1,642 | 1,000 | 1.0 MB | 500 kB | 9.0 MB | 20 GB | 12 MB |" in text
    assert "| tanh | time | K^2.00 | K^1.00 | K^2.00 |  |" in text
    assert "**missed**" not in text


@pytest.mark.parametrize(
    ("count", "text"), [(12, "12 bytes"), (1500, "1.5 kB"), (4e6, "4.0 MB"), (6.6e9, "6.6 GB")]
)
def test_bytes_have_two_digits_or_more(count: float, text: str) -> None:
    assert octets(count) == text
