"""Twelve functions of the book, each with arguments to call it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.program.functions import (
    Network,
    adam_and_sgd,
    adaptive_clip,
    clip_pair,
    cloud,
    ellipses,
    max_norm,
    policy_gradient,
    recurrent_gradient,
    threshold,
    trainer,
)
from gradlab.figures.reported_tangent import reported
from gradlab.figures.unrolled_flow import river


@dataclass(frozen=True)
class Case:
    """A function and how it is called.

    Attributes:
      words: what it is, for the table.
      chapter: where in the book.
      function: of NumPy arrays and numbers.
      arguments: from a number to the arguments of a call; another number, other values.
      recorded: whether it captures an array that was recorded, which is counted apart.
      handwritten: the file under ``handwritten/`` that does the same, if there is one.
    """

    words: str
    chapter: str
    function: Callable[..., Any]
    arguments: Callable[[np.random.Generator], tuple[Any, ...]]
    recorded: bool = False
    handwritten: str | None = None

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.function.__name__)

    def calls(self, number: int) -> list[tuple[Any, ...]]:
        """The arguments of ``number`` calls, the same each time."""
        source = np.random.default_rng(1)
        return [self.arguments(source) for _ in range(number)]


def _network(source: np.random.Generator) -> tuple[Any, ...]:
    normal, uniform = source.standard_normal, source.uniform
    weights: list[Any] = [0.3 * normal(shape) for shape in ((16, 16), (16,), (16,), (16,))]
    network = Network(*weights)
    return network, normal(16), normal(12), normal(12), uniform(0.0, 1.0)


CASES = (
    Case(
        "norm clip of a pair", "08", clip_pair,
        lambda r: (r.normal(size=2), r.uniform(0.5, 2.0)),
        handwritten="clip_pair.js",
    ),
    Case(
        "a curve and its reported tangent", "01", reported,
        lambda r: (r.uniform(-1.0, 1.0), r.uniform(-2.0, 2.0)),
    ),
    Case(
        "policy loss, gradient and Hessian", "05", policy_gradient,
        lambda r: (r.normal(size=9), r.uniform(0.0, 50.0, 9), r.uniform(0.5, 2.0)),
    ),
    Case(
        "ellipses of eight Jacobian products", "04", ellipses,
        lambda r: (r.uniform(-1.1, 1.1, (2, 2)),),
    ),
    Case(
        "the river: 12 losses by 12 applications", "06", river,
        lambda r: (
            r.uniform(0.0, 1.0), r.uniform(0.0, 2.0), int(r.integers(1, 13)),
            int(r.integers(0, 4)), int(r.integers(0, 2)), bool(r.integers(0, 2)),
            bool(r.integers(0, 2)), r.uniform(0.0, 4.0), int(r.integers(0, 2)),
        ),
    ),
    Case(
        "a cloud of 200 gradients, clipped", "08", cloud,
        lambda r: (r.uniform(0.2, 4.0), r.uniform(0.0, 2.0)),
        recorded=True,
    ),
    Case(
        "gradient of a 12-step unroll, 16 wide", "09", recurrent_gradient, _network,
        handwritten="recurrent_gradient.js",
    ),
    Case(
        "MaxNorm on 6 columns, 100 times", "10", max_norm,
        lambda r: (r.normal(size=(2, 6)), r.uniform(0.5, 3.0), 100),
    ),
    Case(
        "adaptive clip of a 16 by 16 layer", "10", adaptive_clip,
        lambda r: (r.normal(size=(16, 16)), r.normal(size=(16, 16)), r.uniform(0.1, 2.0)),
    ),
    Case(
        "Adam and SGD, 60 steps", "11", adam_and_sgd,
        lambda r: (10.0 ** r.uniform(-6.0, 1.0), r.uniform(0.01, 0.1), 1e-8),
    ),
    Case(
        "a history of 300 norms, and a threshold", "13", threshold,
        lambda r: (r.uniform(0.5, 8.0), r.uniform(0.01, 0.5)),
        recorded=True,
    ),
    Case(
        "a training run of 200 steps: 4 units, 10 points", "11", trainer(10, 4),
        lambda r: (r.uniform(0.003, 0.03), r.uniform(0.1, 1.0), r.uniform(0.5, 1.0)),
        handwritten="training_run.js",
    ),
)  # fmt: skip
"""In the order of the book's chapters, but the longest last."""
BEYOND = (
    Case(
        "MaxNorm on 6 columns, 100,000 times", "10", max_norm,
        lambda r: (r.normal(size=(2, 6)), r.uniform(0.5, 3.0), 100_000),
    ),
    Case(
        "a training run of 200 steps: 8 units, 16 points", "11", trainer(16, 8),
        lambda r: (r.uniform(0.003, 0.03), r.uniform(0.1, 1.0), r.uniform(0.5, 1.0)),
    ),
)  # fmt: skip
"""Timed beside them to show where the module loses; held against no target."""
