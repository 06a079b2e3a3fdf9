"""Time one program three ways: its emitted module, ``jax.jit``, hand-written JavaScript."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import jax
import numpy as np

from benchmarks.program.cases import Case
from benchmarks.turns import Rounds, by_turns, clocked
from explorax.node import Conversation

CLOSE = 1e-10
"""Greatest distance of results from JAX's, in units of the largest of their leaf (or of 1, if smaller)."""
Calls = Sequence[tuple[Any, ...]]
Results = list[list[np.ndarray]]
"""For each call its leaves: flat float64 arrays, in order."""


def load(node: Conversation, way: str, module: str, calls: Calls) -> Results:
    """Give Node a module and the arguments of its calls; return what the calls return."""
    arguments = [[np.asarray(leaf) for leaf in jax.tree.leaves(call)] for call in calls]
    plain = [[x.ravel().tolist() if x.ndim else x.item() for x in call] for call in arguments]
    answers = node.ask({"load": module, "as": way, "calls": plain})
    return [[np.frombuffer(base64.b64decode(leaf)) for leaf in answer] for answer in answers]


def require_agreement(found: Results, expected: Results, what: str) -> None:
    """Refuse results that differ from those of JAX: what differs is not to be timed.

    Raises:
      AssertionError: it says by how much.
    """
    for mine, theirs in zip(found, expected, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            size = np.max(np.abs(b), where=np.isfinite(b), initial=1.0)
            np.testing.assert_allclose(a, b, rtol=0, atol=CLOSE * size, err_msg=f"{what}, by JAX")


def through_python(
    function: Callable[..., Any], calls: Calls, seconds: float
) -> tuple[Results, Callable[[], float]]:
    """Return what a jitted function returns, and what times it, its arguments on the device."""
    jitted: Any = jax.jit(function)
    wait: Any = jax.block_until_ready
    placed = [jax.tree.map(jax.numpy.asarray, call) for call in calls]
    results = [
        [np.asarray(leaf, float).ravel() for leaf in jax.tree.leaves(jitted(*call))]
        for call in placed
    ]
    turn = cycle(placed)
    call = clocked(lambda: wait(jitted(*next(turn))))
    return results, lambda: by_turns({"": call}, 1, seconds)[""][0]


def timed(case: Case, rounds: int, seconds: float) -> Rounds:
    """Check that all ways to a case's results agree, then time them by turns.

    Args:
      case: the program.
      rounds: how many.
      seconds: for each way in each round.

    Raises:
      AssertionError: where they do not agree.
    """
    modules = {"module": case.module} | ({"by hand": case.by_hand} if case.by_hand else {})
    ways: dict[str, Callable[[], float]] = {}
    with Conversation(str(Path(__file__).with_name("timer.mjs"))) as node:
        results = {way: load(node, way, text, case.calls) for way, text in modules.items()}
        for way in modules:
            ways[way] = partial(node.ask, {"time": way, "seconds": seconds})
        if case.function is not None:
            expected, ways["jax.jit"] = through_python(case.function, case.calls, seconds)
            for way, found in results.items():
                require_agreement(found, expected, f"{case.name}, {way}")
        return by_turns(ways, rounds)
