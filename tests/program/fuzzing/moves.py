"""Primitives that only move data, in NumPy.

JAX compiles a primitive for each shape that it meets, which takes longer than all the rest of an
example. ``test_fuzz.py`` shows that what is here gives bit for bit what JAX gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

Move = Callable[..., Any]
MOVES: dict[str, Move] = {}


def move(*names: str) -> Callable[[Move], Move]:
    """Registers ``function(equation, *operands)`` under the primitives' names."""

    def register(function: Move) -> Move:
        MOVES.update(dict.fromkeys(names, function))
        return function

    return register


@move("copy", "copy_p", "stop_gradient", "optimization_barrier")
def _identity(equation: JaxprEqn, *operands: np.ndarray) -> Any:
    return list(operands) if len(equation.outvars) > 1 else operands[0]


@move("reshape", "squeeze", "expand_dims")
def _reshape(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    assert equation.params.get("sizes") is None or equation.primitive.name == "reshape"
    if equation.primitive.name == "reshape" and equation.params.get("dimensions") is not None:
        x = x.transpose(equation.params["dimensions"])
    return x.reshape(equation.outvars[0].aval.shape)


@move("broadcast_in_dim")
def _broadcast(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    shape = equation.params["shape"]
    spread = [1] * len(shape)
    for axis, length in zip(equation.params["broadcast_dimensions"], x.shape, strict=True):
        spread[axis] = length
    return np.broadcast_to(x.reshape(spread), shape)


@move("transpose")
def _transpose(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return x.transpose(equation.params["permutation"])


@move("rev")
def _reverse(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return np.flip(x, equation.params["dimensions"])


@move("slice")
def _slice(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    params = equation.params
    strides = params["strides"] or (1,) * x.ndim
    return x[tuple(map(slice, params["start_indices"], params["limit_indices"], strides))]


@move("split")
def _split(equation: JaxprEqn, x: np.ndarray) -> list[np.ndarray]:
    ends = np.cumsum(equation.params["sizes"])[:-1]
    return np.split(x, ends, equation.params["axis"])


@move("concatenate")
def _concatenate(equation: JaxprEqn, *parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts, equation.params["dimension"])


@move("stack")
def _stack(equation: JaxprEqn, *parts: np.ndarray) -> np.ndarray:
    return np.stack(parts, equation.params["axis"])


@move("tile")
def _tile(equation: JaxprEqn, x: np.ndarray) -> np.ndarray:
    return np.tile(x, equation.params["reps"])


@move("iota")
def _iota(equation: JaxprEqn) -> np.ndarray:
    params = equation.params
    shape, axis = params["shape"], params["dimension"]
    line = np.arange(shape[axis], dtype=params["dtype"])
    return np.broadcast_to(line.reshape([-1 if i == axis else 1 for i in range(len(shape))]), shape)


@move("pad")
def _pad(equation: JaxprEqn, x: np.ndarray, value: np.ndarray) -> np.ndarray:
    shape = equation.outvars[0].aval.shape
    padded = np.full(shape, value, x.dtype)
    source, target = [], []
    for length, size, (low, _, interior) in zip(
        x.shape, shape, equation.params["padding_config"], strict=True
    ):
        places = low + (interior + 1) * np.arange(length)
        kept = (places >= 0) & (places < size)
        source.append(np.flatnonzero(kept))
        target.append(places[kept])
    padded[np.ix_(*target)] = x[np.ix_(*source)]
    return padded


@move("select_n")
def _select(equation: JaxprEqn, which: np.ndarray, *cases: np.ndarray) -> np.ndarray:
    chosen = np.array(cases[0])
    for number, case in enumerate(cases[1:], 1):
        np.copyto(chosen, case, where=which.astype(np.int64) == number)
    return chosen


def clipped(starts: tuple[Any, ...], shape: tuple[int, ...], sizes: tuple[int, ...]) -> tuple:
    return tuple(
        slice(begin := min(max(int(start), 0), length - size), begin + size)
        for start, length, size in zip(starts, shape, sizes, strict=True)
    )


@move("dynamic_slice")
def _dynamic_slice(equation: JaxprEqn, x: np.ndarray, *starts: Any) -> np.ndarray:
    return x[clipped(starts, x.shape, equation.params["slice_sizes"])]


@move("dynamic_update_slice")
def _dynamic_update_slice(
    equation: JaxprEqn, x: np.ndarray, update: np.ndarray, *starts: Any
) -> np.ndarray:
    changed = np.array(x)
    changed[clipped(starts, x.shape, update.shape)] = update
    return changed
