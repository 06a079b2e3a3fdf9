"""JAX's side of the comparison: the results of a jaxpr, and how far they are to be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal
from jax.interpreters.partial_eval import dce_jaxpr
from jax.lax import GatherScatterMode

from explorax.compiler.jaxprs import CALLS, closed_jaxpr, constants_and_carries

# Exact for floats, to the last bit and the sign of zero; all are for integers and booleans.
EXACT = frozenset(
    """
    abs add add_any and bitcast_convert_type broadcast_in_dim ceil clamp concatenate
    convert_element_type copy copy_p cummax cummin div dynamic_slice dynamic_update_slice empty
    empty2 eq eq_to expand_dims floor gather ge gt iota is_finite le le_to lt lt_to max min mul ne
    neg nextafter not optimization_barrier or pad reduce_and reduce_max reduce_min reduce_or
    reduce_precision reduce_window_max reduce_window_min reduce_xor rem reshape rev round scatter
    scatter-max scatter-min select_n sign slice sort split sqrt square squeeze stack stop_gradient
    sub tile top_k transpose unstack xor
    """.split()  # noqa: SIM905 - eighty names in quotes are no easier to read
)
CONTROL = frozenset(["scan", "while", "cond", *CALLS])  # exact where what is in them is
# Sums of many terms: what is off is each term, and the sum may be small beside them.
SUMS = frozenset(
    """
    reduce_sum reduce_prod dot_general cumsum cumprod cumlogsumexp scatter-add scatter-sub
    scatter-mul conv_general_dilated reduce_window_sum select_and_scatter_add lu cholesky
    triangular_solve custom_linear_solve
    """.split()  # noqa: SIM905
)
# Near their zeros JAX's own are good to a unit in the last place of 1, not of the result.
NEAR_ZERO = frozenset(["lgamma", "digamma"])
# How large an integer may become on its way to a result: from the operands' largest magnitudes,
# and how many terms there are.
BOUND: dict[str, Callable[..., float]] = {
    "add": lambda n, a, b: a + b, "sub": lambda n, a, b: a + b, "neg": lambda n, a: a,
    "mul": lambda n, a, b: a * b, "square": lambda n, a: a * a, "pow": lambda n, a, b: a**b,
    "shift_left": lambda n, a, b: a * 2.0 ** min(b, 64),
    "reduce_sum": lambda n, a: a * n, "cumsum": lambda n, a: a * n,
    "integer_pow": lambda n, a, y: a ** abs(y), "reduce_prod": lambda n, a: a**n, "cumprod": lambda n, a: a**n,
    "dot_general": lambda n, a, b: a * b * n, "scatter-mul": lambda n, a, _, b: a * b**n,
    "scatter-add": lambda n, a, _, b: a + b * n, "scatter-sub": lambda n, a, _, b: a + b * n,
}  # fmt: skip

Arrays = list[Any]
Results = list[np.ndarray]  # flat
Hook = Callable[[JaxprEqn, Arrays, Arrays], Arrays]


def compiled(closed: ClosedJaxpr) -> Callable[[Sequence[Any]], Results]:
    """Return a jaxpr as a function that XLA compiles without optimising.

    So each primitive is rounded by itself, as if it ran alone: no multiplication is fused with
    an addition.
    """
    options = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
    run: Any = jax.jit(jax.extend.core.jaxpr_as_fun(closed), compiler_options=options)
    return lambda call: [np.asarray(x).reshape(-1) for x in run(*call)]


def interpreted(
    closed: ClosedJaxpr,
    call: Sequence[Any],
    hook: Hook = lambda equation, operands, results: results,
) -> Results:
    """Run a jaxpr primitive by primitive, each at once and alone.

    Args:
      closed: the jaxpr.
      call: its arguments.
      hook: is given each equation, its operands and its results, and returns what they are to be.
    """

    def run(jaxpr: Any, arguments: Sequence[Any]) -> Arrays:
        jaxpr = closed_jaxpr(jaxpr)
        inner: Jaxpr = jaxpr.jaxpr
        values = dict(
            zip([*inner.constvars, *inner.invars], [*jaxpr.consts, *arguments], strict=True)
        )

        def read(atom: Any) -> Any:
            return (
                np.asarray(atom.val, atom.aval.dtype) if isinstance(atom, Literal) else values[atom]
            )

        for equation in inner.eqns:
            operands = [read(atom) for atom in equation.invars]
            values |= dict(zip(equation.outvars, apply(equation, operands), strict=True))
        return [read(atom) for atom in inner.outvars]

    def apply(equation: JaxprEqn, operands: Arrays) -> Arrays:
        name, params = equation.primitive.name, equation.params
        if name in CALLS:
            return run(params[CALLS[name]], operands)
        if name == "cond":
            branches = [lambda *given, b=branch: run(b, given) for branch in params["branches"]]
            return lax.switch(operands[0].astype(np.int32), branches, *operands[1:])
        if name == "scan" and params["length"]:
            return scan(params, operands)
        if name == "while":
            return loop(params, operands)
        results = bind(equation.primitive, operands, params)
        return hook(
            equation, operands, results if equation.primitive.multiple_results else [results]
        )

    def scan(params: Any, operands: Arrays) -> Arrays:
        start, carries = constants_and_carries(params)
        constants, initial = operands[:start], operands[start : start + carries]

        def step(carry: Any, elements: Any) -> Any:
            results = run(params["jaxpr"], [*constants, *carry, *elements])
            return results[:carries], results[carries:]

        ends, stacks = lax.scan(
            step, initial, operands[start + carries :],
            length=params["length"], reverse=params["reverse"],
        )  # fmt: skip
        return [*ends, *stacks]

    def loop(params: Any, operands: Arrays) -> Arrays:
        first = params["cond_nconsts"]
        start = first + params["body_nconsts"]
        state = operands[start:]
        while np.any(going := run(params["cond_jaxpr"], [*operands[:first], *state])[0]):
            following = run(params["body_jaxpr"], [*operands[first:start], *state])
            # under vmap those loops of a batch that are done wait for the others
            state = [
                jnp.where(
                    jnp.reshape(going, going.shape + (1,) * (new.ndim - going.ndim)), new, old
                )
                for new, old in zip(following, state, strict=True)
            ]
        return state

    with jax.disable_jit():
        return [np.asarray(x).reshape(-1) for x in run(closed, call)]


# ---------------------------------------------------------------------- how sure JAX is


class Standard(NamedTuple):
    """Tolerances and exceptions with which an output is compared.

    Attributes:
      exact: whether every operation that it depends on is exact.
      precision: of the least precise of them.
    """

    exact: bool
    precision: str


def standards(closed: ClosedJaxpr) -> list[Standard]:
    """Return how each output of a jaxpr is to be compared."""
    found = []
    for number, output in enumerate(closed.jaxpr.outvars):
        wanted = [each == number for each in range(len(closed.jaxpr.outvars))]
        needed, _ = dce_jaxpr(closed.jaxpr, wanted)
        inside = [each for equation in needed.eqns for each in nested(equation)]
        atoms = [output, *(v for each in inside for v in each.outvars)]
        single = any(getattr(v.aval, "dtype", None) == np.float32 for v in atoms)
        found.append(Standard(all(map(is_exact, inside)), "float32" if single else "float64"))
    return found


def nested(equation: JaxprEqn) -> Iterator[JaxprEqn]:
    """Yield an equation, and all that are in it."""
    yield equation
    parts = jax.tree.leaves(
        list(equation.params.values()), is_leaf=lambda x: hasattr(x, "jaxpr") or hasattr(x, "eqns")
    )
    for part in parts:
        for each in getattr(getattr(part, "jaxpr", part), "eqns", ()):
            yield from nested(each)


def is_exact(equation: JaxprEqn) -> bool:
    """Tell whether an equation gives the same bits wherever it is computed.

    JAX multiplies by the inverse where an array is divided by a scalar.
    """
    name = equation.primitive.name
    atoms = (*equation.invars, *equation.outvars)
    if all(getattr(v.aval.dtype, "kind", "key") != "f" for v in atoms):
        return True
    if name == "div":
        return equation.invars[1].aval.shape == equation.outvars[0].aval.shape
    return name in EXACT or name in CONTROL


class Witness:
    """Records of what a run met that JAX and JavaScript have otherwise: a hook.

    Attributes:
      beyond: whether an int64 beyond 2**53 came up, or came up before it wrapped around, or one
        beyond 2**31 in a gather that fills.
      nan_bits: whether the bits of a NaN did, of which IEEE 754 leaves most open.
      subnormal: whether a subnormal number did: JAX takes it for zero, here and there.
    """

    def __init__(self) -> None:
        self.beyond = self.nan_bits = self.subnormal = False

    def __call__(self, equation: JaxprEqn, operands: Arrays, results: Arrays) -> Arrays:
        name = equation.primitive.name
        arrays = [
            np.asarray(x)
            for x in (*operands, *results)
            if getattr(x.dtype, "kind", "key") in "fiub"
        ]
        for x in arrays:
            if x.dtype.kind == "f":
                size = np.abs(x)
                self.subnormal |= bool(np.any((size > 0) & (size < np.finfo(x.dtype).tiny)))
                # JAX's top_k puts NaN first or last by its sign
                self.nan_bits |= name in ("bitcast_convert_type", "top_k") and bool(
                    np.any(np.isnan(x))
                )
        # a gather that fills: XLA on a CPU takes its index modulo 2**32, and gives an element where the page
        # gives NaN, as JAX documents it. To follow XLA would cost every such index an operation.
        if name == "gather" and equation.params["mode"] == GatherScatterMode.FILL_OR_DROP:
            self.beyond |= any(np.any(np.abs(x) >= 2**31) for x in arrays if x.dtype == np.int64)
        if any(x.dtype == np.int64 for x in arrays[len(operands) :]):
            most = [np.max(np.abs(x.astype(float)), initial=0) for x in arrays]
            given = [
                *most[: len(operands)],
                *([equation.params["y"]] if name == "integer_pow" else []),
            ]
            bound = BOUND.get(name, lambda *_: 0.0)
            with np.errstate(all="ignore"):
                reached = bound(np.float64(max(x.size for x in arrays)), *map(np.float64, given))
            self.beyond |= bool(max(reached, *most) > 2**53)
        return results


class Noise:
    """Make inexact operations a little off: a hook.

    Args:
      size: relative, at most.
      seed: of the random numbers.
    """

    def __init__(self, size: float, seed: int) -> None:
        self.size = size
        self.random = np.random.default_rng(seed)

    def __call__(self, equation: JaxprEqn, operands: Arrays, results: Arrays) -> Arrays:
        if is_exact(equation):
            return results
        name = equation.primitive.name
        if name in SUMS:
            results = bind(equation.primitive, map(self.blur, operands), equation.params)
            results = results if equation.primitive.multiple_results else [results]
            results = self.overflow(equation, operands, results)
        return [self.blur(x, name in NEAR_ZERO) for x in results]

    def blur(self, x: Any, near_zero: bool = False) -> Any:
        """Return an array with each number a little off."""
        if getattr(x.dtype, "kind", "key") != "f":
            return x
        off = self.size * self.random.uniform(-1, 1, x.shape)
        with np.errstate(all="ignore"):
            return (np.asarray(x) * (1 + off) + (off if near_zero else 0)).astype(x.dtype)

    def overflow(self, equation: JaxprEqn, operands: Arrays, results: Arrays) -> Arrays:
        """Return NaN, every other time, where a sum of finite numbers may overflow in some order."""
        floats = [np.asarray(x) for x in operands if getattr(x.dtype, "kind", "key") == "f"]
        if self.random.random() < 0.5 or not all(np.all(np.isfinite(x)) for x in floats):
            return results
        with np.errstate(all="ignore"):
            most = max(x.size for x in floats) * np.prod(
                [np.max(np.abs(x), initial=0) for x in floats]
            )
            if equation.primitive.name in ("reduce_prod", "cumprod", "scatter-mul"):
                most = np.prod([np.prod(np.maximum(np.abs(x), 1)) for x in floats])
            return [
                np.where(np.isfinite(x) & np.isfinite(most.astype(x.dtype)), x, np.nan).astype(
                    x.dtype
                )
                if getattr(x.dtype, "kind", "key") == "f"
                else x
                for x in results
            ]


def bind(primitive, operands, params):
    """Apply a primitive; JAX 0.8 hands the functions among its parameters over by themselves."""
    found = primitive.get_bind_params(params)
    functions, params = found if isinstance(found, tuple) else ((), found)
    return primitive.bind(*functions, *operands, **params)
