"""The meeting of streams: its numbers against formulas by hand, its words at the corners."""

import numpy as np
import pytest

from sccbook.figures.meeting_streams.figure import HEADS, NEXT

pytestmark = pytest.mark.slow

SETTINGS = [
    {"following": following, "c": c, "heads": heads}
    for following, heads in ((NEXT, HEADS), ((-1.8, 0.4), (0.9, -0.2)), ((0.3, 0.9), (1.3, -0.4)))
    for c in (0.3, 1.0, 2.3)
]


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


def test_the_branch_has_a_ring_only_where_its_clip_acts(figure):
    figure.set(following=NEXT, c=0.7, heads=HEADS)
    assert figure.value["around"] == 0.7
    figure.set(c=2.3)
    assert figure.value["around"] == 0
