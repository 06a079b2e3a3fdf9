"""The corners of clips: what the figure says is what was recorded."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.figure_settings import assert_page_agrees

from sccbook.figures import ClipCorners
from sccbook.figures.clip_corners.figure import (
    CLIPS,
    CORNERS,
    LOST,
    NAN,
    NONE,
    RIGHT,
    SAID,
    kind,
)

pytestmark = pytest.mark.slow

RECORD = Path(__file__).parents[6] / "snippets" / "results.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["corners of clips"]
NAMES = [name for _, name, *_ in CORNERS]


@pytest.mark.parametrize(
    ("found", "right", "expected"),
    [
        ("0.6, 0.8", "0.6, 0.8", RIGHT),
        ("0, 0", "0.6, 0.8", LOST),
        ("nan, 0", "nan, nan", LOST),
        ("nan, nan", "0.6, 0.8", NAN),
        ("nan, nan", "nan, nan", RIGHT),
        ("error: TypeError", "kept", SAID),
        ("warns", "kept", SAID),
        ("not differentiated", "1, 1", NONE),
    ],
)
def test_an_outcome_is_right_or_silently_wrong_or_nan_or_reported(found, right, expected):
    assert kind(found, right) == expected


def test_the_record_has_every_corner_and_every_clip_and_no_other():
    assert [corner for corner, *_ in CORNERS] == [c for c in RECORDED if c not in LEFT_OUT]
    for corner, *_ in CORNERS:
        assert list(RECORDED[corner]) == list(CLIPS)


LEFT_OUT = {
    "slope within the limit, at [0.3, 0.4]",
    "slope beyond it, at [3, 4]",
    "slopes of a value clip at 0, 0.5 and 1",
}
"""Where all clips agree, and what is of other clips."""


@pytest.mark.parametrize("corner", NAMES)
def test_the_counts_are_those_of_the_record(corner):
    value = ClipCorners(RECORDED, corner).value
    recorded, right = next((c, r) for c, name, *_, r in CORNERS if name == corner)
    found = list(RECORDED[recorded].values())
    assert value["right"] == found.count(right)
    assert value["nans"] == (0 if right == "nan, nan" else found.count("nan, nan"))
    assert value["said"] == sum(f.startswith("error") or f == "warns" for f in found)
    there = sum(f not in ("no derivative", "not differentiated") for f in found)
    assert value["right"] + value["lost"] + value["nans"] + value["said"] == there


def test_a_filter_shows_one_kind_of_outcome_in_all_corners():
    figure = ClipCorners(RECORDED)
    assert np.all(figure.value["shown"] == 1)
    figure.show = "nan"
    np.testing.assert_array_equal(figure.value["shown"], figure.value["kinds"] == NAN)
    assert figure.value["found"] == np.sum(figure.value["kinds"] == NAN) > 5


def test_one_of_eight_clips_is_right_where_squares_overflow():
    figure = ClipCorners(RECORDED)
    assert figure.sentence == (
        "The finite float32 gradient (3e30, 4e30), limit 1. Of 8 clips right: 1; "
        "wrong without a word: 5; NaN: 2; an error or a warning: 0."
    )


def test_the_page_computes_what_jax_does(run_in_node):
    settings = [{"corner": corner, "show": show} for corner in NAMES for show in ("all", "lost")]
    assert_page_agrees(ClipCorners(RECORDED), settings, run_in_node)
