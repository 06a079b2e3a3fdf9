"""What works without an extra, and what an import says that lacks one. Each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = str(Path(__file__).parents[1] / "src")
LOADED = "assert not {'jax', 'optax', 'torch', 'keras', 'explorax'} & {*sys.modules}, sys.modules\n"
RECORDING = """
from scaleclip import probe
found = probe.load([1.0, 2.0, 4.0], limit=2.0)
assert probe.load(found.to_json("r.json")).clipped == 1
assert "clips 33.3 %" in repr(found) and "99th" in repr(found.suggest())
assert probe.by_module("layers/0/weight", None) == "layers/0"
"""
LEDGER = """
import numpy as np
from scaleclip.ledger import PLACEMENTS, Ledger
one, two = np.ones(()), np.ones(2)
tree = {"w": [two], "n": None}
found = Ledger(one, PLACEMENTS[0], two, two, np.eye(2), np.eye(2), np.eye(2), one, 0 * one, two, two, two,
               two, two, tree, tree)
assert "total 1.41" in repr(found) and found.shares[0, 0] == 0.5
"""
TORCH = """
import torch
from scaleclip.torch import Recorder, by_layer, ledger, read
model = torch.nn.Linear(2, 1)
recorder = Recorder(model, groups=by_layer)
model(torch.ones(1, 2)).sum().backward()
recorder.clip_by_global_norm_(1.0)
assert read(recorder.state_dict()).clipped == 1
step = lambda p, h, x: torch.tanh(p @ h + x)
print(ledger(step, lambda p, h, x: h.sum(), torch.eye(3), torch.ones(3), torch.zeros(4, 3), scale=0.5))
"""


def run(program: str, folder: object, *missing: str) -> subprocess.CompletedProcess[str]:
    """Run a program for which some packages aren't there."""
    start = f"import sys; sys.path.insert(0, {ROOT!r})\n"
    start += "".join(f"sys.modules[{name!r}] = None\n" for name in missing)
    command = [sys.executable, "-W", "error", "-c", start + program]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)  # type: ignore[call-overload, no-any-return]


def test_recordings_and_ledgers_need_numpy_alone(tmp_path):
    gone = ("jax", "optax", "torch", "keras", "explorax")
    done = run(RECORDING + LEDGER, tmp_path, *gone)
    assert done.returncode == 0, done.stderr
    done = run(RECORDING + LEDGER + LOADED, tmp_path)  # nor do they import what is there
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(
    not find_spec("torch"), reason="PyTorch is not installed here: make frameworks test-frameworks"
)
def test_torch_needs_no_jax(tmp_path):
    done = run(TORCH, tmp_path, "jax", "optax", "keras", "explorax")
    assert done.returncode == 0, done.stderr


IMPORTS = [  # a program, the package that is missing, what needs what, and the extra
    ("import scaleclip.ops", "jax", "scaleclip.ops needs JAX", "jax"),
    ("from scaleclip.ledger import ledger", "jax", "scaleclip.ledger.ledger needs JAX", "jax"),
    ("import scaleclip.transforms", "optax", "scaleclip.transforms needs Optax", "jax"),
    ("from scaleclip.probe import updates", "optax", "scaleclip.probe.updates needs Optax", "jax"),
    ("import scaleclip.torch", "torch", "scaleclip.torch needs PyTorch", "torch"),
    ("import scaleclip.keras", "keras", "scaleclip.keras needs Keras 3", "keras"),
    ("import scaleclip.figure", "explorax", "scaleclip.figure needs explorax", "figure"),
]
WITHOUT = """
for program, missing in {programs}:
    sys.modules[missing] = None
    try:
        exec(program)
    except ImportError as error:
        print(error)
    del sys.modules[missing]
from scaleclip._extras import needed
with needed("x", "jax"):
    import nothing_here
"""


def test_an_import_without_its_extra_says_what_to_install(tmp_path):
    programs = [(program, missing) for program, missing, *_ in IMPORTS]
    done = run(WITHOUT.format(programs=programs), tmp_path)
    cure = "Install it from the repository: pip install "
    figure = {"figure": "./packages/explorax "}  # which is on no index
    assert done.stdout.splitlines() == [
        f"{what}. {cure}{figure.get(extra, '')}'./packages/scaleclip[{extra}]'"
        for *_, what, extra in IMPORTS
    ]
    # another missing package is not mistaken for an extra
    assert done.stderr.splitlines()[-1].endswith("No module named 'nothing_here'")
