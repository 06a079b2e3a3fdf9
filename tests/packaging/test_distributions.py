"""Two distributions: readers get no grader, and teachers get one that works from its wheel."""

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
TEACHERS = {
    "bleach",
    "dask",
    "ipython",
    "jinja2",
    "nbgrader",
    "psutil",
    "pydantic",
    "pyyaml",
    "tqdm",
}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Both distributions' wheels, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    for name, project in (("readers", ROOT), ("teachers", ROOT / "classroom")):
        subprocess.run([*command, str(folder / name)], cwd=project, check=True)
    return [next((folder / name).glob("*.whl")) for name in ("readers", "teachers")]


def contents(wheel: Path) -> tuple[set[str], set[str]]:
    """The names of a wheel's files outside of its metadata, and those of what it requires."""
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        required = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
    return files, {
        re.split(r"[^\w-]", line)[0].lower() for line in required if "extra ==" not in line
    }


def test_readers_get_no_grader_and_teachers_get_no_course(wheels):
    files, required = contents(wheels[0])
    assert "packages/sccbook/src/sccbook/exercises/max_norm.py" in files
    assert {file.split("/")[0] for file in files} == {"gradlab"}
    assert not required & TEACHERS
    files, required = contents(wheels[1])
    assert "sccbook_classroom/templates/summary.html" in files
    assert {file.split("/")[0] for file in files} == {"sccbook_classroom"}
    assert not [file for file in files if file.endswith((".ipynb", ".yml"))]
    assert required >= {"gradlab", *TEACHERS}


@pytest.mark.exhaustive  # it installs JAX and the rest anew: minutes, and a gigabyte
def test_both_wheels_in_a_fresh_environment_grade_a_notebook(wheels, tmp_path):
    need_sandbox()
    python = tmp_path / "env" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run(sys.executable, "-m", "venv", "env")
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", *wheels)
    (tmp_path / "in" / "jane").mkdir(parents=True)
    solved = ASSIGNMENTS / "source/3_clipping/3_clipping.ipynb"
    (tmp_path / "in/jane/3_clipping.ipynb").write_bytes(solved.read_bytes())
    grade = (python, "-m", "sccbook_classroom", "grade", "in", "--out", "out")
    run(*grade, "--course", ASSIGNMENTS)
    (found,) = json.loads((tmp_path / "out/scores.json").read_text("utf-8"))["submissions"]
    assert {mark["finding"] for mark in found["marks"]} == {"passed"}
