"""Loops and branches, turn by turn: what ``oracle`` does with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.extend.core import JaxprEqn

Values = list[Any]
LIMIT = 1000  # turns of a while loop; a program that takes more is not worth waiting for


class TooLong(Exception):
    """A loop of the program takes too many turns."""


def plain_array(value: Any) -> Any:
    """NumPy's array of a value; keys stay as JAX has them."""
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.extended):
        return value
    return np.asarray(value)


def _scan(
    oracle: Any, equation: JaxprEqn, values: Values, exact: list[bool]
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
    oracle: Any, equation: JaxprEqn, values: Values, exact: list[bool]
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
    oracle: Any, equation: JaxprEqn, values: Values, exact: list[bool]
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
