"""Programs that are timed: those of the book's figures, and two that are also written by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

import sccbook.figures
from benchmarks.program.book import Shown
from scaleclip.ops import scale_gradient
from explorax.compiler import compile

CALLS = 16
"""Number of different arguments that the calls take in turn."""


@dataclass(frozen=True)
class Case:
    """A program and how it is called.

    Attributes:
      name: of the function or the figure.
      function: of NumPy arrays and numbers; None where a chapter has made it.
      calls: the arguments of each call.
      page: of the book, where the program stands.
      program: the module's text, if a page has it; else it is compiled when it is needed.
      by_hand: the same in hand-written JavaScript, if there is one.
    """

    name: str
    function: Callable[..., Any] | None
    calls: Sequence[tuple[Any, ...]]
    page: str = "–"
    program: str = ""
    by_hand: str = ""

    @property
    def module(self) -> str:
        """The module's text."""
        if self.program or self.function is None:
            return self.program
        return compile(self.function, *self.calls[0]).javascript


def of_figure(shown: Shown) -> Case:
    """The program in a page, called with its controls set at random."""
    random = np.random.default_rng(1)
    controls = shown.description["controls"]
    calls = [tuple(anywhere(control, random) for control in controls) for _ in range(CALLS)]
    made: Any = getattr(sccbook.figures, shown.name, None)
    function = made().spec.function if made else None  # none where a chapter's own is shown
    return Case(shown.name, function, calls, shown.page, shown.description["program"])


def anywhere(control: dict[str, Any], random: np.random.Generator) -> Any:
    """A random setting of a control, as the traced function takes it."""
    match control["kind"]:
        case "choice":
            return int(random.integers(len(control["options"])))
        case "toggle":
            return bool(random.integers(2))
        case "integer":
            return int(random.integers(control["minimum"], control["maximum"] + 1))
        case "log":
            return np.exp(random.uniform(*np.log([control["minimum"], control["maximum"]])))
    return random.uniform(control["minimum"], control["maximum"])


def clip_pair(gradient: Array, limit: Array) -> dict[str, Array]:
    """Clip the norm of a gradient ``[2]`` to ``limit``."""
    norm = jnp.linalg.norm(gradient)
    factor = jnp.minimum(1.0, limit / norm)
    return {"clipped": factor * gradient, "norm": norm, "factor": factor}


def recurrent_gradient(
    dynamics: Array,
    bias: Array,
    action: Array,
    head: Array,
    state: Array,
    actions: Array,
    returns: Array,
    scale: Array,
) -> dict[str, Any]:
    """The loss of a 12-step unroll and its gradient, each state's cotangent scaled.

    Args:
      dynamics: float ``[16, 16]``; W in h' = tanh(W h + b + u a).
      bias, action, head: float ``[16]``; b, u, and v of the value v . h.
      state: float ``[16]``; h_0.
      actions, returns: float ``[12]``.
      scale: float ``[]``; s, met by each state after its head.
    """

    def loss(dynamics: Array, bias: Array, action: Array, head: Array, state: Array) -> Array:
        def step(h: Array, given: tuple[Array, Array]) -> tuple[Array, Array]:
            a, target = given
            h = jnp.tanh(dynamics @ h + bias + a * action)
            return scale_gradient(h, scale), jnp.square(jnp.dot(head, h) - target)

        return jnp.mean(jax.lax.scan(step, state, (actions, returns))[1])

    value, (*gradient, root) = jax.value_and_grad(loss, argnums=(0, 1, 2, 3, 4))(
        dynamics, bias, action, head, state
    )
    return {"gradient": gradient, "loss": value, "root": root}


def max_norm(weights: Array, limit: Array, times: Array) -> dict[str, Array]:
    """Keras's MaxNorm applied ``times`` times to the columns of ``weights [2, 6]``."""

    def constrain(_: Array, weights: Array) -> Array:
        norms = jnp.sqrt(jnp.sum(jnp.square(weights), axis=0, keepdims=True))
        return weights * (jnp.clip(norms, 0.0, limit) / (1e-7 + norms))

    return {"weights": jax.lax.fori_loop(0, times, constrain, weights)}


def of_function(
    name: str,
    function: Callable[..., Any],
    arguments: Callable[[np.random.Generator], tuple[Any, ...]],
    by_hand: str = "",
) -> Case:
    """A function as a chapter writes it, and the file under ``handwritten/`` that does the same."""
    random = np.random.default_rng(1)
    file = Path(__file__).parent / "handwritten" / by_hand
    text = file.read_text(encoding="utf-8") if by_hand else ""
    return Case(name, function, [arguments(random) for _ in range(CALLS)], by_hand=text)


WRITTEN_BY_HAND = (
    of_function(
        "norm clip of a pair", clip_pair,
        lambda random: (random.normal(size=2), random.uniform(0.5, 2.0)),
        by_hand="clip_pair.js",
    ),
    of_function(
        "gradient of a 12-step unroll, 16 wide", recurrent_gradient,
        lambda random: (
            *(0.3 * random.normal(size=shape) for shape in ((16, 16), 16, 16, 16)),
            *(random.normal(size=size) for size in (16, 12, 12)),
            random.uniform(0.0, 1.0),
        ),
        by_hand="recurrent_gradient.js",
    ),
)  # fmt: skip
BEYOND = of_function(
    "MaxNorm on 6 columns, 100,000 times", max_norm,
    lambda random: (random.normal(size=(2, 6)), random.uniform(0.5, 3.0), 100_000),
)  # fmt: skip
"""A function with enough to do in one call for XLA to win."""
