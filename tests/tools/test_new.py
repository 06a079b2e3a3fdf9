"""The skeletons of a chapter, a figure and an exercise have their names in them and work as they are."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from explorax.frontend import BUNDLER
from sccbook.figures import _views
from tools.new import PLACES, with_chapter, write
from tools.notebooks import problems

CONTENTS = """parts:
  - caption: One
    chapters:
      - file: notebooks/00_first
        title: 00 First
      - file: notebooks/08_eighth
        title: "08 Eighth: the last"
  - caption: Two
    chapters:
      - file: book/notation
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty repository."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "_toc.yml").write_text(CONTENTS, encoding="utf-8")
    return tmp_path


def test_a_chapter_is_in_normal_form_and_in_the_contents(root: Path) -> None:
    (path,) = write("chapter", "07_the_seventh", root)
    assert not problems(path)
    assert "# The seventh\\n" in path.read_text(encoding="utf-8")
    first, seventh, eighth = (
        (root / "_toc.yml").read_text(encoding="utf-8").split("file: notebooks/")[1:]
    )
    assert seventh == "07_the_seventh\n        title: 07 The seventh\n      - "
    assert (first[:2], eighth[:2]) == ("00", "08")


@pytest.mark.slow
@pytest.mark.parametrize("view", [False, True])
def test_a_figure_answers_and_is_plain_data(
    root: Path, view: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, *_, test = write("figure", "turning_arrow", root, view=view)
    own = {"view.js", "view.css", "view.test.js"} if view else set()
    files = {"__init__.py", "figure.py", "test_turning_arrow.py"} | own
    assert {file.name for file in path.parent.iterdir()} == files
    monkeypatch.setattr(_views, "DIST", path.parents[1] / "dist")
    subprocess.run(["node", BUNDLER, ".", "dist"], cwd=path.parents[1], check=True)
    spec: Any = spec_from_file_location("turning_arrow", path)
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look there
    spec.loader.exec_module(module)
    figure = module.TurningArrow(scale=1.0)
    assert figure.sentence == "With s = 1, six steps leave 6.00 in all."
    assert figure.spec.view.describe()["kind"] == ("turning_arrow" if view else "profile")
    assert "from sccbook.figures import TurningArrow" in test.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", PLACES)
def test_a_skeleton_has_no_mark_left_and_never_overwrites(root: Path, kind: str) -> None:
    name = {"chapter": "09_ninth"}.get(kind, "ninth")
    for path in write(kind, name, root):
        text = path.read_text(encoding="utf-8")
        assert not {mark for mark in ("{name}", "{Name}", "{title}") if mark in text}
    with pytest.raises(ValueError, match="exists already; choose another"):
        write(kind, name, root)


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("chapter", "which_one", "expected two digits, then lower-case letters.*NAME="),
        ("chapter", "00_again", "00_first.ipynb exists already; choose another number"),
        ("figure", "Arrow", "expected lower-case letters.*NAME="),
        ("figure", "", "expected lower-case letters"),
        ("exercise", "class", "a keyword of Python"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    root: Path, kind: str, name: str, words: str
) -> None:
    (root / "notebooks" / "00_first.ipynb").touch()
    with pytest.raises(ValueError, match=words):
        write(kind, name, root)


def test_a_chapter_before_all_others_comes_first_in_the_contents() -> None:
    found = with_chapter(CONTENTS.replace("00_first", "01_first"), "00_before")
    assert found.index("chapters:") < found.index("00_before") < found.index("01_first")
