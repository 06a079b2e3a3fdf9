"""One example, in Node and by JAX: do they agree?

Two results are the same where

- a leaf is exact (see ``oracle``): bit for bit, the sign of zero included;
- it is an integer or a boolean: exactly;
- else NaN and infinities are where JAX has them, and the rest is within ``TOLERANCE`` of the
  leaf's largest magnitude: float32's, where a leaf depends on what was computed in it.

Where they are not the same, and only then, it is asked whether JAX itself is sure. The example is
set aside, and counted, where one of these holds:

- ``subnormal``: JAX has flushed a subnormal number to zero, and the module agrees with what
  comes out when it is kept, or one went into a primitive that NumPy does not have;
- ``2**53``: an int64 was beyond what JavaScript's numbers hold;
- ``bits of NaN``: they were looked at;
- ``jump`` or ``sensitive``: inexact operations that are off by ``NEAR`` (or a few units in the
  last place) move JAX's own result by far more than that, or beyond the tolerance. An exact
  result is never set aside for this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from gradlab.program import Program
from gradlab.program import compile as compile_program
from tests.program.fuzzing.node import Node, NodeError
from tests.program.fuzzing.oracle import Oracle
from tests.program.fuzzing.programs import Example

TOLERANCE = {"float64": 1e-10, "float32": 2e-5}
ULPS = {"float64": 1e-15, "float32": 6e-7}  # a few units in the last place
NEAR = {"float64": 1e-9, "float32": 1e-5}
FAR = {"float64": 1e-4, "float32": 1e-1}  # what a step of NEAR cannot do without a jump
TRIES = 6


class Disagreement(AssertionError):
    """Node and JAX differ, and JAX is sure."""


def same(given: np.ndarray, expected: np.ndarray, exact: bool, tolerance: float) -> bool:
    """Whether a flat result of Node is JAX's."""
    if expected.dtype.kind != "f":
        return bool(np.array_equal(given, expected))
    lost = np.isnan(expected)
    if not np.array_equal(np.isnan(given), lost):
        return False
    given, expected = given[~lost], expected[~lost]
    if exact:
        return bool(
            np.array_equal(given, expected)
            and np.array_equal(np.signbit(given), np.signbit(expected))
        )
    infinite = np.isinf(expected)
    if not np.array_equal(given[infinite], expected[infinite]):
        return False
    given, expected = given[~infinite], expected[~infinite]
    if not np.all(np.isfinite(given)):
        return False
    with np.errstate(all="ignore"):
        limit = tolerance * float(np.max(np.abs(expected), initial=0.0))
        limit += float(np.finfo(expected.dtype).tiny)
        return bool(np.all(np.abs(given.astype(float) - expected.astype(float)) <= limit))


class Judge:
    """Compiles, runs and compares.

    Attributes:
      oracle: JAX's side; it counts primitives.
      precisions: what each output of the present program is held to.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.oracle = Oracle()
        self.precisions: list[str] = []

    def verdict(self, example: Example) -> list[str]:
        """For each call ``agree``, or why it is set aside.

        Raises:
          Disagreement: says which output of which call, and what both sides have.
        """
        program = compile_program(example.function(), *example.calls[0], dtype=example.dtype)
        jaxpr = program._trace.jaxpr
        self.precisions = precisions(jaxpr)
        leaves = [[np.asarray(x) for x in call] for call in example.calls]
        dtypes = [leaf.dtype for leaf in program.outputs]
        try:
            given = self.node.run(program.javascript, leaves, dtypes)
        except NodeError:
            for call in leaves:
                self._expected(jaxpr, call)  # it may take too long for JAX, too
            raise
        return [
            self._call(program, jaxpr, number, call, results)
            for number, (call, results) in enumerate(zip(leaves, given, strict=True))
        ]

    def _call(
        self,
        program: Program,
        jaxpr: Any,
        number: int,
        call: list[np.ndarray],
        given: list[np.ndarray],
    ) -> str:
        oracle = self.oracle
        oracle.beyond = oracle.nan_bits = oracle.flushed = False
        oracle.plain = oracle.whole = oracle.gradual = False
        oracle.noise = 0.0
        expected, exact = self._expected(jaxpr, call)
        wrong = self._differing(given, expected, exact)
        if not wrong:
            return "agree"
        if oracle.beyond or oracle.nan_bits:
            return "2**53" if oracle.beyond else "bits of NaN"
        oracle.plain = True
        expected, _ = self._expected(jaxpr, call)
        oracle.plain = False
        wrong = self._differing(given, expected, exact)
        if not wrong:
            return "agree"  # with JAX at the arrays' own shapes, in another order of sums
        oracle.whole = True
        compiled, _ = self._expected(jaxpr, call)
        oracle.whole = False
        wrong = sorted({*wrong} & {*self._differing(given, compiled, exact)})
        if not wrong:
            return "agree"  # with JAX where it compiles a loop as one
        oracle.gradual = True
        kept, _ = self._expected(jaxpr, call)
        oracle.gradual = False
        if oracle.flushed or not self._differing(given, kept, exact):
            return "subnormal"
        # where a subnormal matters, what follows from it may be what is not sure
        for gradual in [False, True] if self._differing(kept, expected, exact) else [False]:
            oracle.gradual = gradual
            reasons = {self._unsure(jaxpr, call, output, exact[output]) for output in wrong}
            oracle.gradual = False
            if None not in reasons:
                return sorted(str(reason) for reason in reasons)[0]
        output = wrong[0]
        leaf = program.outputs[output]
        raise Disagreement(
            f"Output {output} ({leaf.dtype}{list(leaf.shape)}, "
            f"{'exact' if exact[output] else 'inexact'}) of call {number}:\n"
            f"Node: {given[output].tolist()}\nJAX:  {expected[output].tolist()}\n"
            f"{program.javascript}\n{jaxpr}"
        )

    def _expected(self, jaxpr: Any, call: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list]:
        with jax.enable_x64(True):
            results, exact = self.oracle.run(jaxpr, call)
        return [np.asarray(x).reshape(-1) for x in results], exact

    def _differing(
        self, given: Sequence[np.ndarray], expected: Sequence[np.ndarray], exact: Sequence[bool]
    ) -> list[int]:
        return [
            number
            for number, (a, b, sure) in enumerate(zip(given, expected, exact, strict=True))
            if not same(a, b, sure, TOLERANCE[self.precisions[number]])
        ]

    def _unsure(self, jaxpr: Any, call: list[np.ndarray], output: int, exact: bool) -> str | None:
        """Why JAX's own result is not sure, or None where it is."""
        if exact:
            return None
        oracle = self.oracle
        results = []
        precision = self.precisions[output]
        sure = self._expected(jaxpr, call)[0][output]
        for size, limit, name in (
            (NEAR[precision], FAR[precision], "jump"),
            (ULPS[precision], TOLERANCE[precision] / 4, "sensitive"),
        ):
            for seed in range(TRIES):
                oracle.random = np.random.default_rng(seed)
                oracle.noise = size
                moved = self._expected(jaxpr, call)[0][output]
                oracle.noise = 0.0
                if not same(moved, sure, False, limit):
                    results.append(name)
                    break
        return results[0] if results else None


def precisions(closed: ClosedJaxpr) -> list[str]:
    """For each output the precision of the least precise operation that it depends on."""
    made = {v: e for e in closed.jaxpr.eqns for v in e.outvars}
    found = []
    for output in closed.jaxpr.outvars:
        single, seen, waiting = False, set(), [output]
        while waiting:
            atom = waiting.pop()
            equation = None if isinstance(atom, Literal) else made.get(atom)
            if equation is not None and id(equation) not in seen:
                seen.add(id(equation))
                waiting.extend(equation.invars)
                dtypes = (
                    getattr(v.aval, "dtype", None) for e in whole(equation) for v in e.outvars
                )
                single |= any(dtype == np.float32 for dtype in dtypes)
        single |= getattr(output.aval, "dtype", None) == np.float32
        found.append("float32" if single else "float64")
    return found


def whole(equation: JaxprEqn) -> Iterator[JaxprEqn]:
    """An equation, and all that are in it."""
    yield equation
    for inner in jax.tree.leaves(
        list(equation.params.values()),
        is_leaf=lambda x: hasattr(x, "jaxpr") or hasattr(x, "eqns"),
    ):
        jaxpr = getattr(inner, "jaxpr", inner)
        for each in getattr(jaxpr, "eqns", ()):
            yield from whole(each)
