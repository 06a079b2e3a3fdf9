"""Calls and loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jax.extend.core import JaxprEqn

from gradlab.program import ir
from gradlab.program.lower import Lowering, Value, scalar, stored
from gradlab.program.rules.registry import reindexed, result, rule

# Primitives that call a jaxpr in place, by the parameter that holds it.
CALLS = {
    "jit": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


@rule(*CALLS)
def _call(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    return lowering.call(equation.params[CALLS[equation.primitive.name]], values)


@rule("scan")
def _scan(lowering: Lowering, equation: JaxprEqn, values: Sequence[Value]) -> list[Value]:
    params = equation.params
    length, constants, carries = params["length"], params["num_consts"], params["num_carry"]
    outer = [lowering.keep(value) for value in values]
    state = [_variable(lowering, value) for value in outer[constants : constants + carries]]
    sequences = outer[constants + carries :]
    stacks = []
    for number in range(carries, len(equation.outvars)):
        shape, dtype = result(equation, number)
        stacks.append((lowering.buffer(shape, dtype), shape))
    if length:
        with lowering.loop(length, reverse=params["reverse"], prefix="t") as t:
            elements = [reindexed(x.shape[1:], x, lambda indices: (t, *indices)) for x in sequences]
            arguments = [*outer[:constants], *(value for _, value in state), *elements]
            results = lowering.call(params["jaxpr"], arguments)
            following = [lowering.compute(value) for value in results[:carries]]
            for (buffer, _), value in zip(stacks, results[carries:], strict=True):
                size = int(np.prod(value.shape, dtype=int))
                lowering.fill(buffer, value, ir.times(t, size))
            for (target, _), value in zip(state, following, strict=True):
                if isinstance(target, ir.Buffer):
                    lowering.fill(target, value)
                else:
                    lowering.emit(ir.Assign(target.name, value.at(())))
    return [*(value for _, value in state), *(stored(buffer, shape) for buffer, shape in stacks)]


def _variable(lowering: Lowering, value: Value) -> tuple[ir.Local | ir.Buffer, Value]:
    """A place of its own for a value that a loop changes, and how to read it."""
    if value.shape == ():
        local = ir.Local(lowering.fresh("carry"), value.dtype)
        lowering.emit(ir.Let(local.name, value.at(()), mutable=True))
        return local, scalar(local)
    buffer = lowering.buffer(value.shape, value.dtype)
    lowering.fill(buffer, value)
    return buffer, stored(buffer, value.shape)
