"""A bank of answers to chapter 08's diagnosis, and what its clips are."""

from functools import partial

import numpy as np
import pytest

from scaleclip.ops import clip_by_global_norm, clip_by_norm, clip_by_value
from sccbook.checking.clips import CLIPS, clip_of
from sccbook.checking.comparisons import renamed

VALUE, NORM, GLOBAL, NORMALISE, SCALE = CLIPS


def grads(size):
    return {"w": size * np.array([3.0, 4.0]), "b": size * np.array([0.3, 0.4])}


def by_two_sizes(clip, large=1e3, small=1e-3):
    """One long gradient, and one that no limit touches."""
    long, short = clip(grads(large)), clip(grads(small))
    if not np.allclose(short["w"], grads(small)["w"]):
        same = np.allclose(long["w"], large / small * short["w"])
        return SCALE if same else NORMALISE
    if np.isclose(long["w"][0], long["w"][1]):
        return VALUE
    return NORM if np.allclose(long["w"], long["b"]) else GLOBAL


WRONG = {
    "always_the_same": [lambda clip, name=name: name for name in CLIPS],
    "one_array_alone": [
        renamed(by_two_sizes, {"norm": GLOBAL}),
        renamed(by_two_sizes, {"global_norm": NORM}),
        renamed(by_two_sizes, {"norm": GLOBAL, "normalise": GLOBAL, "scale": GLOBAL}),
    ],
    "long_ones_alone": [
        renamed(by_two_sizes, {"normalise": GLOBAL, "scale": GLOBAL}),
        renamed(by_two_sizes, {"scale": GLOBAL}),
    ],
    "normalise_is_scale": [
        renamed(by_two_sizes, {"normalise": SCALE}),
        renamed(by_two_sizes, {"scale": NORMALISE}),
    ],
    "value_or_norm": [
        renamed(by_two_sizes, {"value": NORM}),
        renamed(by_two_sizes, {"norm": VALUE, "value": NORM}),
    ],
    "value_or_global": [renamed(by_two_sizes, {"value": GLOBAL})],
    "global_and_norm_swapped": [renamed(by_two_sizes, {"norm": GLOBAL, "global_norm": NORM})],
    "direction_alone": [
        renamed(by_two_sizes, {"norm": VALUE, "normalise": GLOBAL, "scale": GLOBAL})
    ],
    "not_short_enough": [partial(by_two_sizes, small=small) for small in (0.03, 0.2)],
    "not_long_enough": [partial(by_two_sizes, large=5.0)],
    "not_a_name": [lambda clip: "by value", lambda clip: by_two_sizes(clip).upper()],
    "returns_other": [lambda clip: 0.5, lambda clip: clip(grads(1.0))["w"]],
    "structure_changed": [lambda clip: [by_two_sizes(clip)]],
    "not_callable": [GLOBAL],
    "raises": [lambda: GLOBAL, lambda clip: clip(np.ones(2))],
    "never_said": [renamed(by_two_sizes, {"scale": VALUE})],
}

IN_PART = {"not_long_enough": [partial(by_two_sizes, large=2.2)]}

RIGHT = {
    "at two sizes": by_two_sizes,
}


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_clips_agree_with_the_operators(size):
    g = grads(size)
    for kind, own in (
        (VALUE, clip_by_value(g, -0.5, 0.5)),
        (NORM, {name: clip_by_norm(leaf, 0.5) for name, leaf in g.items()}),
        (GLOBAL, clip_by_global_norm(g, 0.5)[0]),
    ):
        for name, leaf in clip_of(kind, 0.5)(g).items():
            np.testing.assert_allclose(leaf, own[name], rtol=1e-6)
