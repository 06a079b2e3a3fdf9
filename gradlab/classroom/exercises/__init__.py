"""The exercises, one a file. To add one, write its ``examine`` and name it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradlab.classroom.exercises import (
    backward_by_hand,
    backward_products,
    clip_by_global_norm,
    clip_gradient_norm,
    clipped_descent,
    ledger_coefficients,
    max_norm,
    order_of_a_step,
    scale_gradient,
    scaled_unroll,
    three_places,
    update_weights,
)
from gradlab.classroom.findings import Finding

EXERCISES: Mapping[str, Callable[[Any], Finding]] = {
    "backward_by_hand": backward_by_hand.examine,
    "backward_products": backward_products.examine,
    "clip_by_global_norm": clip_by_global_norm.examine,
    "clip_gradient_norm": clip_gradient_norm.examine,
    "clipped_descent": clipped_descent.examine,
    "ledger_coefficients": ledger_coefficients.examine,
    "max_norm": max_norm.examine,
    "order_of_a_step": order_of_a_step.examine,
    "scale_gradient": scale_gradient.examine,
    "scaled_unroll": scaled_unroll.examine,
    "three_places": three_places.examine,
    "update_weights": update_weights.examine,
}
