"""Every cell of ``snippets/rosetta.toml`` does what NumPy's does; and the corners of every clip."""

from __future__ import annotations

from typing import Any

import pytest

from tests.frameworks.corners import (
    AT_CORNERS,
    CLIPS,
    CORNERS,
    NONE,
    SLOPES,
    VALUE_CLIPS,
    VALUE_SLOPES,
)
from tests.frameworks.given import inputs
from tests.frameworks.record import corners_of_clips, outcomes
from tests.frameworks.rosetta import (
    AT_TIMES,
    GONE,
    ON_NAN,
    OPERATIONS,
    ROSETTA,
    RUN_BY,
    difference,
    entries,
    largest_difference,
)

CELLS = [
    (name, column) for name, table in OPERATIONS.items() for column in RUN_BY if column in table
]
TOLERANCE = 1e-6
"""Of the largest entry of an array; what a library adds to a norm (`differs`) is within it."""


@pytest.fixture(scope="session")
def told_by(results: dict[str, Any]) -> dict[str, Any]:
    return {name: found["told"] for name, found in results.items()}


@pytest.fixture(scope="session")
def ran(told_by: dict[str, Any]) -> dict[str, Any]:
    return outcomes(told_by)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_has_a_cell_or_a_reason_for_every_library(operation: str) -> None:
    table = OPERATIONS[operation]
    absent = table.get("absent", {})
    assert all(table[said] for said in ("title", "says", "result"))
    assert {*RUN_BY} - {*table} - {*absent} <= AT_TIMES
    assert all(why for why in absent.values())
    assert {*table.get("written_out", []), *table.get("differs", {})} <= {*RUN_BY} - {*absent}
    known = {"title", "says", "result", "written_out", "absent", "differs", "on_nan"}
    assert {*table} <= {*known, "shown_above", *RUN_BY}


def test_the_names_that_cells_act_on_are_said() -> None:
    assert {*ROSETTA["given"]} == {*inputs()["long"], "loss", "model"}
    assert {*ROSETTA["imports"]} == {*RUN_BY}


@pytest.mark.parametrize(("operation", "column"), CELLS)
def test_a_cell_is_short_and_does_what_numpys_does(
    ran: dict[str, Any], operation: str, column: str
) -> None:
    lines = OPERATIONS[operation][column].strip().split("\n")
    assert max(map(len, lines)) <= 76
    assert len([line for line in lines if line and line[0] != "#"]) <= 8
    found, expected = ran[column][operation], ran["numpy"][operation]
    assert len(found) == 7 + ("on_nan" in OPERATIONS[operation])
    assert largest_difference(found, expected) <= TOLERANCE


def test_a_nan_is_refused_or_leaves_the_weights_alone(ran: dict[str, Any]) -> None:
    assert ran["numpy"]["stop_on_nonfinite"][ON_NAN] == [[1.0]]
    kept = entries(inputs()["long"]["params"])
    assert ran["numpy"]["skip_nonfinite"][ON_NAN] == kept


@pytest.mark.parametrize("entry", GONE, ids=lambda entry: entry["form"])
def test_what_is_said_to_be_gone_is_gone_and_its_replacement_runs(
    told_by: dict[str, Any], ran: dict[str, Any], entry: dict[str, str]
) -> None:
    found = told_by[RUN_BY[entry["library"]]]["gone"][entry["form"]]
    assert found["gone"]
    assert max(map(len, entry["now"].split("\n"))) <= 76
    if "like" in entry:
        assert difference(found["now"], ran["numpy"][entry["like"]]["long"]) <= TOLERANCE


NAN, RIGHT, ZERO, FIRST = "nan, nan", "0.6, 0.8", "0, 0", "nan, 0"
KEPT, TINY = "kept", "3e-30, 4e-30"
EYE, ACROSS, NOT = "1, 1", "0.032, -0.024", "not differentiated"
KNOWN = {
    # by hand, scaleclip, Optax, clipnorm, global_clipnorm, clip_by_norm, clip_by_global_norm, PyTorch
    "zero": [ZERO] * 8,
    "float32 [3e30, 4e30]": [ZERO, RIGHT, ZERO, ZERO, NAN, ZERO, NAN, ZERO],
    "float16 [300, 400]": [ZERO, RIGHT, ZERO, ZERO, NAN, ZERO, NAN, RIGHT],
    "[3e-30, 4e-30]": [TINY, "6e-31, 8e-31", TINY, ZERO, TINY, ZERO, TINY, ZERO],
    "[inf, 1]": [FIRST, NAN, FIRST, FIRST, NAN, FIRST, NAN, FIRST],
    "[nan, 1]": [NAN] * 8,
    "[3, 4], limit 0": [ZERO, ZERO, ZERO, "3, 4", "3, 4", ZERO, ZERO, ZERO],
    "zero, limit 0": [NAN, ZERO, NAN, ZERO, ZERO, NAN, NAN, ZERO],
    NONE: ["error: TypeError", KEPT, KEPT, "warns", "warns", "error: ValueError", KEPT, KEPT],
    "slope at zero": ["no derivative", EYE, NAN, EYE, NAN, EYE, NAN, NOT],
    "slope within": ["no derivative", *[EYE] * 6, NOT],
    "slope beyond": ["no derivative", *[ACROSS] * 6, NOT],
}


VALUE_SLOPES_AT_LIMIT = {  # any from 0 to 1 will do; PyTorch's was 1 until 2.13
    "jnp.clip": "0.5",
    "jax.lax.clamp": "0",
    "optax.clip": "0.5",
    "scaleclip.ops.clip_by_value": "1",
    "keras clipvalue": "0.5",
    "tf.clip_by_value": "1",
    "torch.clamp": "0",
}


def test_the_corners_of_clips_are_as_the_book_says(told_by: dict[str, Any]) -> None:
    corners = corners_of_clips(told_by)
    assert [*corners] == CORNERS
    known = zip([*AT_CORNERS, NONE, *SLOPES], KNOWN.items(), strict=True)
    for corner, (start, expected) in known:
        assert corner.startswith(start)
        assert corners[corner] == dict(zip(CLIPS, expected, strict=True)), corner
    assert [*corners[VALUE_SLOPES]] == [*VALUE_CLIPS]
    for clip, at_limit in VALUE_SLOPES_AT_LIMIT.items():
        assert corners[VALUE_SLOPES][clip] == f"1, 1, {at_limit}", clip
