"""The cells of ``snippets/rosetta.toml``, run: each in the library that it is for."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.frameworks.files import SNIPPETS
from tests.frameworks.given import LAYERS, NAN, Arrays, in_library, inputs, with_three_axes

FILE = SNIPPETS / "rosetta.toml"
ROSETTA = tomllib.loads(FILE.read_text(encoding="utf-8"))
GONE: list[dict[str, str]] = ROSETTA["gone"]
OPERATIONS = {name: t for name, t in ROSETTA.items() if name not in ("given", "imports", "gone")}
RUN_BY = {
    "numpy": "JAX",
    "scaleclip": "scaleclip",
    "optax": "JAX",
    "flax": "JAX",
    "equinox": "JAX",
    "keras": "Keras on JAX",
    "keras_model": "Keras on JAX",
    "tensorflow": "TensorFlow",
    "pytorch": "PyTorch",
    "pytorch_amp": "PyTorch",
    "sonnet": "Sonnet",
}
"""The libraries that have a column, and the process of ``tests.frameworks.run`` that runs it."""

AT_TIMES = {"flax", "equinox", "keras_model", "pytorch_amp"}
"""Those that have a cell only where it isn't that of JAX, Keras or PyTorch."""

ON_NAN = "a NaN"
"""The input with NaN, for the operations that say what they do ``on_nan``."""

Outcome = list[list[float]]
"""The entries of each array."""
Vjp = Callable[[Callable[[Any], Any], np.ndarray, np.ndarray], tuple[Any, Any]]
"""From a function, its argument and its result's gradient to the result and the argument's gradient."""


def outcome(operation: str, column: str, given: Arrays, vjp: Vjp, code: str = "") -> Outcome:
    """Return the entries of each array that a cell makes; at a state, its value and the gradient behind it.

    Args:
      operation: whose cell is run, or whose outcome ``code`` makes.
      column: the library.
      given: one of ``inputs()``.
      vjp: of the library.
      code: what is run in place of the cell.
    """
    table = OPERATIONS[operation]
    names = in_library(column, given)
    exec(ROSETTA["imports"][column], names)
    program = compile(code or table[column], f"rosetta.toml, {operation}, {column}", "exec")

    def run(h: Any) -> Any:
        names["h"] = h
        exec(program, names)
        if column in LAYERS:
            names["params"] = LAYERS[column].params_of(names["model"])
        return eval(table["result"], names)

    if given is NAN and table["on_nan"] == "refused":
        return [[float(raises(Exception, lambda: run(names["h"])))]]
    if table["result"] != "h":
        found = run(names["h"])
    elif column == "numpy":
        found = run(names["h"]), names["g"]
    else:
        found = vjp(run, given["h"], given["g"])
    return entries(found)


def entries(found: Any) -> Outcome:
    """Return the entries of each array in lists and tuples, one array after the other."""
    if isinstance(found, list | tuple):
        return [array for part in found for array in entries(part)]
    if hasattr(found, "detach"):
        found = found.detach()
    return [np.asarray(found, np.float64).ravel().tolist()]


def inputs_of(table: dict[str, Any]) -> dict[str, Arrays]:
    """Return what a table's cells act on: the gradients of a model of any shape, or of its one layer."""
    found = inputs() | ({ON_NAN: NAN} if "on_nan" in table else {})
    if "grads" in table["numpy"] and not re.search(r"\b(x|w|axis)\b", table["numpy"]):
        found["three axes"] = with_three_axes(found["three axes"])
    return found


def cells(process: str, vjp: Vjp) -> dict[str, dict[str, dict[str, Outcome]]]:
    """Return the outcomes of the columns that a process runs: by library, operation and input."""
    return {
        column: {
            operation: {
                name: outcome(operation, column, given, vjp)
                for name, given in inputs_of(table).items()
            }
            for operation, table in OPERATIONS.items()
            if column in table
        }
        for column, runner in RUN_BY.items()
        if runner == process
    }


def raises(error: type[Exception], function: Callable[[], Any]) -> bool:
    """Tell whether a call is refused with this error."""
    try:
        function()
    except error:
        return True
    return False


def gone(process: str, vjp: Vjp) -> dict[str, dict[str, Any]]:
    """Return, by old form, whether it is gone from its library, and what comes of its replacement."""
    found = {}
    for entry in GONE:
        column, given = entry["library"], inputs()["long"]
        if RUN_BY[column] != process:
            continue
        names = in_library(column, given) | {"inspect": inspect, "raises": raises}
        exec(ROSETTA["imports"][column], names)
        is_gone = bool(eval(entry["gone"], names))
        if "like" in entry:
            now = outcome(entry["like"], column, given, vjp, entry["now"])
        else:
            exec(compile(entry["now"], entry["form"], "exec"), names)
            now = None
        found[entry["form"]] = {"gone": is_gone, "now": now}
    return found


def difference(found: Outcome, expected: Outcome) -> float:
    """Return the largest difference, as a share of the largest entry that its array should have."""
    return max(_apart(*pair) for pair in zip(found, expected, strict=True))


def largest_difference(found: dict[str, Outcome], expected: dict[str, Outcome]) -> float:
    """Return the largest difference over all inputs."""
    assert found.keys() == expected.keys()
    return max(difference(found[name], expected[name]) for name in expected)


def _apart(found: list[float], expected: list[float]) -> float:
    assert len(found) == len(expected)
    apart = np.max(np.abs(np.subtract(found, expected)))
    return float(apart / (np.max(np.abs(expected)) or 1))
