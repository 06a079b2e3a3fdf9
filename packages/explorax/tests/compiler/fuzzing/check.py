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
- ``sensitive``: inexact operations that are off by ``NEAR`` (or a few units in the
  last place) move JAX's own result by far more than that, or beyond the tolerance. An exact
  result is never set aside for this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

from explorax.compiler import Program, compile, operations
from explorax.compiler.graph import Graph, subgraphs

TOLERANCE = {"float64": 1e-10, "float32": 2e-5}
ULPS = {"float64": 1e-15, "float32": 6e-7}  # a few units in the last place
NEAR = {"float64": 1e-9, "float32": 1e-5}
FAR = {"float64": 1e-4, "float32": 1e-1}  # what a step of NEAR cannot do without a jump
TRIES = 40  # an equality, such as asin(sin(x)) == x, holds by luck

FLUSH = "const flush = (x, least) => (Math.abs(x) < least ? x * 0 : x);\n"
FLUSHING = {
    "float64": f"flush({{0}}, {np.finfo('f8').tiny})",
    "float32": f"flush(Math.fround({{0}}), {np.finfo('f4').tiny})",
}


class Disagreement(AssertionError):
    """Node and JAX differ, and JAX is sure."""


def primitives(graph: Graph) -> Iterator[str]:
    """Yield the names of the primitives that are lowered, those in bodies included."""
    for equation in graph.equations:
        yield equation.primitive.name
        for body in subgraphs(equation.params):
            yield from primitives(body)


def same(given: np.ndarray, expected: np.ndarray, exact: bool, tolerance: float) -> bool:
    """Tell whether a flat result of Node is JAX's; where JAX has zero, it may be subnormal."""
    if expected.dtype.kind != "f":
        return bool(np.array_equal(given.astype(float), expected.astype(float)))
    tiny = np.finfo(expected.dtype).tiny
    if exact:
        given = np.where((np.abs(given) < tiny) & (given != 0) & (expected == 0), expected, given)
        signs = np.signbit(given) == np.signbit(expected)
        equal = np.array_equal(given, expected, equal_nan=True)
        return bool(equal and np.all(signs | np.isnan(expected)))
    finite = np.isfinite(expected)
    if not np.array_equal(given[~finite], expected[~finite], equal_nan=True):
        return False
    a, b = given[finite].astype(float), expected[finite].astype(float)
    with np.errstate(all="ignore"):
        limit = tolerance * np.max(np.abs(b), initial=0.0) + 16 * tiny
        return bool(np.all(np.isfinite(a)) and np.all(np.abs(a - b) <= limit))


def differing(given: Results, expected: Results, standard: Sequence[Standard]) -> list[int]:
    """Return the numbers of the results that are not the same."""
    return [
        number
        for number, (a, b, held) in enumerate(zip(given, expected, standard, strict=True))
        if not same(a, b, held.exact, TOLERANCE[held.precision])
    ]


def compare(example: Example, program: Program, run: RunInNode) -> Iterator[str]:
    """Yield for each call of an example ``agree``, or why it is set aside.

    Raises:
      Disagreement: says which output of which call, and what both sides have.
    """
    standard, by_jax = standards(program.jaxpr), compiled(program.jaxpr)
    found = run(program.javascript, example.calls, [leaf.dtype for leaf in program.outputs])
    for call, given in zip(example.calls, found, strict=True):
        apart = differing(given, by_jax(call), standard)
        yield _why(example, program, call, given, run) if apart else "agree"


def _why(
    example: Example, program: Program, call: Sequence[np.ndarray], given: Results, run: RunInNode
) -> str:
    """Return why the results of a call are not JAX's, as it is compiled."""
    standard, witness = standards(program.jaxpr), Witness()
    expected = interpreted(program.jaxpr, call, witness)
    apart = differing(given, expected, standard)
    if not apart:
        return "agree"
    if witness.beyond or witness.nan_bits:
        return "2**53" if witness.beyond else "bits of NaN"
    with patch.dict(operations.ROUNDING, FLUSHING):
        text = compile(example.function(), *example.calls[0], dtype=example.dtype).javascript
    (flushed,) = run(FLUSH + text, [call], [leaf.dtype for leaf in program.outputs])
    if witness.subnormal or not differing(flushed, expected, standard):
        return "subnormal"
    sure = [o for o in apart if not _moves(program, call, expected, standard, o)]
    if not sure:
        return "sensitive"
    output = sure[0]
    raise Disagreement(
        f"Output {output} ({program.outputs[output]}, {standard[output]}) of {call}:\n"
        f"Node: {given[output].tolist()}\nJAX:  {expected[output].tolist()}\n"
        f"{program.javascript}\n{program.jaxpr}"
    )


def _moves(
    program: Program,
    call: Sequence[np.ndarray],
    expected: Results,
    standard: Sequence[Standard],
    output: int,
) -> bool:
    """Tell whether small errors of JAX's own inexact operations move a result by far more."""
    exact, precision = standard[output]
    for sizes, limits in ((NEAR, FAR), (ULPS, TOLERANCE)) if not exact else ():
        for seed in range(TRIES):
            moved = interpreted(program.jaxpr, call, Noise(sizes[precision], seed))[output]
            if not same(moved, expected[output], False, limits[precision] / 4):
                return True
    return False
