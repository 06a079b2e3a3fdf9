"""What a library computed, in a process of its own, once for all tests; and the record of a run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.frameworks.record import RECORD, record
from tests.frameworks.run import LIBRARIES

ROOT = Path(__file__).parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help=f"where all passes, write {RECORD.name}")


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """By library and case, the value and the gradient; and, as ``told``, what else was found."""
    folder = tmp_path_factory.mktemp("frameworks")

    def run(name: str) -> dict[str, Any]:
        out = folder / f"{name}.npz"
        command = [sys.executable, "-m", "tests.frameworks.run", name, str(out)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.fail(f"{name} failed:\n{done.stderr[-4000:]}", pytrace=False)
        with np.load(out) as file:
            found = {key: file[key] for key in file.files}
        return found | {"told": json.loads(str(found["told"]))}

    with ThreadPoolExecutor(2) as two:
        return dict(zip(LIBRARIES, two.map(run, LIBRARIES), strict=True))


@pytest.fixture(scope="session")
def told(results: dict[str, dict[str, Any]]) -> Callable[[str, str], Any]:
    """What a library found beside the cases: ``told(library, what)``."""
    return lambda library, what: results[library]["told"][what]


@pytest.fixture(scope="session", autouse=True)
def recorded(request: pytest.FixtureRequest, results: dict[str, dict[str, Any]]) -> Any:
    """Write the record when all tests have passed and it was asked for."""
    yield
    if request.config.getoption("--record") and not request.session.testsfailed:
        record(results)
