"""Dynamics unrolled in time, and where their gradients go."""

from gradlab.unroll.linear import (
    PLACEMENTS,
    Flow,
    Gates,
    Probes,
    flow,
    gate_places,
    open_gates,
    place_gates,
    total_gradient,
    unroll,
)

__all__ = [
    "PLACEMENTS",
    "Flow",
    "Gates",
    "Probes",
    "flow",
    "gate_places",
    "open_gates",
    "place_gates",
    "total_gradient",
    "unroll",
]
