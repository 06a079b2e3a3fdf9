"""The corners of clips: what the figure says is what was recorded."""

import json
from pathlib import Path

import pytest
from tests.figure_settings import assert_page_agrees

from sccbook.figures import ClipCorners
from sccbook.figures.clip_corners.figure import (
    CLIPS,
    CORNERS,
    LOST,
    NAMES,
    NAN,
    NONE,
    RIGHT,
    SAID,
    kind,
)

pytestmark = pytest.mark.slow

RECORD = Path(__file__).parents[6] / "snippets" / "results.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["corners of clips"]


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
    assert {corner for corner, *_ in CORNERS} == {*RECORDED} - LEFT_OUT
    for corner, *_ in CORNERS:
        assert list(RECORDED[corner]) == list(CLIPS)


LEFT_OUT = {
    "slope within the limit, at [0.3, 0.4]",
    "slope beyond it, at [3, 4]",
    "slopes of a value clip at 0, 0.5 and 1",
}
"""Where all clips agree, and what is of other clips."""


def test_the_counts_are_those_of_the_record():
    value = ClipCorners(RECORDED).value
    for row, (recorded, *_, right) in enumerate(CORNERS):
        found = list(RECORDED[recorded].values())
        assert value["right"][row] == found.count(right)
        assert value["nans"][row] == (0 if right == "nan, nan" else found.count("nan, nan"))
        said = sum(f.startswith("error") or f == "warns" for f in found)
        assert value["said"][row] == said
    assert sum(value[name].sum() for name in NAMES) == len(CORNERS) * len(CLIPS)


@pytest.mark.parametrize(
    ("corner", "words"),
    [
        ("zero", "All 8 clips return (0, 0), which is right."),
        (
            "overflow",
            "Of 8 clips, 1 returns (0.6, 0.8), which is right; 5 are silently wrong; 2 return NaN.",
        ),
        ("none", "Of 8 clips, 4 keep it, which is right; 4 give an error or a warning."),
        (
            "slope",
            "Of 8 clips, 3 return (1, 1), which is right; 3 return NaN; 2 have no derivative.",
        ),
    ],
)
def test_the_sentence_says_how_many_are_right(corner, words):
    assert ClipCorners(RECORDED, corner).sentence.endswith(words)


def test_the_page_computes_what_jax_does(run_in_node):
    settings = [{"corner": corner} for _, corner, *_ in CORNERS]
    assert_page_agrees(ClipCorners(RECORDED), settings, run_in_node)
