"""What JAX says that a jaxpr gives, one primitive at a time.

``jax.jit`` would fuse multiplications with additions and reorder; here each primitive runs
alone, as under ``jax.disable_jit``. Two things can be asked of a run besides the results: which
of them are exact, made by operations alone that IEEE 754 or integer arithmetic defines to the
last bit; and what they would be if every other operation were a little off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from fuzzing import gradual, padded
from fuzzing.moves import MOVES

Values = list[Any]
CALLS = frozenset(
    ["jit", "closed_call", "custom_jvp_call", "custom_vjp_call", "remat2", "checkpoint"]
)
LIMIT = 1000  # turns of a while loop; a program that takes more is not worth waiting for

# Exact for floats; every primitive is exact for integers and booleans.
EXACT = frozenset(
    """
    abs add add_any and bitcast_convert_type ceil clamp convert_element_type cummax cummin div eq
    eq_to floor ge gt is_finite le le_to lt lt_to max min mul ne neg nextafter not or
    reduce_and reduce_max reduce_min reduce_or reduce_precision reduce_xor rem round sign sort sqrt
    square sub top_k xor argmax argmin random_seed random_bits random_wrap random_unwrap
    random_fold_in random_split random_clone threefry2x32 unstack
    reduce_window_max reduce_window_min shift_left shift_right_arithmetic shift_right_logical
    population_count clz empty empty2 create_token
    """.split()  # noqa: SIM905
) | (frozenset(MOVES) - {"scatter-add", "scatter-sub", "scatter-mul"})
# Sums of many terms: what is off is each term, and the sum may be small beside them.
SUMS = frozenset(
    [
        "reduce_sum",
        "reduce_prod",
        "dot_general",
        "cumsum",
        "cumprod",
        "cumlogsumexp",
        "scatter-add",
        "scatter-sub",
        "scatter-mul",
        "conv_general_dilated",
        "reduce_window_sum",
        "select_and_scatter_add",
        "lu",
        "cholesky",
        "triangular_solve",
        "custom_linear_solve",
    ]
)


class TooLong(Exception):
    """A loop of the program takes too many turns."""


class Oracle:
    """Runs jaxprs, primitive by primitive.

    Attributes:
      seen: how often each primitive ran.
      beyond: whether an int64 beyond 2**53 was met since it was last set to False.
      nan_bits: whether the bits of a NaN were, of which IEEE 754 leaves most open.
      noise: relative; inexact operations are off by up to so much. 0 by default.
      plain: no shortcut: each primitive by JAX at its own shape, which compiles a great deal.
      gradual: results that JAX flushes to zero are kept where NumPy knows them.
    """

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.beyond = False
        self.nan_bits = False
        self.noise = 0.0
        self.plain = False
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
        if name in CONTROL:
            return CONTROL[name](self, equation, values, exact)
        if self.noise and name in SUMS:
            values = [self._blur(value) for value in values]
        results = self.primitive(equation, values)
        # JAX's top_k puts NaN first or last by its sign
        if name in ("bitcast_convert_type", "top_k") and values[0].dtype.kind == "f":
            self.nan_bits |= bool(np.any(np.isnan(values[0])))
        if any(x.dtype == np.int64 and x.size for x in results):
            self.beyond |= beyond(equation, values, results)
        if (name in EXACT and not _loose(equation)) or (
            all(getattr(x, "dtype", np.dtype(float)).kind != "f" for x in values)
            and all(getattr(x, "dtype", np.dtype(float)).kind != "f" for x in results)
        ):
            return results, [all(exact)] * len(results)
        if self.noise:
            if name in SUMS:
                results = [self._overflow(result, values) for result in results]
            results = [self._blur(result) for result in results]
        return results, [False] * len(results)

    def _overflow(self, result: Any, values: Values) -> Any:
        """Where a sum of finite numbers has overflowed: any order gives another result."""
        finite = all(np.all(np.isfinite(x)) for x in values if x.dtype.kind == "f")
        if result.dtype.kind != "f" or not finite or self.random.random() < 0.5:
            return result
        return np.where(np.isfinite(result), result, np.nan).astype(result.dtype)

    def _blur(self, value: Any) -> Any:
        if getattr(value, "dtype", np.dtype(int)).kind != "f":
            return value
        factor = 1 + self.noise * self.random.uniform(-1, 1, value.shape)
        with np.errstate(all="ignore"):
            return (value * factor).astype(value.dtype)

    def primitive(self, equation: JaxprEqn, values: Values) -> Values:
        """Runs one primitive that has no jaxpr of its own."""
        if self.plain:
            if equation.primitive.name in padded.ELEMENTWISE:
                # a scalar operand is broadcast first: JAX may divide by it another way
                values = [np.broadcast_to(x, equation.outvars[0].aval.shape) for x in values]
            return [plain_array(x) for x in padded.bind(equation, values)]
        name = equation.primitive.name
        if self.gradual:
            kept = gradual.primitive(equation, values)
            if kept is not None:
                return [kept]
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


def _loose(equation: JaxprEqn) -> bool:
    """Whether an equation is inexact though its primitive is exact as a rule.

    JAX multiplies by the inverse where an array is divided by a scalar; and an update may be a
    function of the reader's own.
    """
    if equation.primitive.name == "div":
        return equation.invars[1].aval.shape != equation.outvars[0].aval.shape
    if equation.primitive.name == "scatter":
        return bool(getattr(equation.params["update_jaxpr"], "eqns", ()))
    return False


WIDE: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "square": np.square, "neg": np.negative,
    "shift_left": lambda a, b: a * 2.0 ** np.clip(b, 0, 64),
    "reduce_sum": lambda x: np.sum(np.abs(x)), "cumsum": lambda x: np.sum(np.abs(x)),
    "reduce_prod": lambda x: np.prod(np.maximum(np.abs(x), 1)),
    "cumprod": lambda x: np.prod(np.maximum(np.abs(x), 1)),
    "dot_general": lambda a, b: np.max(np.abs(a), initial=0) * np.sum(np.abs(b)),
    "scatter-add": lambda x, _, new: np.sum(np.abs(x)) + np.sum(np.abs(new)),
    "scatter-sub": lambda x, _, new: np.sum(np.abs(x)) + np.sum(np.abs(new)),
    "scatter-mul": lambda x, _, new: np.prod(np.maximum(np.abs(np.append(x, new)), 1)),
}  # fmt: skip


def beyond(equation: JaxprEqn, values: Values, results: Values) -> bool:
    """Whether an int64 is beyond 2**53, or was before it wrapped around."""
    for result in (*results, *values):
        if (
            result.dtype == np.int64
            and result.size
            and np.max(np.abs(result.astype(float))) > 2**53
        ):
            return True
    name = equation.primitive.name
    wide = [x.astype(float) for x in values]
    with np.errstate(all="ignore"):
        if name in ("integer_pow", "pow"):
            exponent = equation.params["y"] if name == "integer_pow" else wide[1]
            return bool(np.any(np.abs(np.power(wide[0], exponent)) > 2**53))
        return name in WIDE and bool(np.any(np.abs(WIDE[name](*wide)) > 2**53))


def plain_array(value: Any) -> Any:
    """NumPy's array of a value; keys stay as JAX has them."""
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.extended):
        return value
    return np.asarray(value)


def _scan(
    oracle: Oracle, equation: JaxprEqn, values: Values, exact: list[bool]
) -> tuple[Values, list[bool]]:
    params = equation.params
    constants, carries = params["num_consts"], params["num_carry"]
    body, length = params["jaxpr"], params["length"]
    carry = values[constants : constants + carries]
    sequences = values[constants + carries :]
    sure = exact[:]
    layers: list[Values] = []
    stacked = [True] * (len(equation.outvars) - carries)
    for t in reversed(range(length)) if params["reverse"] else range(length):
        arguments = [*values[:constants], *carry, *(x[t] for x in sequences)]
        results, flags = oracle.run(body, arguments, sure)
        carry = results[:carries]
        layers.append(results[carries:])
        sure[constants : constants + carries] = flags[:carries]
        stacked = [a and b for a, b in zip(stacked, flags[carries:], strict=True)]
    if params["reverse"]:
        layers.reverse()
    stacks = []
    for number, variable in enumerate(equation.outvars[carries:]):
        aval = variable.aval
        stack = [layer[number] for layer in layers]
        stacks.append(
            np.stack(stack) if stack and not isinstance(stack[0], jax.Array)
            else jax.numpy.stack(stack) if stack
            else np.empty(aval.shape, aval.dtype)
        )  # fmt: skip
    return [*carry, *stacks], [*sure[constants : constants + carries], *stacked]


def _while(
    oracle: Oracle, equation: JaxprEqn, values: Values, exact: list[bool]
) -> tuple[Values, list[bool]]:
    params = equation.params
    conditions, bodies = params["cond_nconsts"], params["body_nconsts"]
    outside = values[conditions : conditions + bodies]
    carry = values[conditions + bodies :]
    sure = exact[conditions + bodies :]
    decided = True
    for _ in range(LIMIT):
        (more,), (flag,) = oracle.run(
            params["cond_jaxpr"], [*values[:conditions], *carry], [*exact[:conditions], *sure]
        )
        decided &= flag
        if not np.any(more):
            return carry, [flag and decided for flag in sure]
        following, sure = oracle.run(
            params["body_jaxpr"],
            [*outside, *carry],
            [*exact[conditions : conditions + bodies], *sure],
        )
        # under vmap the condition is an array, and those that are done wait for the others
        carry = [
            np.where(np.reshape(more, more.shape + (1,) * (new.ndim - more.ndim)), new, old)
            if np.ndim(more)
            else new
            for new, old in zip(following, carry, strict=True)
        ]
    raise TooLong


def _cond(
    oracle: Oracle, equation: JaxprEqn, values: Values, exact: list[bool]
) -> tuple[Values, list[bool]]:
    branches = equation.params["branches"]
    index = min(max(int(values[0]), 0), len(branches) - 1)
    results, flags = oracle.run(branches[index], values[1:], exact[1:])
    return results, [flag and exact[0] for flag in flags]


CONTROL: dict[str, Callable[..., tuple[Values, list[bool]]]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
}
