"""Chapter 03: write ``my_audit(logged, before, after, gradients, step)``, which reads a training log.

Given are the number that a program logged, the losses of the K + 1 states before and after one step of
plain gradient descent, each loss's gradient before it, and the step. The learning rate was not recorded.
What is asked for: which number was logged, and whose gradient was followed.
"""

from itertools import product
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
)

LOGGED, FOLLOWED = ("sum", "weighted", "after"), ("sum", "weighted", "neither")
SIZE, TOLERANCE = 3, 1e-6


class Program:
    """A recurrent network in NumPy: h_k = tanh(W h_{k-1} + a_k), l_k = |h_k - t_k|^2 / 2.

    Args:
      steps: K.
      seed: of its numbers.
    """

    def __init__(self, steps: int, seed: int) -> None:
        source = np.random.default_rng(seed)
        self.actions = source.normal(size=(steps, SIZE))
        self.targets = source.uniform(-1, 1, (steps + 1, SIZE))
        self.start = source.normal(size=SIZE * (SIZE + 1)) / 2
        """h_0 and W, in one row."""

    def states(self, weights: Array) -> Array:
        """Return the states, ``[K + 1, 3]``."""
        kernel, states = weights[SIZE:].reshape(SIZE, SIZE), [weights[:SIZE]]
        for action in self.actions:
            states.append(np.tanh(kernel @ states[-1] + action))
        return np.array(states)

    def losses(self, weights: Array) -> Array:
        """Return the loss of each state, ``[K + 1]``."""
        squares: Array = np.sum((self.states(weights) - self.targets) ** 2, axis=1) / 2
        return squares

    def gradients(self, weights: Array, scale: float = 1.0) -> Array:
        """Return each loss's gradient, ``[K + 1, 12]``, with a scale after the heads."""
        states, kernel = self.states(weights), weights[SIZE:].reshape(SIZE, SIZE)
        rows = []
        for k, error in enumerate(states - self.targets):
            cotangent, of_kernel = error, np.zeros((SIZE, SIZE))
            for j in range(k, 0, -1):
                before = (1 - states[j] ** 2) * cotangent
                of_kernel += np.outer(before, states[j - 1])
                cotangent = kernel.T @ before * (scale if j > 1 else 1.0)
            rows.append(np.concatenate([cotangent, of_kernel.ravel()]))
        return np.array(rows)


def weights_of(name: str, steps: int) -> Array:
    """Return the weights of the losses: all 1, or 1 for the root's and 1/K for the others."""
    return np.array([1.0] + steps * [1 / steps if name == "weighted" else 1.0])


def record(
    steps: int, seed: int, logged: str, followed: str, *, rate: float, scale: float = 0.5
) -> tuple[Any, ...]:
    """Run one step of a program, and return its record.

    Args:
      steps, seed: of the program.
      logged: one of ``LOGGED``.
      followed: one of ``FOLLOWED``; for ``"neither"`` there is a scale after the heads.
      rate: the learning rate.
      scale: the scale, where there is one.
    """
    program = Program(steps, seed)
    start, own = program.start, program.gradients(program.start)
    if followed == "neither":
        gradient = weights_of("weighted", steps) @ program.gradients(start, scale)
    else:
        gradient = weights_of(followed, steps) @ own
    before, after = program.losses(start), program.losses(start - rate * gradient)
    weights = weights_of(logged, steps)
    number = float(weights @ (after if logged == "after" else before))
    return number, before, after, own, -rate * gradient


CASES = tuple(
    Case(record(steps, seed, logged, followed, rate=rate, scale=scale), f"for program {number}")
    for number, (steps, seed, logged, followed, rate, scale) in enumerate(
        (
            (3, 0, "sum", "weighted", 0.1, 1.0),
            (3, 1, "weighted", "weighted", 0.25, 1.0),
            (3, 2, "sum", "sum", 0.02, 1.0),
            (4, 3, "sum", "neither", 0.1, 0.5),
            (2, 4, "after", "sum", 0.05, 1.0),
            (4, 5, "weighted", "sum", 0.03, 1.0),
            (5, 6, "after", "neither", 0.2, 0.0),
            (5, 7, "weighted", "neither", 0.1, 0.5),
            (2, 8, "after", "weighted", 0.5, 1.0),
            (4, 9, "sum", "sum", 1.0, 1.0),
        ),
        start=1,
    )
)


def _log(logged: float, before: Array, after: Array) -> str:
    steps = len(before) - 1
    if np.isclose(logged, np.sum(before), rtol=TOLERANCE):
        return "sum"
    if np.isclose(logged, weights_of("weighted", steps) @ before, rtol=TOLERANCE):
        return "weighted"
    return "after"


def _cosines(gradients: Array, step: Array) -> list[float]:
    """Return the step's cosines with the two descents."""
    found = []
    for name in ("sum", "weighted"):
        down = -weights_of(name, len(gradients) - 1) @ gradients
        found.append(float(down @ step / np.linalg.norm(down) / np.linalg.norm(step)))
    return found


def _followed(gradients: Array, step: Array, at_least: float = 1 - TOLERANCE) -> str:
    fits = [cosine > at_least for cosine in _cosines(gradients, step)]
    return "sum" if fits[0] else "weighted" if fits[1] else "neither"


def _lengths_too(gradients: Array, step: Array, rate: float) -> str:
    """Compare the step itself with a gradient, at a made-up learning rate."""
    for name in ("sum", "weighted"):
        if np.allclose(step, -rate * weights_of(name, len(gradients) - 1) @ gradients, rtol=1e-5):
            return name
    return "neither"


def _nearest_point(gradients: Array, step: Array) -> str:
    """Name the gradient that, at a learning rate of 1, ends nearest to the step."""
    off = {n: weights_of(n, len(gradients) - 1) @ gradients + step for n in ("sum", "weighted")}
    return min(off, key=lambda name: float(np.linalg.norm(off[name])))


def _log_before(logged: float, before: Array, after: Array) -> str:
    """Name the nearer of the two sums before the step."""
    of = {name: float(weights_of(name, len(before) - 1) @ before) for name in ("sum", "weighted")}
    return min(of, key=lambda name: abs(of[name] - logged))


def answer(
    *, log: Function = _log, followed: Function = _followed, join: Function = lambda a, b: (a, b)
) -> Function:
    """Make the right answer, or one with a half replaced."""
    return lambda logged, before, after, gradients, step: join(
        log(logged, before, after), followed(gradients, step)
    )


right = answer()


def _renamed(log: dict[str, str] | None = None, followed: dict[str, str] | None = None) -> Function:
    """Give the right answer, with some names in place of others."""
    return answer(join=lambda a, b: ((log or {}).get(a, a), (followed or {}).get(b, b)))


MISCONCEPTIONS = (
    *always(product(LOGGED, FOLLOWED), "program"),
    Misconception("follows_what_it_logs",
        "it takes for granted that a program follows the number that it logs. The step can be looked at by "
        "itself: which losses' gradients is it made of?",
        answer(join=lambda a, b: (a, "sum" if a == "after" else a)),
        answer(join=lambda a, b: (a, "neither" if a == "after" else a)),
        answer(join=lambda a, b: (a, "weighted" if a == "after" else a))),
    Misconception("logs_what_it_follows",
        "it takes for granted that a program logs what it follows. The log can be looked at by itself: which "
        "sum of which losses is it?",
        answer(join=lambda a, b: ("after" if b == "neither" else b, b)),
        answer(join=lambda a, b: ("sum" if b == "neither" else b, b)),
        answer(join=lambda a, b: ("weighted" if b == "neither" else b, b))),
    Misconception("swapped",
        "the two names have changed places: first comes what was logged, then what was followed.",
        answer(join=lambda a, b: (b, a))),
    Misconception("rate_assumed",
        "the step is compared with a gradient of the same length. The learning rate was not recorded, so only the "
        "step's direction can be compared, not its length.",
        *(answer(followed=lambda g, d, rate=rate: _lengths_too(g, d, rate))
          for rate in (1.0, 0.5, 0.25, 0.1, 0.05, 0.03, 0.02)),
        answer(followed=_nearest_point)),
    Misconception("none_found",
        "it says 'neither' of every step. The learning rate was not recorded, so compare directions; and a step "
        "goes down, against the gradient that it follows.",
        answer(followed=lambda g, d: "neither")),
    Misconception("neither_overlooked",
        "it accepts a step that is only roughly along a gradient. Some follow neither: how exactly do the "
        "directions agree?",
        _renamed(followed={"neither": "weighted"}),
        _renamed(followed={"neither": "sum"}),
        *(answer(followed=lambda g, d, least=least: _followed(g, d, least))
          for least in (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99))),
    Misconception("after_overlooked",
        "each number that was logged is taken for one of the losses before the step. A program may log what it "
        "finds after it.",
        *(_renamed(log={"after": name}) for name in ("sum", "weighted")), answer(log=_log_before)),
    Misconception("root_weighted_too",
        "the weight 1/K is given to the root's loss, too. Then all weights are alike, and the direction is that "
        "of the plain sum.",
        _renamed(followed={"weighted": "neither"}),
        _renamed(log={"weighted": "after"}, followed={"weighted": "neither"})),
    Misconception("log_root_weighted_too",
        "of the logs, the weighted one is not found. The root's loss counts in full in it, and the others by "
        "1/K.",
        _renamed(log={"weighted": "after"})),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} programs are right. What a program logs doesn't tell you what it follows. The "
    "direction of its step does.",
    first=one_of(CASES, LOGGED, FOLLOWED),
    read=lambda value, case: tuple(value) if isinstance(value, list) else value,
    quantity="the answer",
).exercise(
    "logged_and_descended",
    partial={
        "follows_what_it_logs": 0.25,
        "logs_what_it_follows": 0.25,
        "swapped": 0.75,
        "rate_assumed": 0.25,
        "neither_overlooked": 0.5,
        "after_overlooked": 0.5,
        "root_weighted_too": 0.5,
        "log_root_weighted_too": 0.5,
    },
)
"""An answer is called as ``answer(logged, before, after, gradients, step)`` and returns two names, one of
``LOGGED`` and one of ``FOLLOWED``."""
