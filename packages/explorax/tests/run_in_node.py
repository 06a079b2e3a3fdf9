"""One Node that stays and evaluates emitted programs: what every test runs them in."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from explorax.node import Conversation, NodeError

WORKER = Path(__file__).with_suffix(".mjs")
# the typed array in which a dtype comes and goes, and its bytes
ARRAYS = {
    "float64": ("Float64Array", "<f8"),
    "float32": ("Float32Array", "<f4"),
    "int64": ("Float64Array", "<f8"),
    "int32": ("Int32Array", "<i4"),
    "uint32": ("Uint32Array", "<u4"),
    "bool": ("Uint8Array", "u1"),
}


class RunInNode:
    """Evaluator of programs: ``run(program, calls)``. To be closed, or used in a ``with``."""

    def __init__(self) -> None:
        self._node = Conversation(str(WORKER))

    def __call__(
        self,
        program: str,
        calls: Sequence[Sequence[Any]],
        dtypes: Sequence[str] | None = None,
    ) -> list[list[np.ndarray]]:
        """Return the results of each call, flat.

        Args:
          program: the text of an emitted module.
          calls: for each call, its leaves; those of shape () are passed as numbers.
          dtypes: of the outputs: the arrays that come must be theirs, and results have them.
            int64 comes in float64, and is checked to be whole. Without, all is float64.

        Raises:
          NodeError: says what went wrong in the module.
        """
        question = {"program": program, "calls": [[_sent(x) for x in call] for call in calls]}
        answer = self._node.ask(question)
        if "error" in answer:
            raise NodeError(answer["error"])
        return [_received(results, dtypes) for results in answer["results"]]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._node.close()


def _sent(leaf: Any) -> dict[str, str]:
    """Encode a leaf as the worker reads it."""
    array = np.asarray(leaf)
    kind, stored = ARRAYS[array.dtype.name] if array.ndim else ("number", "<f8")
    return {"kind": kind, "data": base64.b64encode(array.astype(stored).tobytes()).decode("ascii")}


def _received(results: list[dict[str, str]], dtypes: Sequence[str] | None) -> list[np.ndarray]:
    """Decode the results of one call."""
    stored = dict(ARRAYS.values())
    arrays = [np.frombuffer(base64.b64decode(r["data"]), stored[r["kind"]]) for r in results]
    if dtypes is None:
        return [array.astype(float) for array in arrays]
    kinds, expected = [r["kind"] for r in results], [ARRAYS[dtype][0] for dtype in dtypes]
    if kinds != expected:
        raise NodeError(f"the outputs are {kinds}; expected {expected}")
    return [
        _whole(array) if dtype == "int64" else array
        for array, dtype in zip(arrays, dtypes, strict=True)
    ]


def _whole(array: np.ndarray) -> np.ndarray:
    """Convert what came as float64 to int64; beyond 2**63 it stays float64."""
    if np.any(array != np.floor(array)) or np.any((array == 0) & np.signbit(array)):
        raise NodeError(f"an output is int64 and holds {array.tolist()}")
    return array.astype(np.int64) if np.all(np.abs(array) < 2.0**63) else array
