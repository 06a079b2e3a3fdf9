"""The addresses in _config.yml reach every file that needs them, and the notebooks that Colab opens."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from sccbook.notebook_form import read
from tools.addresses import texts
from tools.launched import copies
from tools.site.contents import ROOT

REPOSITORY, SITE = "https://github.com/someone/a-book", "https://someone.github.io/a-book/"


def addressed(folder: Path, repository: str, site: str) -> None:
    """Copy the files that have addresses into an empty folder, and write them as they are with these."""
    if not (folder / "_config.yml").exists():
        for path, _ in texts(ROOT):
            (folder / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path.relative_to(ROOT))
    config = {"repository": {"url": repository, "branch": "main"}, "html": {"baseurl": site}}
    (folder / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    for path, text in texts(folder):
        path.write_text(text, "utf-8")


def test_the_addresses_are_written_everywhere_once_and_can_be_taken_back(tmp_path: Path) -> None:
    addressed(tmp_path, "", "")
    before = {path: path.read_text("utf-8") for path, _ in texts(tmp_path)}
    for _ in range(2):
        addressed(tmp_path, REPOSITORY, SITE)
    projects = [path for path in before if path.name == "pyproject.toml"]
    assert len(projects) == 4
    for path in projects:
        assert "urls" not in tomllib.loads(before[path])["project"]
        assert tomllib.loads(path.read_text("utf-8"))["project"]["urls"] == {
            "Homepage": SITE,
            "Documentation": SITE,
            "Repository": REPOSITORY,
            "Issues": f"{REPOSITORY}/issues",
            "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
        }
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


def test_a_file_without_a_place_for_the_addresses_is_named(tmp_path: Path) -> None:
    addressed(tmp_path, "", "")
    (tmp_path / "README.md").write_text("# Another\n", "utf-8")
    with pytest.raises(ValueError, match=r"README\.md has no place for the addresses"):
        list(texts(tmp_path))


def test_a_copy_for_colab_installs_first_and_lacks_only_the_solution() -> None:
    made = copies(ROOT, REPOSITORY, "main")
    assert made
    for text in made.values():
        first, *rest = read(text).cells
        assert f'git clone --quiet --depth 1 --branch main "{REPOSITORY}"' in first.source
        assert rest
        assert "def worked(" not in text
