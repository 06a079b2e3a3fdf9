"""The kit for a room without network: what is in it, what it refuses, and that its page is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from gradlab_classroom.lab_kit import LabKitError, main, make_kit, offline_requirements

from classroom.tests.paths import ROOT

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def wheel(folder: Path, name: str, needs: tuple[str, ...] = ()) -> None:
    """A wheel that pip installs: one module, which says its own name."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    files = {
        f"{name}.py": f"NAME = {name!r}\n",
        f"{info}/METADATA": metadata
        + "".join(f"Requires-Dist: {requirement}\n" for requirement in needs),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    with ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for path, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(path, text)


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Path]:
    """A class's material, small."""
    wheel(tmp_path / "wheels", "gradlab", needs=("tensors_of_a_kind",))
    wheel(tmp_path / "wheels", "gradlab_classroom", needs=("gradlab",))
    wheel(tmp_path / "wheels", "tensors_of_a_kind")
    contents = {
        "site/index.html": "<title>the book</title>",
        "site/.buildinfo": "hidden",
        "site/_static/book.css": "p {}",
        "site/_sources/notebooks/01_first.ipynb": "{}",
        "release/1_one/1_one.ipynb": "{}",
        "release/2_two/2_two.ipynb": "{}",
        "release/2_two/.ipynb_checkpoints/2_two-checkpoint.ipynb": "{}",
        "requirements-read.txt": "# ranges\ntensors-of.a_kind>=1,<2  # the subject\n\n# gradlab\n.\n",
    }
    for name, text in contents.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {
        **{name: tmp_path / name for name in ("wheels", "site", "release")},
        "requirements": tmp_path / "requirements-read.txt",
        "out": tmp_path / "dist" / "kit.zip",
    }


def test_the_kit_holds_everything_in_one_folder_and_nothing_hidden(parts):
    files = make_kit(**parts)
    with ZipFile(parts["out"]) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "lab-kit/START.md",
            "lab-kit/requirements.txt",
            "lab-kit/wheels/gradlab-1.0-py3-none-any.whl",
            "lab-kit/wheels/gradlab_classroom-1.0-py3-none-any.whl",
            "lab-kit/wheels/tensors_of_a_kind-1.0-py3-none-any.whl",
            "lab-kit/chapters/01_first.ipynb",
            "lab-kit/assignments/1_one/1_one.ipynb",
            "lab-kit/assignments/2_two/2_two.ipynb",
            "lab-kit/site/_sources/notebooks/01_first.ipynb",
            "lab-kit/site/_static/book.css",
            "lab-kit/site/index.html",
        ]
        assert files == len(archive.namelist())
        original = (parts["wheels"] / "gradlab-1.0-py3-none-any.whl").read_bytes()
        entry = archive.getinfo("lab-kit/wheels/gradlab-1.0-py3-none-any.whl")
        assert archive.read(entry) == original
        assert entry.compress_type == ZIP_STORED
        wanted = archive.read("lab-kit/requirements.txt").decode()
    assert wanted == "tensors-of.a_kind>=1,<2\ngradlab\n"


def test_the_same_material_gives_the_same_archive(parts):
    make_kit(**parts)
    first = parts["out"].read_bytes()
    os.utime(parts["requirements"], (0, 0))
    (parts["site"] / "index.html").touch()
    make_kit(**parts)
    assert parts["out"].read_bytes() == first


def test_the_start_page_names_this_python_and_this_system(parts):
    make_kit(**parts)
    with ZipFile(parts["out"]) as archive:
        page = archive.read("lab-kit/START.md").decode()
    assert f"Python {VERSION} on {os.uname().sysname} ({os.uname().machine})" in page
    assert "the 2 assignments" in page


def commands(page: str) -> list[str]:
    block = re.search(r"```\n(.*?)```", page, re.DOTALL)
    assert block is not None
    return block[1].strip().splitlines()


@pytest.mark.slow
@pytest.mark.exhaustive
def test_what_the_start_page_says_installs_with_no_network(parts, tmp_path):
    make_kit(**parts)
    shutil.unpack_archive(parts["out"], tmp_path / "room")
    kit = tmp_path / "room" / "lab-kit"
    page = (kit / "START.md").read_text()
    make, install, lab = commands(page)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / f"python{VERSION}").symlink_to(sys.executable)
    # no index, no folder of wheels but the kit's, and a proxy that answers nothing
    bare = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": os.devnull,
        "https_proxy": "http://127.0.0.1:9",
    }
    (teach,) = re.findall(r"`(env/bin/pip .* gradlab-classroom)`", page)
    for command in (make, install, teach):
        done = subprocess.run(
            command, shell=True, cwd=kit, env=bare, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    python = kit / "env/bin/python"
    for names in ("gradlab, tensors_of_a_kind", "gradlab_classroom"):
        subprocess.run([python, "-c", f"import {names}"], check=True)
    assert lab == "env/bin/jupyter lab"


def test_the_requirements_of_this_project_become_offline_ones():
    lines = offline_requirements((ROOT / "requirements-read.txt").read_text()).splitlines()
    assert lines[-1] == "gradlab"
    assert any(line.startswith("jax>=") for line in lines)
    assert not any("#" in line or line == "." for line in lines)


def test_requirements_without_gradlab_are_refused():
    with pytest.raises(LabKitError, match=r"no line '\.'"):
        offline_requirements("numpy\n")


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        ("site/index.html", "make book"),
        ("site/_sources", "offers no chapter"),
        ("release", "make assignments"),
        ("wheels", "no wheel of tensors-of.a_kind, gradlab, gradlab-classroom"),
        ("wheels/gradlab-1.0-py3-none-any.whl", "no wheel of gradlab."),
        ("wheels/gradlab_classroom-1.0-py3-none-any.whl", "no wheel of gradlab-classroom."),
        ("requirements-read.txt", "name the file"),
    ],
)
def test_what_is_missing_is_named_with_what_makes_it(parts, tmp_path, capsys, gone, says):
    path = tmp_path / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    arguments = [text for name, path in parts.items() for text in (f"--{name}", str(path))]
    assert main(arguments) == 1
    assert says in capsys.readouterr().err
    assert not parts["out"].exists()


def test_a_source_archive_among_the_wheels_is_refused_by_name(parts):
    (parts["wheels"] / "tensors-1.0.tar.gz").write_text("")
    with pytest.raises(LabKitError, match=r"tensors-1\.0\.tar\.gz, which is no wheel"):
        make_kit(**parts)


@pytest.mark.parametrize("name", ["gradlab", "gradlab_classroom"])
def test_two_wheels_of_ours_are_refused(parts, name):
    first = parts["wheels"] / f"{name}-1.0-py3-none-any.whl"
    shutil.copy(first, first.with_name(f"{name}-0.9-py3-none-any.whl"))
    with pytest.raises(LabKitError, match=f"several wheels of {name}\\."):
        make_kit(**parts)


def test_the_command_says_what_it_made(parts, capsys):
    arguments = [text for name, path in parts.items() for text in (f"--{name}", str(path))]
    assert main(arguments) == 0
    assert f"{parts['out']}: 11 files" in capsys.readouterr().out
