"""What two processes found that share a model, for the tests of scaleclip.torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def two_processes(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What each of two processes found: see ``two_processes.py``."""
    import torch

    folder = tmp_path_factory.mktemp("processes")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.torch.two_processes", str(rank), str(folder)],
            cwd=PACKAGE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        said = [process.communicate(timeout=300)[0] for process in running]
    finally:
        for process in running:
            process.kill()
            process.communicate()
    assert [process.returncode for process in running] == [0, 0], "\n\n".join(said)
    return [torch.load(folder / f"{rank}.pt") for rank in range(2)]
