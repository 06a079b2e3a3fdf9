"""Random keys and bits: threefry2x32, word for word as JAX has it.

A key's scalar expression is the pair of its words (``values.Value``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax

from explorax.compiler import ir
from explorax.compiler.graph import Equation
from explorax.compiler.lower import Lowering
from explorax.compiler.rules.elementwise import apply
from explorax.compiler.rules.registry import result, rule
from explorax.compiler.values import Indices, Value

ZERO = ir.Number(0, "uint32")


def _hashed(key: ir.Expression, high: ir.Expression, low: ir.Expression) -> ir.Expression:
    """Hash two words by a key to another key."""
    arguments = (*_words(key), high, low)
    return _key(*(ir.Apply(f"threefry_{n}", arguments, "uint32") for n in ("first", "second")))


def _key(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    return ir.Apply("key", (first, second), "key")


def _words(key: ir.Expression) -> tuple[ir.Expression, ir.Expression]:
    return ir.word(key, 0), ir.word(key, 1)


def partitionable() -> bool:
    """Tell which of JAX's two ways to count the words of a draw is set."""
    config: Any = jax.config
    return bool(config.jax_threefry_partitionable)


def _drawn(
    lowering: Lowering, equation: Equation, keys: Value
) -> tuple[Value, int, tuple[int, ...]]:
    """Return the keys, how many axes they have, and the shape of what is made of each."""
    name = str(equation.invars[0].aval.dtype)
    if name != "key<fry>":
        raise lowering.unsupported(equation, f"with {name}; expected a threefry2x32 key")
    return lowering.keep(keys), len(keys.shape), tuple(equation.params["shape"])


@rule("random_seed")
def _seed(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    (seed,) = values
    if equation.params["impl"].name != "threefry2x32":
        raise lowering.unsupported(equation, f"for {equation.params['impl'].name}")
    seed = lowering.keep(seed)
    low = "low_word" if seed.dtype == "uint64" else "number"

    def at(indices: Indices) -> ir.Expression:
        x = seed.at(indices)
        high = ir.Apply("high_half", (x,), "uint32") if seed.dtype.endswith("64") else ZERO
        return _key(high, ir.Apply(low, (x,), "uint32") if seed.dtype != "uint32" else x)

    return [Value(seed.shape, "key", at)]


@rule("random_fold_in")
def _fold_in(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    keys, data = (lowering.keep(value) for value in values)

    def at(indices: Indices) -> ir.Expression:
        key = keys.at(indices if keys.shape else ())
        return _hashed(key, ZERO, data.at(indices if data.shape else ()))

    return [Value(*result(equation), at)]


@rule("random_split")
def _split(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    keys, rank, shape = _drawn(lowering, equation, values[0])
    count = ir.Number(2 * math.prod(shape), "uint32")

    def at(indices: Indices) -> ir.Expression:
        key, i = keys.at(indices[:rank]), ir.flat(indices[rank:], shape)
        if partitionable():
            return _hashed(key, ZERO, i)
        places = (ir.plus(ir.times(i, 2), ir.Number(number)) for number in (0, 1))
        return _key(*(ir.Apply("word", (*_words(key), p, count), "uint32") for p in places))

    return [Value(*result(equation), at)]


@rule("random_bits")
def _bits(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    keys, rank, shape = _drawn(lowering, equation, values[0])
    _, dtype = result(equation)
    size = math.prod(shape)
    narrow = dtype in ("uint8", "uint16")
    if narrow and not partitionable():
        raise lowering.unsupported(equation, f"of {equation.params['bit_width']} bits")

    def at(indices: Indices) -> ir.Expression:
        words, i = _words(keys.at(indices[:rank])), ir.flat(indices[rank:], shape)
        x: ir.Expression = ZERO
        if not partitionable():
            if dtype == "uint32":
                return ir.Apply("word", (*words, i, ir.Number(size, "uint32")), dtype)
            x, i = i, ir.plus(i, ir.Number(size))
        return ir.Apply("draw_wide" if dtype == "uint64" else "draw", (*words, x, i), dtype)

    return [Value(*result(equation), at)]


@rule("random_wrap")
def _wrap(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    words = lowering.keep(values[0])

    def at(indices: Indices) -> ir.Expression:
        return _key(*(words.at((*indices, ir.Number(number))) for number in (0, 1)))

    return [Value(*result(equation), at, cheap=True)]


@rule("random_unwrap")
def _unwrap(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    keys = lowering.keep(values[0])
    shape, dtype = result(equation)

    def at(indices: Indices) -> ir.Expression:
        first, second = _words(keys.at(indices[:-1]))
        which = indices[-1]
        if isinstance(which, ir.Number):
            return second if which.value else first
        return ir.Apply("select", (ir.Apply("truth", (which,), "bool"), second, first), dtype)

    return [Value(shape, dtype, at, cheap=True)]


@rule("threefry2x32")
def _threefry(lowering: Lowering, equation: Equation, values: Sequence[Value]) -> list[Value]:
    kept = [lowering.keep(value) for value in values]
    return [
        apply(lowering, equation, f"threefry_{name}", kept, number)
        for number, name in enumerate(("first", "second"))
    ]
