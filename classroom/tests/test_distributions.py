"""Two distributions: readers get no grader, and teachers get one that works from its wheel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

from classroom.tests.answers import AXIS, CAP, PLACES
from classroom.tests.notebooks_for_tests import FOURTH, as_bytes, cells, notebook
from classroom.tests.paths import COURSE_FILE, ROOT
from classroom.tests.sandboxed import need_sandbox

pytestmark = pytest.mark.slow

ONLY_TEACHERS_NEED = {"dask", "jinja2", "nbgrader", "psutil", "pyyaml", "tqdm"}


def build_wheel(project: Path, folder: Path) -> Path:
    """Build a distribution's wheel with what is installed here."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(folder)], cwd=project, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def readers_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("gradlab"))


@pytest.fixture(scope="module")
def teachers_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT / "classroom", tmp_path_factory.mktemp("classroom"))


def contents(wheel: Path) -> tuple[set[str], set[str]]:
    """The names of a wheel's files outside of its metadata, and those of what it requires."""
    with ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        required = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
    unconditional = (line for line in required if "extra ==" not in line)
    return files, {re.split(r"[^\w-]", line)[0].lower() for line in unconditional}


def test_the_wheel_of_gradlab_has_no_grader_in_it(readers_wheel: Path) -> None:
    files, required = contents(readers_wheel)
    assert "gradlab/exercises/max_norm.py" in files
    assert {file.split("/")[0] for file in files} == {"gradlab"}
    assert not [file for file in files if re.search("classroom|grading|jail|nbgrader", file)]
    assert not required & ONLY_TEACHERS_NEED


def test_the_wheel_of_the_classroom_has_the_grader_and_no_course(teachers_wheel: Path) -> None:
    files, required = contents(teachers_wheel)
    assert {file.split("/")[0] for file in files} == {"gradlab_classroom"}
    assert "gradlab_classroom/grading/templates/feedback.html" in files
    assert not [file for file in files if file.endswith((".ipynb", ".yml"))]
    assert required >= {"gradlab", *ONLY_TEACHERS_NEED}


@pytest.mark.exhaustive  # it installs JAX and the rest anew: minutes, and a gigabyte
def test_both_wheels_in_a_fresh_environment_grade_a_notebook(
    readers_wheel: Path, teachers_wheel: Path, tmp_path: Path
) -> None:
    need_sandbox()
    python = tmp_path / "env" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str | Path) -> None:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run(sys.executable, "-m", "venv", "env")
    pinned = ("-c", ROOT / "constraints.txt")
    run(python, "-m", "pip", "install", "--quiet", *pinned, readers_wheel, teachers_wheel)
    (tmp_path / "in" / "jane").mkdir(parents=True)
    answers = [CAP["where"], AXIS["limit ignored"], PLACES["by hand"]]
    (tmp_path / "in/jane/x.ipynb").write_bytes(as_bytes(notebook(cells(FOURTH, answers), FOURTH)))
    grade = (python, "-m", "gradlab_classroom", "grade", "in", "--out", "out")
    run(*grade, "--course", COURSE_FILE)
    (found,) = json.loads((tmp_path / "out/scores.json").read_text("utf-8"))["submissions"]
    assert {mark["name"]: mark["finding"] for mark in found["marks"]} == {
        "max_norm": "passed",
        "wrong_axis": "limit_ignored",
        "three_places": "passed",
    }
