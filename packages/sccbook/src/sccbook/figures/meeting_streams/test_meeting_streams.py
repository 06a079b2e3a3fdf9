"""The meeting of streams: its numbers against formulas by hand, its words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures import MeetingStreams
from sccbook.figures.meeting_streams.figure import HEADS, NEXT

pytestmark = pytest.mark.slow

SETTINGS = [
    {"following": following, "c": c, "heads": heads}
    for following, heads in ((NEXT, HEADS), ((-1.8, 0.4), (0.9, -0.2)), ((0.3, 0.9), (1.3, -0.4)))
    for c in (0.3, 1.0, 2.3)
]


@pytest.fixture(scope="module")
def figure():
    return MeetingStreams()


def clip(g, c):
    return g * min(1.0, c / max(np.linalg.norm(g), 1e-300))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_hook_clips_the_sum_and_the_branch_clip_one_of_its_terms(figure, settings):
    figure.set(**settings)
    found, c = figure.value, settings["c"]
    heads, following = np.array(settings["heads"]), np.array(settings["following"])
    np.testing.assert_allclose(found["whole"], heads + following, atol=1e-12)
    np.testing.assert_allclose(found["hook"], clip(heads + following, c), atol=1e-12)
    np.testing.assert_allclose(found["cut"], clip(following, c), atol=1e-12)
    np.testing.assert_allclose(found["branch"], heads + clip(following, c), atol=1e-12)


def test_at_first_they_are_26_degrees_apart(figure):
    figure.set(following=NEXT, c=1.0, heads=HEADS)
    found = figure.value
    hook, branch = found["hook"], found["branch"]
    cosine = hook @ branch / np.linalg.norm(hook) / np.linalg.norm(branch)
    assert found["apart"] == pytest.approx(np.degrees(np.arccos(cosine)))
    assert round(float(found["apart"])) == 26


@pytest.mark.parametrize(("following", "c", "heads", "words"), [
    (NEXT, 1.0, HEADS, "The hook cuts the sum from 2.24 to 1.00. The branch clip cuts the next step’s part: the "
     "sum is 1.40 long, and turned by 26° towards the heads."),
    (NEXT, 2.3, HEADS, "Neither the sum nor the next step’s part is longer than c = 2.3"),
    (NEXT, 2.2, HEADS, "The hook cuts the sum from 2.24 to 2.20. The next step’s part is within c = 2.2"),
    ((1.8, -0.6), 1.0, (-1.1, 0.9), "The sum is within c = 1, so the hook does nothing. The branch clip cuts"),
    ((2.0, 0.0), 1.0, (1.0, 0.0), "The hook cuts the sum from 3.00 to 1.00. The branch clip cuts the next step’s "
     "part: the sum is 2.00 long, in the same direction."),
    ((-1.8, -0.25), 0.5, (1.2, 0.45), "The hook cuts the sum from 0.63 to 0.50. The branch clip cuts the next step’s "
     "part: the sum is 0.80 long, and turned by 133° towards the heads."),
    ((-1.8, 0.4), 0.5, (0.9, -0.2), "The hook cuts the sum from 0.92 to 0.50. The branch clip cuts the next step’s "
     "part: the sum is 0.42 long, and points the other way."),
])  # fmt: skip
def test_the_sentence_says_what_each_clip_does(figure, following, c, heads, words):
    figure.set(following=following, c=c, heads=heads)
    assert figure.sentence.startswith(words)


def test_the_branch_has_a_ring_only_where_its_clip_acts(figure):
    figure.set(following=NEXT, c=0.7, heads=HEADS)
    assert figure.value["around"] == 0.7
    figure.set(c=2.3)
    assert figure.value["around"] == 0
