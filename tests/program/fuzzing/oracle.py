"""What JAX says that a jaxpr gives, one primitive at a time.

``jax.jit`` would fuse multiplications with additions and reorder; here each primitive runs
alone, as under ``jax.disable_jit``. Two things can be asked of a run besides the results: which
of them are exact, made by operations alone that IEEE 754 or integer arithmetic defines to the
last bit; and what they would be if every other operation were a little off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from tests.program.fuzzing import gradual, padded
from tests.program.fuzzing.control import CONTROL, plain_array
from tests.program.fuzzing.exactness import (
    EXACT,
    LINEAR,
    NEAR_ZERO,
    SUMS,
    WIDE,
    beyond,
    loose,
    magnitude,
)
from tests.program.fuzzing.gathers import MOVES

Values = list[Any]
CALLS = frozenset(
    ["jit", "closed_call", "custom_jvp_call", "custom_vjp_call", "remat2", "checkpoint"]
)


class Oracle:
    """Runs jaxprs, primitive by primitive.

    Attributes:
      seen: how often each primitive ran.
      beyond: whether an int64 beyond 2**53 was met since it was last set to False.
      nan_bits: whether the bits of a NaN were, of which IEEE 754 leaves most open.
      flushed: whether, where ``gradual``, a subnormal number went where NumPy does not know.
      noise: relative; inexact operations are off by up to so much. 0 by default.
      plain: no shortcut: each primitive by JAX at its own shape, which compiles a great deal.
      whole: a loop or a branch runs as one, as where it is folded: XLA may multiply and add its
        numbers in one rounding.
      gradual: results that JAX flushes to zero are kept where NumPy knows them.
    """

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.beyond = False
        self.nan_bits = False
        self.flushed = False
        self.noise = 0.0
        self.plain = False
        self.whole = False
        self.gradual = False
        self.random = np.random.default_rng(0)
        self._needed: WeakKeyDictionary[Jaxpr, list[JaxprEqn]] = WeakKeyDictionary()

    def run(
        self, closed: ClosedJaxpr, arguments: Sequence[Any], exact: Sequence[bool] | None = None
    ) -> tuple[Values, list[bool]]:
        """The results, and which of them are exact."""
        given = list(exact) if exact is not None else [True] * len(arguments)
        return self._jaxpr(closed.jaxpr, closed.consts, list(arguments), given)

    def _jaxpr(
        self, jaxpr: Jaxpr, constants: Sequence[Any], arguments: Values, exact: list[bool]
    ) -> tuple[Values, list[bool]]:
        values: dict[Var, Any] = {}
        sure: dict[Var, bool] = {}
        for variable, constant in zip(jaxpr.constvars, constants, strict=True):
            values[variable], sure[variable] = plain_array(constant), True
        for variable, value, is_exact in zip(jaxpr.invars, arguments, exact, strict=True):
            values[variable], sure[variable] = value, is_exact

        def read(atom: Any) -> tuple[Any, bool]:
            if isinstance(atom, Literal):
                return np.asarray(atom.val, atom.aval.dtype), True
            return values[atom], sure[atom]

        for equation in self._live(jaxpr):
            read_in = [read(atom) for atom in equation.invars]
            results, flags = self._equation(
                equation, [value for value, _ in read_in], [flag for _, flag in read_in]
            )
            for variable, value, flag in zip(equation.outvars, results, flags, strict=True):
                values[variable], sure[variable] = value, flag
        read_out = [read(atom) for atom in jaxpr.outvars]
        return [value for value, _ in read_out], [flag for _, flag in read_out]

    def _live(self, jaxpr: Jaxpr) -> list[JaxprEqn]:
        """The equations that some output needs; what nobody reads may be what JAX cannot run."""
        if jaxpr not in self._needed:
            needed = {atom for atom in jaxpr.outvars if not isinstance(atom, Literal)}
            equations = []
            for equation in reversed(jaxpr.eqns):
                if not needed.isdisjoint(equation.outvars):
                    equations.append(equation)
                    needed.update(atom for atom in equation.invars if not isinstance(atom, Literal))
            self._needed[jaxpr] = equations[::-1]
        return self._needed[jaxpr]

    def _equation(
        self, equation: JaxprEqn, values: Values, exact: list[bool]
    ) -> tuple[Values, list[bool]]:
        name = equation.primitive.name
        self.seen[name] += 1
        if name in CALLS:
            inner = equation.params.get("jaxpr") or equation.params["call_jaxpr"]
            if isinstance(inner, Jaxpr):
                return self._jaxpr(inner, (), values, exact)
            return self.run(inner, values, exact)
        if name in CONTROL and not self.whole:
            return CONTROL[name](self, equation, values, exact)
        if self.noise and name in SUMS:
            values = [self._blur(value) for value in values]
        results = self.primitive(equation, values)
        # JAX's top_k puts NaN first or last by its sign
        if name in ("bitcast_convert_type", "top_k") and values[0].dtype.kind == "f":
            self.nan_bits |= bool(np.any(np.isnan(values[0])))
        if any(x.dtype == np.int64 and x.size for x in results):
            self.beyond |= beyond(equation, values, results)
        if (name in EXACT and not loose(equation)) or (
            all(getattr(x, "dtype", np.dtype(float)).kind != "f" for x in values)
            and all(getattr(x, "dtype", np.dtype(float)).kind != "f" for x in results)
        ):
            return results, [all(exact)] * len(results)
        if self.noise:
            if name in SUMS:
                results = self._overflow(equation, results, values)
            results = [self._blur(result, name in NEAR_ZERO) for result in results]
        return results, [False] * len(results)

    def _overflow(self, equation: JaxprEqn, results: Values, values: Values) -> Values:
        """NaN, every other time, where a sum of finite numbers overflows or does in some order."""
        finite = all(np.all(np.isfinite(x)) for x in values if x.dtype.kind == "f")
        if not finite or self.random.random() < 0.5:
            return results
        name = equation.primitive.name
        if name in LINEAR:
            large = [np.abs(x) if x.dtype.kind == "f" else x for x in values]
            reached = self.primitive(equation, large)
        else:
            most = float(np.max(magnitude(name, values), initial=0)) if name in WIDE else 0.0
            reached = [np.asarray(most).astype(result.dtype) for result in results]
        return [
            np.where(np.isfinite(result) & np.isfinite(high), result, np.nan).astype(result.dtype)
            if result.dtype.kind == "f"
            else result
            for result, high in zip(results, reached, strict=True)
        ]

    def _blur(self, value: Any, near_zero: bool = False) -> Any:
        if getattr(value, "dtype", np.dtype(int)).kind != "f":
            return value
        off = self.noise * self.random.uniform(-1, 1, value.shape)
        with np.errstate(all="ignore"):
            return (value * (1 + off) + (off if near_zero else 0)).astype(value.dtype)

    def primitive(self, equation: JaxprEqn, values: Values) -> Values:
        """Runs one primitive that has no jaxpr of its own."""
        if self.plain or self.whole:
            if equation.primitive.name in padded.ELEMENTWISE:
                # a scalar operand is broadcast first: JAX may divide by it another way
                values = [np.broadcast_to(x, equation.outvars[0].aval.shape) for x in values]
            return [plain_array(x) for x in padded.bind(equation, values)]
        name = equation.primitive.name
        if self.gradual:
            kept = gradual.primitive(equation, values)
            if kept is not None:
                return kept
            opaque = name not in MOVES and name not in gradual.FUNCTIONS
            self.flushed |= opaque and any(np.any(gradual.subnormal(x)) for x in values)
        if name in MOVES:
            moved = MOVES[name](equation, *values)
            if moved is not NotImplemented:
                return moved if isinstance(moved, list) else [moved]
        if name in padded.ELEMENTWISE:
            return [padded.elementwise(equation, values)]
        if name in padded.REDUCTIONS:
            reduced = padded.reduction(equation, values[0])
            if reduced is not None:
                return [reduced]
        elif name in padded.CUMULATIVE:
            return [padded.cumulative(equation, values[0])]
        elif name == "sort":
            return padded.sort(equation, values)
        elif name == "dot_general":
            return [padded.product(equation, values[0], values[1])]
        return [plain_array(x) for x in padded.bind(equation, values)]
