"""Captured arrays of less precision: what a float64 program computes of them is float64 too.

In JAX's default mode an array that a function captures is float32, and what the function computes
of it alone would be. Here such an array is widened, which is exact, and so is what meets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend import source_info_util
from jax.extend.core import ClosedJaxpr, Literal

from explorax.compiler.jaxprs import (
    CALLS,
    closed_jaxpr,
    constants_and_carries,
    expanded,
    inner_jaxprs,
    solution,
)
from explorax.compiler.special_functions import frexp, is_frexp


def trace_wide(function: Callable[..., Any], examples: Sequence[Any]) -> tuple[ClosedJaxpr, Any]:
    """Trace a function of float64 examples; what it captures is `widened`.

    A loop that starts from a captured array of less precision and meets an argument is refused by
    JAX, for its carry changes dtype: such a function is traced at float32, and widened as a whole.

    Returns:
      The jaxpr, and the result's shapes.
    """
    make = jax.make_jaxpr(function, return_shape=True)
    try:
        closed, shapes = make(*examples)
    except TypeError as refused:
        if "float32" not in str(refused):  # it is about something else
            raise
        narrow = jax.tree.map(lambda x: x.astype("float32") if _is_float64(x) else x, examples)
        try:
            closed, shapes = make(*narrow)
        except TypeError:
            refused.add_note(NOTE)
            raise refused from None
    return widened(closed, jax.tree.leaves(examples)), shapes


NOTE = """\
This was traced in float64. Where a float32 array that you made or captured meets an argument in a loop or
a branch, convert it (array.astype(x.dtype)), or compute all in float32: dtype="float32"."""


def widened(closed: ClosedJaxpr, examples: Sequence[Any] | None = None) -> ClosedJaxpr:
    """Return the jaxpr with captured floats as float64, and what is computed of them.

    Its arguments are as ``examples``, where they are given: those may be wider than it was traced at.

    A float that the function itself rounds, by ``astype`` say, stays as it is, and so does a Python
    number that JAX rounded to meet such an array. Operands stay of which the bits are asked, and
    those of an equation with a jaxpr inside that is no call, loop, branch or solver.
    """
    forms = [_form(given) for given in (closed.in_avals if examples is None else examples)]
    same = all(a.dtype == b.dtype for a, b in zip(forms, closed.in_avals, strict=True))
    if same and not any(_is_narrow(constant) for constant in captured(closed)):
        return closed
    return jax.make_jaxpr(lambda *arguments: _run(closed, arguments))(*forms)


def captured(closed: ClosedJaxpr) -> Iterator[Any]:
    """Yield what a jaxpr captures, and the jaxprs inside it."""
    yield from closed.consts
    for equation in closed.jaxpr.eqns:
        for inner in inner_jaxprs(equation.params):
            yield from captured(inner)


def _is_narrow(value: Any) -> bool:
    dtype = jnp.result_type(value)
    return jnp.issubdtype(dtype, jnp.floating) and dtype != jnp.float64


def _form(array: Any, shape: tuple[int, ...] | None = None) -> Any:
    make: Any = jax.ShapeDtypeStruct
    return make(array.shape if shape is None else shape, array.dtype)


def _is_float64(value: Any) -> bool:
    return bool(value.dtype == jnp.float64)


def _wide(value: Any) -> Any:
    return lax.convert_element_type(value, jnp.float64) if _is_narrow(value) else value


def _as(values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Give values the dtypes of others; keys have theirs already."""
    return [
        value if value.dtype == other.dtype else lax.convert_element_type(value, other.dtype)
        for value, other in zip(values, others, strict=False)
    ]


def _run(closed: ClosedJaxpr, arguments: Sequence[Any]) -> list[Any]:
    jaxpr = closed.jaxpr
    values = dict(zip(jaxpr.constvars, map(_wide, closed.consts), strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))

    def read(atom: Any) -> Any:
        if not isinstance(atom, Literal):
            return values[atom]
        aval: Any = atom.aval
        return jnp.asarray(atom.val, aval.dtype)

    for equation in jaxpr.eqns:
        operands = [read(atom) for atom in equation.invars]
        avals: list[Any] = [atom.aval for atom in equation.invars]
        wider = any(
            jnp.result_type(value) != aval.dtype
            for value, aval in zip(operands, avals, strict=True)
        )
        if wider:
            operands = [_wide(value) for value in operands]
        with source_info_util.user_context(equation.source_info.traceback):
            results = _apply(equation, operands, wider)
        values.update(zip(equation.outvars, results, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _apply(equation: Any, operands: list[Any], wider: bool) -> Any:
    name, params = equation.primitive.name, equation.params
    if is_frexp(equation):
        return frexp(*operands)
    if name in CALLS:
        return _run(closed_jaxpr(params[CALLS[name]]), operands)
    if name == "call_hi_primitive":
        forms = [_form(atom.aval) for atom in equation.invars]
        return _run(jax.make_jaxpr(partial(expanded, params))(*forms), operands)
    if name == "custom_linear_solve":
        jaxpr, given = solution(params, operands)
        return _run(closed_jaxpr(jaxpr), given)
    if name in STRUCTURES:
        return STRUCTURES[name](params, operands)
    avals = [atom.aval for atom in equation.invars]
    if wider and name == "convert_element_type":
        (value,), given, new = operands, avals[0].dtype, params["new_dtype"]
        if jnp.issubdtype(new, jnp.floating) and jnp.promote_types(given, new) == new:
            return [value]
    elif wider and (name == "bitcast_convert_type" or any(inner_jaxprs(params))):
        operands = _as(operands, avals)
    elif wider:
        narrow = {aval.dtype for aval in avals if jnp.issubdtype(aval.dtype, jnp.floating)}
        params = {
            key: jnp.dtype("float64") if key.endswith("_type") and value in narrow else value
            for key, value in params.items()
        }
    results = equation.primitive.bind(*operands, **params)
    return results if equation.primitive.multiple_results else [results]


def _scan(params: dict[str, Any], operands: list[Any]) -> Sequence[Any]:
    start, carries = constants_and_carries(params)
    given, elements = operands[:start], operands[start + carries :]

    def body(state: Sequence[Any], element: Sequence[Any]) -> list[Any]:
        return _run(closed_jaxpr(params["jaxpr"]), [*given, *state, *element])

    def step(state: Sequence[Any], element: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        results = body(state, element)
        return _as(results, state), results[carries:]

    one = [_form(x, x.shape[1:]) for x in elements]
    initial = _settled(body, operands[start : start + carries], one)
    last, stacked = lax.scan(
        step, initial, elements, length=params["length"], reverse=params["reverse"]
    )
    return [*last, *stacked]


def _while(params: dict[str, Any], operands: list[Any]) -> Any:
    middle = params["cond_nconsts"]
    start = middle + params["body_nconsts"]

    def goes_on(state: Sequence[Any]) -> Any:
        return _run(closed_jaxpr(params["cond_jaxpr"]), [*operands[:middle], *state])[0]

    def body(state: Sequence[Any]) -> list[Any]:
        return _run(closed_jaxpr(params["body_jaxpr"]), [*operands[middle:start], *state])

    def of_each(state: Sequence[Any]) -> list[Any]:
        flags, pairs = goes_on(state), zip(body(state), state, strict=True)
        return [jnp.where(_beside(flags, new), new, old) for new, old in pairs]

    test, step = goes_on, body
    if closed_jaxpr(params["cond_jaxpr"]).out_avals[0].shape:  # under vmap: each ends by itself
        test, step = lambda state: jnp.any(goes_on(state)), of_each
    initial = _settled(step, operands[start:])
    return lax.while_loop(test, lambda state: _as(step(state), state), initial)


def _beside(flags: Any, array: Any) -> Any:
    return lax.expand_dims(flags, range(flags.ndim, array.ndim))


def _cond(params: dict[str, Any], operands: list[Any]) -> Any:
    def branch(jaxpr: Any) -> Any:
        return lambda *given: [_wide(value) for value in _run(closed_jaxpr(jaxpr), given)]

    return lax.switch(operands[0], [branch(jaxpr) for jaxpr in params["branches"]], *operands[1:])


STRUCTURES = {"scan": _scan, "while": _while, "cond": _cond}


def _settled(body: Any, state: list[Any], *elements: Any) -> list[Any]:
    """Widen what a loop carries where its body makes it wider."""
    results = jax.eval_shape(body, state, *elements)
    pairs = list(zip(state, results, strict=False))
    wider = [_wide(given) if given.dtype != result.dtype else given for given, result in pairs]
    same = all(new.dtype == old.dtype for new, old in zip(wider, state, strict=True))
    return wider if same else _settled(body, wider, *elements)
