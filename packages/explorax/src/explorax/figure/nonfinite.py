"""Warn of results without a finite number, and find the operation that caused them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal, jaxpr_as_fun

from explorax.compiler import Program
from explorax.compiler.errors import warn
from explorax.compiler.jaxprs import CALLS, closed_jaxpr
from explorax.compiler.lower import line_of


def check(
    name: str, names: Iterable[str], values: Mapping[str, Any], program: Any, given: Sequence[Any]
) -> None:
    """Warn of results that have no finite number at the settings that the figure starts with.

    Args:
      name: of the function.
      names: of its results; that of a number may have a curve, ``<name>_over_<control>``.
      values: of the results, and of such curves.
      program: from which they come.
      given: what it was given.

    Warns:
      UserWarning: it names the results and, where that can be found, the first operation that gave
        no finite number, with its line.
    """
    lost = []
    for result in names:
        curves = [value for key, value in values.items() if key.startswith(f"{result}_over_")]
        numbers = [np.asarray(value, np.float64) for value in curves or [values[result]]]
        if all(each.size and not np.isfinite(each).any() for each in numbers):
            lost.append(f"{result!r} ({'NaN' if np.isnan(numbers[0]).any() else 'infinite'})")
    if lost:
        where = _origin(program, given) if isinstance(program, Program) else ""
        warn(
            f"{name} gives no finite number in {', '.join(lost)} at the settings that the figure "
            f"starts with, so there is nothing to draw.{where} Look for the logarithm or root of a "
            "negative number, a division by 0, or an overflow, or let the controls start elsewhere."
        )


def _origin(program: Program, given: Sequence[Any]) -> str:
    """Find the first operation that turns finite numbers into others."""
    with jax.enable_x64(True):
        closed = program.jaxpr
        inputs = [
            np.asarray(value).astype(leaf.dtype)
            for value, leaf in zip(given, program.inputs, strict=True)
        ]
        found = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
        found |= dict(zip(closed.jaxpr.invars, inputs, strict=True))
        for equation in closed.jaxpr.eqns:
            operands = [
                atom.val if isinstance(atom, Literal) else found[atom] for atom in equation.invars
            ]
            name, params = equation.primitive.name, equation.params
            if name in CALLS:
                results = jaxpr_as_fun(closed_jaxpr(params[CALLS[name]]))(*operands)
            else:
                results = equation.primitive.bind(*operands, **params)
                results = results if equation.primitive.multiple_results else [results]
            found.update(zip(equation.outvars, results, strict=True))
            if all(map(_finite, operands)) and not all(map(_finite, results)):
                operation, line = params.get("name", name), line_of([equation.source_info])
                return f" The first comes from '{operation}' ({line})."
    return ""


def _finite(value: Any) -> bool:
    """Tell whether all numbers are finite; random keys and integers are."""
    floats = jax.numpy.issubdtype(jax.numpy.result_type(value), np.floating)
    return not floats or bool(np.isfinite(np.asarray(value, np.float64)).all())
