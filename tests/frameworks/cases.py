"""What every snippet is run on: states, the gradients that come back to them, and arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

ARGUMENTS = {
    "scale_gradient": (-1.0, 0.0, 0.1, 0.5, 1.0, 3.0, 100.0),
    "clip_norm_at_state": (0.01, 0.3, 1.0, 5.0, np.inf),
}
"""The operations, and scales or limits for them."""

SHAPES = ((3,), (4, 5), (2, 3, 7), (1, 1), (6, 1000))
DTYPES = ("float32", "float64")


class Case(NamedTuple):
    """A call: ``operation(x, argument)``, with the gradient ``g`` of what it returns."""

    operation: str
    argument: float
    x: np.ndarray
    g: np.ndarray


def cases() -> Iterator[Case]:
    """Yield the cases, always the same; in each but the smallest an example has a gradient of 0."""
    random = np.random.default_rng(0)
    for operation, arguments in ARGUMENTS.items():
        for shape in SHAPES:
            x, g = random.normal(size=(2, *shape))
            g *= 10.0 ** random.integers(-3, 4, size=(*shape[:-1], 1))  # short ones, and long
            g[0] *= 0.0 if len(g) > 1 else 1.0
            for dtype in DTYPES:
                for argument in arguments:
                    yield Case(operation, argument, x.astype(dtype), g.astype(dtype))


def array(*entries: float) -> np.ndarray:
    return np.array([entries], np.float32)


ONES = array(1, 1)
CORNERS = {
    "inf in the state": Case("scale_gradient", 0.5, array(np.inf, 1), ONES),
    "-0 in the state": Case("scale_gradient", 0.5, array(-0.0, 1), ONES),
    "inf in the gradient": Case("scale_gradient", 0.5, ONES, array(np.inf, 1)),
    "NaN in the gradient": Case("scale_gradient", 0.5, ONES, array(np.nan, 1)),
    "inf in the clipped state": Case("clip_norm_at_state", 1.0, array(np.inf, 1), ONES),
    "inf in the clipped gradient": Case("clip_norm_at_state", 1.0, ONES, array(np.inf, 1)),
    "NaN in the clipped gradient": Case("clip_norm_at_state", 1.0, ONES, array(np.nan, 1)),
    "a gradient of 0": Case("clip_norm_at_state", 1.0, ONES, array(0, 0)),
    "a gradient of 0, the limit 0": Case("clip_norm_at_state", 0.0, ONES, array(0, 0)),
    "the norm overflows": Case("clip_norm_at_state", 1.0, ONES, array(3e30, 4e30)),
    "the norm underflows": Case("clip_norm_at_state", 1e-30, ONES, array(3e-30, 4e-30)),
}
"""Calls in float32 on which libraries differ; the first two ask for the value that is returned."""

OF_THE_VALUE = ("inf in the state", "-0 in the state", "inf in the clipped state")
