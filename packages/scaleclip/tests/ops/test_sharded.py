"""Every operator gives on eight devices what it gives on one, to rounding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scaleclip import ops

pytestmark = pytest.mark.slow
PACKAGE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def found() -> Any:
    command = [sys.executable, "-m", "tests.ops.on_eight_devices"]
    settings = {
        "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
        "JAX_PLATFORMS": "cpu",
        "JAX_ENABLE_X64": "1",
        "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",  # programs that run once compile quickly
    }
    done = subprocess.run(
        command, cwd=PACKAGE, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def test_every_operator_of_the_package_is_run_on_eight_devices(found: Any) -> None:
    assert found["devices"] == 8
    assert set(found["layouts"]) == set(ops.__all__)


@pytest.mark.parametrize("operator", ops.__all__)
def test_sharded_arrays_give_what_one_device_gives(found: Any, operator: str) -> None:
    layouts = found["layouts"][operator]
    assert set(layouts) == {"rows", "columns", "copied"}
    assert max(layouts.values()) <= 8  # units of the dtype's epsilon


def test_a_recorder_keeps_the_norms_of_the_whole(found: Any) -> None:
    assert found["recorded"] < 1e-6


def test_clips_inside_shard_map(found: Any) -> None:
    inside = found["inside"]
    assert inside["by_one_norm"] < 1e-15
    assert inside["by_example"] < 1e-15
    assert inside["by_its_own"] > 0.01  # its own norm is another
