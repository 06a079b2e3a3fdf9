"""A chapter is executed again when its code changes, or a file that it depends on, and else not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.site_extension.made_up import build, code, notebook

from sccbook.site import execution
from sccbook.site.inputs import inputs

FILES = [
    "constraints.txt",
    "ours/__init__.py",
    "ours/module.py",
    "ours/record.json",
    "ours/NOTES.md",
    "ours/test_module.py",
    "ours/tests/helpers.py",
    "ours/site/layout.py",
    "ours/figures/__init__.py",
    "ours/figures/dist/view.js",
    "ours/figures/turning_arrow/__init__.py",
    "ours/figures/turning_arrow/figure.py",
    "ours/figures/cliff/__init__.py",
    "ours/figures/cliff/view.js",
    "ours/exercises/clip_each/__init__.py",
    "snippets/a.py",
]
LANDING = """---
file_format: mystnb
kernelspec:
  name: python3
---

# A page in Markdown

```{code-cell}
open("landed", "a").write("x")
if 0: Cliff
```

```{toctree}
one
two
```
"""
ALWAYS = {*FILES[:4], *FILES[8:10]}
ARROW, CLIFF, CLIP_EACH, SNIPPET = {*FILES[10:12]}, {*FILES[12:14]}, {FILES[14]}, {FILES[15]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A book's folder, in which a chapter lies that has no code."""
    for name in (*FILES, "notebooks/chapter.ipynb"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("from .. import Cliff" if "turning" in name else "", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("source", "more"),
    [
        ("import numpy", set()),
        ("%matplotlib", set()),
        ("from ours.figures import Cliff", CLIFF),
        ("from ours.figures import TurningArrow", ARROW | CLIFF),  # which imports the other
        ("from ours import exercises\nexercises.check('clip_each', 1)", CLIP_EACH),
        ("open('../snippets/a.py')", SNIPPET),
        ("Path('../snippets')", SNIPPET),
    ],
)
def test_a_chapter_depends_on_what_it_imports_and_reads(
    root: Path, source: str, more: set[str]
) -> None:
    found = inputs(source, root / "notebooks", root, {"ours": root / "ours"})
    assert {path.relative_to(root).as_posix() for path in found} == ALWAYS | more


def test_versions_are_part_of_a_chapters_key_and_prose_is_not(root: Path) -> None:
    def key(prose: str) -> str:
        text = notebook([prose, code("x = 1")])
        files = execution.inputs_of(root / "notebooks" / "chapter.ipynb", text, root)
        kept: str = json.loads(execution.with_key(text, files))["metadata"]["kernelspec"]["inputs"]
        return kept

    before = key("# A sentence.")
    assert key("# Another one.") == before
    (root / "constraints.txt").write_text("jax==2", encoding="utf-8")
    assert key("# A sentence.") != before


@pytest.mark.exhaustive
def test_an_edit_in_a_figure_executes_the_chapters_that_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    cliff = package / "figures" / "cliff" / "__init__.py"
    cliff.parent.mkdir(parents=True)
    monkeypatch.setattr(execution, "packages", lambda: {"package": package})
    count = "open('count', 'a').write('x')"
    times = []
    for text, prose in (("x = 1", "One."), ("x = 1", "Two."), ("x = 2", "Two."), ("x = 1", "Two.")):
        cliff.write_text(text, encoding="utf-8")
        pages = {
            "landing.md": LANDING,
            "one.ipynb": notebook([f"# {prose}", code(f"if 0: Cliff\n{count}")]),
            "two.ipynb": notebook([f"# {prose}", code(count.replace("count", "other"))]),
        }
        build(tmp_path / "book", pages, nb_execution_mode="cache")
        names = ("count", "other", "landed")
        times.append([len((tmp_path / "book" / name).read_text("utf-8")) for name in names])
    assert times == [[1, 1, 1], [1, 1, 1], [2, 1, 2], [2, 1, 2]]
