"""A Node process that stays, and evaluates one emitted module after another."""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

WORKER = Path(__file__).with_name("worker.mjs")
KINDS = {
    "float64": ("Float64Array", "<f8"),
    "float32": ("Float32Array", "<f4"),
    "int64": ("Float64Array", "<f8"),
    "int32": ("Int32Array", "<i4"),
    "uint32": ("Uint32Array", "<u4"),
    "bool": ("Uint8Array", "u1"),
}


class NodeError(Exception):
    """The module could not be loaded, threw, did not end, or broke its promises."""


class Node:
    """Evaluates emitted modules; to be closed, or used in a ``with`` statement.

    Attributes:
      patience: seconds; a loop that does not end is an error, not a wait.
    """

    def __init__(self, patience: float = 10.0) -> None:
        self.patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process, where there is one."""
        if self._process is not None:
            # `node` may be a script that starts the real one
            os.killpg(self._process.pid, signal.SIGKILL)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process.wait()
            self._process = None

    def run(
        self, program: str, calls: Sequence[Sequence[np.ndarray]], dtypes: Sequence[str]
    ) -> list[list[np.ndarray]]:
        """The results of each call, flat, each of its leaf's dtype.

        Args:
          program: the text of an emitted module.
          calls: for each call, its leaves; those of shape () are passed as numbers.
          dtypes: of the outputs. The typed arrays that come must be theirs; int64 comes in
            float64, and is checked to be whole.

        Raises:
          NodeError: says what went wrong in the module.
        """
        answer = self.ask({"program": program, "calls": [[sent(x) for x in c] for c in calls]})
        return [self._results(results, dtypes) for results in answer["results"]]

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Sends one request and waits for its answer."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                ["node", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        pipes = self._process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        pipes.stdin.write(json.dumps(request).encode("ascii") + b"\n")
        line = bytearray()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([pipes.stdout], [], [], self.patience)
            part = pipes.stdout.read(1 << 20) if ready else b""
            if not part:
                self.close()
                raise NodeError(
                    "Node ended" if ready else f"the module did not end in {self.patience:g} s"
                )
            line += part
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NodeError(answer["error"])
        return answer

    def _results(
        self, results: Sequence[dict[str, str]], dtypes: Sequence[str]
    ) -> list[np.ndarray]:
        if len(results) != len(dtypes):
            raise NodeError(f"{len(results)} outputs; expected {len(dtypes)}")
        arrays = []
        for number, (result, dtype) in enumerate(zip(results, dtypes, strict=True)):
            kind, stored = KINDS[dtype]
            if result["kind"] != kind:
                raise NodeError(f"output {number} is a {result['kind']}; expected a {kind}")
            array = np.frombuffer(base64.b64decode(result["data"]), dtype=stored)
            arrays.append(_integers(array, number) if dtype == "int64" else array)
        return arrays


def _integers(array: np.ndarray, number: int) -> np.ndarray:
    """What came as float64, for int64; beyond 2**63 it stays float64, to be set aside."""
    if np.any(array != np.floor(array)) or np.any((array == 0) & np.signbit(array)):
        raise NodeError(f"output {number} is int64 and holds {array.tolist()}")
    return array.astype(np.int64) if np.all(np.abs(array) < 2.0**63) else array


def sent(leaf: np.ndarray) -> dict[str, str]:
    """A leaf as the worker reads it."""
    if leaf.shape == ():
        kind, stored = "number", "<f8"
    else:
        kind, stored = KINDS[leaf.dtype.name]
    return {"kind": kind, "data": base64.b64encode(leaf.astype(stored).tobytes()).decode("ascii")}
