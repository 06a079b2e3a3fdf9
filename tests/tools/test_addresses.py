"""The addresses in _config.yml reach every file that needs them, and the notebooks that Colab opens."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from sccbook.notebook_form import read
from tools.addresses import ROOT, texts, versions
from tools.launched import copies

REPOSITORY, SITE = "https://github.com/someone/a-book", "https://someone.github.io/a-book/"


def addressed(folder: Path, repository: str, site: str) -> Path:
    """Copy the files that have addresses, as they are with these."""
    if not (folder / "_config.yml").exists():
        for path, _ in texts(ROOT):
            (folder / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path.relative_to(ROOT))
    config = (ROOT / "_config.yml").read_text("utf-8")
    config = re.sub(r"(?<=\n  url: ).*?(?= #)", f'"{repository}"', config)
    config = re.sub(r"(?<=\n  baseurl: ).*?(?= #)", f'"{site}"', config)
    (folder / "_config.yml").write_text(config, "utf-8")
    for path, text in texts(folder):
        path.write_text(text, "utf-8")
    return folder


def test_the_addresses_are_written_everywhere_once_and_can_be_taken_back(tmp_path: Path) -> None:
    addressed(tmp_path, "", "")
    before = {path: path.read_text("utf-8") for path, _ in texts(tmp_path)}
    for _ in range(2):
        addressed(tmp_path, REPOSITORY, SITE)
    for name in ("scaleclip", "explorax", "sccbook"):
        project = tomllib.loads((tmp_path / f"packages/{name}/pyproject.toml").read_text("utf-8"))
        urls = project["project"]["urls"]
        assert urls["Documentation"] == SITE
        assert (urls["Repository"], urls["Issues"]) == (REPOSITORY, f"{REPOSITORY}/issues")
        assert urls["Changelog"] == f"{REPOSITORY}/blob/main/CHANGELOG.md"
    cited = yaml.safe_load((tmp_path / "CITATION.cff").read_text("utf-8"))
    assert (cited["repository-code"], cited["url"]) == (REPOSITORY, SITE)
    course = yaml.safe_load((tmp_path / "classroom/assignments/course.yml").read_text("utf-8"))
    assert course["install"] == REPOSITORY
    assert (tmp_path / "README.md").read_text("utf-8").count(f"Read the book at {SITE}\n") == 1
    readme = (tmp_path / "packages/scaleclip/README.md").read_text("utf-8")
    links = re.findall(r"\]\((.*?)\)", readme)
    assert f"{REPOSITORY}/blob/main/book/use/record_training.md" in links
    assert all(link.startswith("https://") for link in links)
    addressed(tmp_path, "", "")
    assert {path: path.read_text("utf-8") for path, _ in texts(tmp_path)} == before
    assert (
        "urls"
        not in tomllib.loads(before[tmp_path / "packages/explorax/pyproject.toml"])["project"]
    )


def test_a_file_without_a_place_for_the_addresses_is_named(tmp_path: Path) -> None:
    readme = addressed(tmp_path, "", "") / "README.md"
    readme.write_text("# Another\n", "utf-8")
    with pytest.raises(ValueError, match=r"README\.md has no place for the addresses"):
        list(texts(tmp_path))


def test_what_is_cited_is_the_version_of_all_packages() -> None:
    assert len({*versions(ROOT).values()}) == 1


def test_a_copy_for_colab_installs_first_and_lacks_only_the_solution() -> None:
    made = copies(ROOT, REPOSITORY, "main")
    assert len(made) == len([*ROOT.glob("notebooks/*.ipynb")])
    for text in made.values():
        first, *rest = read(text).cells
        assert f'git clone --quiet --depth 1 --branch main "{REPOSITORY}"' in first.source
        assert rest
        assert "def worked(" not in text


@pytest.mark.exhaustive
def test_colabs_first_cell_installs_what_a_chapter_needs(tmp_path: Path) -> None:
    """In a new environment with what Colab has of ours installed, from a clone of this repository."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git repository, which the cell could clone")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "colab"], check=True)
    python = tmp_path / "colab" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt"]
    subprocess.run([*pip, "ipykernel", "nbconvert", "jax", "matplotlib", "ipywidgets"], check=True)
    made = copies(ROOT, ROOT.as_uri(), "HEAD")
    name = "notebooks/08_clipping.ipynb"
    text = made[name].replace(" --branch HEAD", "")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "chapter.ipynb").write_text(text, "utf-8")
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("PIP_TARGET", "PYTHON"))
    }
    environment["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    command = [python, "-m", "nbconvert", "--to", "notebook", "--execute", "chapter.ipynb"]
    command += ["--output", "done", "--ExecutePreprocessor.timeout=600"]
    subprocess.run(command, cwd=tmp_path / "there", env=environment, check=True)
    done = read((tmp_path / "there" / "done.ipynb").read_text("utf-8"))
    shown = [o.data for cell in done.cells for o in cell.get("outputs", ()) if "data" in o]
    assert any("image/svg+xml" in data.get("text/html", "") for data in shown)
    assert (tmp_path / "there" / "scc" / "notebooks" / name.split("/")[1]).is_file()
