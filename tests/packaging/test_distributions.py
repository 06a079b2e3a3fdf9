"""Each package is a wheel of its own: what is in it, what it needs, and what works from it alone."""

import json
import os
import re
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

from classroom.tests.paths import ASSIGNMENTS, ROOT
from classroom.tests.sandboxed import need_sandbox

pytestmark = pytest.mark.slow
FOLDERS = {
    "scaleclip": ROOT / "packages" / "scaleclip",
    "explorax": ROOT / "packages" / "explorax",
    "sccbook": ROOT / "packages" / "sccbook",
    "sccbook_classroom": ROOT / "classroom",
}
NEEDS = {
    "scaleclip": {"numpy"},
    "explorax": {"anywidget", "ipywidgets", "jax", "math-core", "numpy"},
    "sccbook": {"explorax", "matplotlib", "scaleclip", "scipy"},
    "sccbook_classroom": {
        "bleach", "ipython", "jinja2", "nbformat", "nbgrader", "psutil", "pydantic",
        "pyyaml", "sccbook", "tqdm",
    },
}  # fmt: skip
SOURCE = re.compile(r"/test_\w+\.py$|/tests/|/node_modules/|\.ipynb$|(?<!/dist)/\w+\.(js|mjs|css)$")
"""What belongs in no wheel: tests, notebooks, and JavaScript that isn't built."""
BUNDLER = "explorax/frontend/bundle.mjs"
"""What other packages build their own views with."""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheels by name, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    for project in FOLDERS.values():
        subprocess.run([*command, str(folder)], cwd=project, check=True, capture_output=True)
    return {name: next(folder.glob(f"{name}-0*.whl")) for name in FOLDERS}


def contents(wheel: Path) -> tuple[set[str], list[str]]:
    """The names of a wheel's files outside of its metadata, and what it requires."""
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        required = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
        return {name for name in archive.namelist() if ".dist-info/" not in name}, required


@pytest.mark.parametrize("name", FOLDERS)
def test_a_wheel_has_its_own_package_without_tests_or_unbuilt_sources(wheels, name):
    files, required = contents(wheels[name])
    assert {file.split("/")[0] for file in files} == {name}
    built = {file for file in files if "/dist/" in file}
    assert not [file for file in files - built - {BUNDLER} if SOURCE.search(file)]
    always = {re.split(r"[^\w-]", line)[0].lower() for line in required if "extra ==" not in line}
    assert always == NEEDS[name]
    ours = [line for line in required if re.match(r"scaleclip|explorax|sccbook", line)]
    assert all("==0.1.0" in line or line.startswith("scaleclip[jax];") for line in ours), ours


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("explorax", "frontend/dist/widget.js frontend/dist/figure.js frontend/dist/views/plane.js "
         "frontend/dist/prerender.mjs frontend/dist/LICENSES.txt frontend/src/palette.json"),
        ("sccbook", "dist/stream.js dist/search/search.js records/remedies.json site/templates/layout.html "
         "exercises/max_norm/exercise.py"),
        ("scaleclip", "figure/dist/ledger.js ops/clipping.py keras/recorder.py"),
        ("sccbook_classroom", "templates/summary.html"),
    ],
)  # fmt: skip
def test_a_wheel_carries_what_its_package_reads(wheels, name, wanted):
    files, _ = contents(wheels[name])
    assert {f"{name}/{file}" for file in wanted.split()} <= files


@pytest.mark.exhaustive  # it installs JAX and the rest anew: minutes, and a gigabyte
def test_wheels_alone_in_a_fresh_environment_grade_a_notebook(wheels, tmp_path):
    need_sandbox()
    python = tmp_path / "env" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run(sys.executable, "-m", "venv", "env")
    pip = (python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt")
    run(*pip, *wheels.values())
    (tmp_path / "in" / "jane").mkdir(parents=True)
    solved = ASSIGNMENTS / "source/3_clipping/3_clipping.ipynb"
    (tmp_path / "in/jane/3_clipping.ipynb").write_bytes(solved.read_bytes())
    grade = (python, "-m", "sccbook_classroom", "grade", "in", "--out", "out")
    run(*grade, "--course", ASSIGNMENTS)
    (found,) = json.loads((tmp_path / "out/scores.json").read_text("utf-8"))["submissions"]
    assert {mark["finding"] for mark in found["marks"]} == {"passed"}
