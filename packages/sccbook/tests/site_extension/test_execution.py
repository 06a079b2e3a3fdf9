"""A chapter is executed again when its code changes, or a file that it imports or reads, and else not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.site_extension.made_up import build, code, notebook

from sccbook.site import execution
from sccbook.site.inputs import inputs

FILES = {
    "constraints.txt": "jax==1",
    "ours/__init__.py": "import sys",
    "ours/plain.py": "from ours.deep import within\n",
    "ours/deep/__init__.py": "",
    "ours/deep/within.py": "from . import beside",
    "ours/deep/beside.py": "import json",
    "ours/deep/record.json": "{}",
    "ours/deep/NOTES.md": "",  # no module reads it
    "ours/deep/unused.py": "",
    "ours/figures/__init__.py": "from importlib import import_module\n",
    "ours/figures/turning_arrow.py": "",
    "ours/figures/cliff/__init__.py": "",
    "ours/figures/cliff/figure.py": "",
    "ours/figures/cliff/view.js": "",
    "ours/exercises/__init__.py": "from importlib import import_module\n",
    "ours/exercises/clip_each.py": "",
    "snippets/a.py": "",
}


@pytest.fixture
def depends(tmp_path: Path) -> Callable[[str], set[str]]:
    """The files on which code depends, but for the packages themselves: ``depends("import ours")``."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "notebooks").mkdir()

    def found(source: str) -> set[str]:
        ours = {"ours": tmp_path / "ours"}
        files = inputs(source, tmp_path / "notebooks", tmp_path, ours)
        names = {path.relative_to(tmp_path).as_posix() for path in files}
        return {name for name in names if not name.endswith("__init__.py")} - {"constraints.txt"}

    return found


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("import numpy, ours", set()),
        ("import ours.plain", {"plain.py", "deep/within.py", "deep/beside.py", "deep/record.json"}),
        ("from ours.deep import beside", {"deep/beside.py", "deep/record.json"}),
        ("from ours.figures import TurningArrow", {"figures/turning_arrow.py"}),
        ("from ours.figures import Cliff", {"figures/cliff/figure.py", "figures/cliff/view.js"}),
        ("from ours import exercises\nexercises.check('clip_each', 1)", {"exercises/clip_each.py"}),
        ("open('../snippets/a.py')", {"../snippets/a.py"}),
        ("Path('../snippets')", {"../snippets/a.py"}),
        ("%matplotlib", {*FILES} - {"snippets/a.py"}),
    ],
)
def test_a_chapter_depends_on_what_it_imports_and_reads(
    depends: Callable[[str], set[str]], source: str, files: set[str]
) -> None:
    expected = {(Path("ours") / name).as_posix().replace("ours/../", "") for name in files}
    if source == "%matplotlib":  # in doubt, on everything
        expected = {n for n in files if n.startswith("ours") and not n.endswith("__init__.py")}
    assert depends(source) == expected


def test_versions_count_for_every_chapter(tmp_path: Path) -> None:
    (tmp_path / "constraints.txt").write_text("jax==1", encoding="utf-8")
    assert inputs("x = 1", tmp_path, tmp_path, {}) == [tmp_path / "constraints.txt"]


def test_prose_is_no_part_of_a_chapters_key(tmp_path: Path) -> None:
    (tmp_path / "constraints.txt").write_text("jax==1", encoding="utf-8")

    def key(*cells: object) -> str:
        text = notebook([*cells])
        files = execution.inputs_of(tmp_path / "a.ipynb", text, tmp_path)
        kept: str = json.loads(execution.with_key(text, files))["metadata"]["kernelspec"]["inputs"]
        return kept

    before = key("# A sentence.", code("x = 1"))
    assert key("# Another one.", code("x = 1")) == before
    (tmp_path / "constraints.txt").write_text("jax==2", encoding="utf-8")
    assert key("# A sentence.", code("x = 1")) != before


@pytest.mark.exhaustive
def test_an_edit_in_an_imported_module_executes_the_chapters_that_import_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(execution, "packages", lambda: {"package": package})
    count = "open('count', 'a').write('x')"
    times = []
    for text, prose in (("x = 1", "One."), ("x = 1", "Two."), ("x = 2", "Two."), ("x = 1", "Two.")):
        (package / "__init__.py").write_text(text, encoding="utf-8")
        pages = {
            "landing.md": "# A\n\n```{toctree}\none\ntwo\n```\n",
            "one.ipynb": notebook(
                [f"# {prose}", code(f"import os\nif 0: import package\n{count}")]
            ),
            "two.ipynb": notebook([f"# {prose}", code(count.replace("count", "other"))]),
        }
        build(tmp_path / "book", pages, nb_execution_mode="cache")
        times.append([len((tmp_path / "book" / n).read_text("utf-8")) for n in ("count", "other")])
    assert times == [[1, 1], [1, 1], [2, 1], [2, 1]]
