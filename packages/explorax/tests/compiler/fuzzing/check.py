"""One example, in Node and by JAX: do they agree?

Two results are the same where

- a leaf is exact (see ``reference``): bit for bit, the sign of zero included;
- it is an integer or a boolean: exactly;
- else NaN and infinities are where JAX has them, and the rest is within ``TOLERANCE`` of the
  leaf's largest magnitude: float32's, where a leaf depends on what was computed in it.

Where they are not the same, and only then, it is asked what JAX gives primitive by primitive, and
whether it is sure. The example is set aside, and counted, where one of these holds:

- ``2**53``: an int64 was beyond what JavaScript's numbers hold, or an index
  beyond 2**31, which XLA takes modulo 2**32, came into a gather that fills;
- ``bits of NaN``: they were looked at;
- ``subnormal``: the module agrees when it, too, takes subnormal numbers for zero, or one of
  them came up in JAX;
- ``jump`` or ``sensitive``: inexact operations that are off by ``NEAR`` (or a few units in the
  last place) move JAX's own result by far more than that, or beyond the tolerance. An exact
  result is never set aside for this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from tests.compiler.fuzzing.programs import Example
from tests.compiler.fuzzing.reference import (
    Noise,
    Results,
    Standard,
    Witness,
    compiled,
    interpreted,
    standards,
)
from tests.run_in_node import RunInNode

from explorax.compiler import ir, operations
from explorax.compiler.emit import emit
from explorax.compiler.graph import Graph, build, subgraphs
from explorax.compiler.lower import lower
from explorax.compiler.passes import improve
from explorax.compiler.rules import RULES
from explorax.compiler.trace import Trace, trace

TOLERANCE = {"float64": 1e-10, "float32": 2e-5}
ULPS = {"float64": 1e-15, "float32": 6e-7}  # a few units in the last place
NEAR = {"float64": 1e-9, "float32": 1e-5}
FAR = {"float64": 1e-4, "float32": 1e-1}  # what a step of NEAR cannot do without a jump
TRIES = 6

FLUSH = "const flush = (x, least) => (Math.abs(x) < least ? x * 0 : x);\n"
FLUSHING = {
    "float64": f"flush({{0}}, {np.finfo('f8').tiny})",
    "float32": f"flush(Math.fround({{0}}), {np.finfo('f4').tiny})",
}


class Disagreement(AssertionError):
    """Node and JAX differ, and JAX is sure."""


class Lowered(NamedTuple):
    """A function, compiled but for the last step."""

    trace: Trace
    graph: Graph
    module: ir.Module

    @property
    def text(self) -> str:
        return emit(self.module, self.trace.inputs, self.trace.outputs)

    @property
    def dtypes(self) -> list[str]:
        return [leaf.dtype for leaf in self.trace.outputs]


def lowered(
    function: Callable[..., Any], arguments: Sequence[Any], dtype: str = "float64"
) -> Lowered:
    """Compile a function, but for the last step."""
    traced = trace(function, *arguments, dtype=dtype)
    graph = build(traced.jaxpr)
    return Lowered(traced, graph, improve(lower(graph, traced, RULES)))


def primitives(graph: Graph) -> Iterator[str]:
    """Yield the names of the primitives that are lowered, those in bodies included."""
    for equation in graph.equations:
        yield equation.primitive.name
        for body in subgraphs(equation.params):
            yield from primitives(body)


@contextmanager
def flushing() -> Iterator[None]:
    """Make emitted modules take subnormal numbers for zero, as JAX does."""
    with patch.dict(operations.ROUNDING, FLUSHING):
        yield


def same(given: np.ndarray, expected: np.ndarray, exact: bool, tolerance: float) -> bool:
    """Tell whether a flat result of Node is JAX's."""
    if expected.dtype.kind != "f":
        return bool(np.array_equal(given, expected))
    if exact:
        signs = np.signbit(given) == np.signbit(expected)
        equal = np.array_equal(given, expected, equal_nan=True)
        return bool(equal and np.all(signs | np.isnan(expected)))
    finite = np.isfinite(expected)
    if not np.array_equal(given[~finite], expected[~finite], equal_nan=True):
        return False
    a, b = given[finite].astype(float), expected[finite].astype(float)
    with np.errstate(all="ignore"):
        limit = tolerance * np.max(np.abs(b), initial=0.0) + 16 * np.finfo(expected.dtype).tiny
        return bool(np.all(np.isfinite(a)) and np.all(np.abs(a - b) <= limit))


def differing(given: Results, expected: Results, standard: Sequence[Standard]) -> set[int]:
    """Return the numbers of the results that are not the same."""
    return {
        number
        for number, (a, b, held) in enumerate(zip(given, expected, standard, strict=True))
        if not same(a, b, held.exact, TOLERANCE[held.precision])
    }


def compare(example: Example, made: Lowered, run: RunInNode) -> list[str]:
    """Return for each call of an example ``agree``, or why it is set aside.

    Raises:
      Disagreement: says which output of which call, and what both sides have.
    """
    jaxpr = made.trace.jaxpr
    standard = standards(jaxpr)
    by_jax = compiled(jaxpr)
    given = run(made.text, example.calls, made.dtypes)
    verdicts = []
    for number, (call, results) in enumerate(zip(example.calls, given, strict=True)):
        apart = differing(results, by_jax(call), standard)
        verdicts.append(_why(made, number, call, results, run) if apart else "agree")
    return verdicts


def _why(
    made: Lowered, number: int, call: Sequence[np.ndarray], given: Results, run: RunInNode
) -> str:
    """Return why the results of a call are not JAX's, as it is compiled."""
    jaxpr = made.trace.jaxpr
    standard = standards(jaxpr)
    witness = Witness()
    expected = interpreted(jaxpr, call, witness)
    apart = differing(given, expected, standard)
    if not apart:
        return "agree"
    if witness.beyond or witness.nan_bits:
        return "2**53" if witness.beyond else "bits of NaN"
    with flushing():
        (flushed,) = run(FLUSH + made.text, [call], made.dtypes)
    if witness.subnormal or not differing(flushed, expected, standard):
        return "subnormal"
    unsure: dict[int, str] = {}
    for reason, sizes, limits in (("jump", NEAR, FAR), ("sensitive", ULPS, TOLERANCE)):
        for precision, seed in product({standard[o].precision for o in apart}, range(TRIES)):
            moved = interpreted(jaxpr, call, Noise(sizes[precision], seed))
            for o in apart:
                held = standard[o]
                fits = same(moved[o], expected[o], False, limits[precision] / 4)
                if not fits and not held.exact and held.precision == precision:
                    unsure.setdefault(o, reason)
    if unsure.keys() == apart:
        return min(unsure.values())
    output = min(apart)
    leaf = made.trace.outputs[output]
    raise Disagreement(
        f"Output {output} ({leaf.dtype}{list(leaf.shape)}, {standard[output]}) of call {number}:\n"
        f"Node: {given[output].tolist()}\nJAX:  {expected[output].tolist()}\n"
        f"{made.text}\n{jaxpr}"
    )
