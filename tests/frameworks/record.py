"""The record of the last run: versions, cases, largest differences, and the files that were run."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tests.frameworks.cases import ARGUMENTS, cases
from tests.frameworks.corners import CLIPS, CORNERS, VALUE_CLIPS
from tests.frameworks.rosetta import FILE, OPERATIONS, RUN_BY, largest_difference
from tests.frameworks.run import LIBRARIES, RUN_IN_A_MODEL, SNIPPETS

RECORD = SNIPPETS / "results.json"


def difference(found: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest difference, in units of the last place of what is expected."""
    least = np.finfo(expected.dtype).tiny
    unit = np.spacing(np.maximum(np.abs(expected), least))
    return float(np.max(np.abs(found - expected) / unit))


def differences(results: dict[str, Any], library: str, operation: str) -> dict[str, Any]:
    """Return how many cases of an operation ran, and the largest difference from scaleclip's."""
    numbers = {str(n) for n, case in enumerate(cases()) if case.operation == operation}
    expected = results["scaleclip"]
    ran = [key for key in results[library] if key.split()[0] in numbers]
    largest = [
        max(difference(results[library][key][q], expected[key.split()[0]][q]) for key in ran)
        for q in (0, 1)
    ]
    return {"cases": len(ran), "value": largest[0], "gradient": largest[1]}


def hash_of(file: Path) -> str:
    """Return the hash of a snippet: of its text, whatever ends its lines."""
    return hashlib.sha256(file.read_text(encoding="utf-8").encode()).hexdigest()


def record(results: dict[str, Any]) -> None:
    """Write the record of a run of every library; one that found the same as the last leaves it."""
    told = {name: results[name]["told"] for name in LIBRARIES}
    runs: dict[str, Any] = {}
    for file in sorted(SNIPPETS.glob("*/*.py")):
        if file.parent.name == "reports":  # tests/reports runs them
            continue
        users = [name for name, library in LIBRARIES.items() if library.snippet == file.stem]
        if file.parent.name not in ARGUMENTS:  # it has a test of its own
            users = []
        runs[f"{file.parent.name}/{file.name}"] = {
            "sha256": hash_of(file),
            "runs": {
                name: differences(results, name, file.parent.name)
                for name in users
                if file.parent.name in ARGUMENTS
            },
        }
    written = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": told["JAX"]["python"],
        "versions": {library.distribution: told[n]["version"] for n, library in LIBRARIES.items()}
        | {name: version(name) for name in ("optax", "numpy", "flax", "equinox")},
        "snippets": runs,
        "sonnet.scale_gradient": {
            **differences(results, "Sonnet", "scale_gradient"),
            "failed in a tf.function": sorted({*told["Sonnet"]["failed"].values()}),
        },
        "corners": {
            corner: {
                n: [f"{entry:.2g}" for entry in told[n]["corners"][corner]]
                for n in LIBRARIES
                if corner in told[n]["corners"]
            }
            for corner in told["scaleclip"]["corners"]
        },
        "abilities": {n: told[n]["abilities"] for n in LIBRARIES},
        "Keras model": {n: told[n]["Keras model"] for n in RUN_IN_A_MODEL},
        "second derivative": {n: told[n]["second derivative"] for n in LIBRARIES},
        "step": {n: told[n]["step"] for n in LIBRARIES if "step" in told[n]},
        "rosetta.toml": {"sha256": hash_of(FILE)},
        "rosetta": rosetta(told),
        "corners of clips": corners_of_clips(told),
        "hooks": told["PyTorch"]["hooks"],
        "hook_at_state": told["PyTorch"]["hook_at_state"],
    }
    if RECORD.is_file():
        last = json.loads(RECORD.read_text(encoding="utf-8"))
        if last | {"date": ""} == written | {"date": ""}:
            return
    RECORD.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def rosetta(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return, by operation and library, how often a cell was run and how far it was from NumPy's."""
    found = outcomes(told)
    return {
        operation: {
            library: {
                "cases": len(of_library[operation]),
                "difference": float(
                    f"{largest_difference(of_library[operation], found['numpy'][operation]):.1e}"
                ),
            }
            for library, of_library in found.items()
            if operation in of_library and library != "numpy"
        }
        for operation in OPERATIONS
    }


def outcomes(told: dict[str, Any]) -> dict[str, Any]:
    """Return the outcomes of the cells: by library, operation and input."""
    ran = {library: found for n in LIBRARIES for library, found in told[n]["rosetta"].items()}
    return {library: ran[library] for library in RUN_BY}


def corners_of_clips(told: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return, by corner and clip, what every clip makes of it."""
    found = [told[n]["corners of clips"] for n in LIBRARIES]
    return {
        corner: {
            clip: by_corner[corner][clip]
            for clip in (*CLIPS, *VALUE_CLIPS)
            for by_corner in found
            if clip in by_corner.get(corner, {})
        }
        for corner in CORNERS
    }
