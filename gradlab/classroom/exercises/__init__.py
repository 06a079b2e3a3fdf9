"""The exercises, one a file. To add one, write its ``examine`` and name it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradlab.classroom.exercises import (
    backward_by_hand,
    clip_by_global_norm,
    clip_gradient_norm,
    max_norm,
    scale_gradient,
    scaled_unroll,
    three_places,
)
from gradlab.classroom.findings import Finding

EXERCISES: Mapping[str, Callable[[Any], Finding]] = {
    "backward_by_hand": backward_by_hand.examine,
    "clip_by_global_norm": clip_by_global_norm.examine,
    "clip_gradient_norm": clip_gradient_norm.examine,
    "max_norm": max_norm.examine,
    "scale_gradient": scale_gradient.examine,
    "scaled_unroll": scaled_unroll.examine,
    "three_places": three_places.examine,
}
