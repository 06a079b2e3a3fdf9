"""Cells show the snippets as the files have them, and the files are those that were run last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from sccbook.notebook_form import read
from tests.frameworks.record import RECORD, hash_of
from tools.reports import FOLDER as REPORTS
from tools.snippets import FOLDER, NAMES, fill, shown, stale

OPERATIONS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path != REPORTS)


def cell(source: str = "", *tags: str, **metadata: Any) -> Any:
    return new_markdown_cell(source, id="tabs", metadata={"tags": [*tags], **metadata})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for stem in ("keras", "jax"):
        file = tmp_path / "twice" / f"{stem}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"def twice(x):\n    return 2 * x  # {stem}\n", encoding="utf-8")
    return tmp_path


def test_a_cell_is_filled_with_a_bold_name_and_a_block_for_each_file(folder: Path) -> None:
    notebook = new_notebook(
        cells=[cell("old", "tabs", snippets="twice"), new_markdown_cell("text")]
    )
    assert [fault.rule for fault in stale(notebook, folder)] == [
        "it differs from snippets/, twice: run 'execute'"
    ]
    fill(notebook, folder)
    assert stale(notebook, folder) == []
    assert notebook.cells[0].source == (
        "**JAX**\n\n```python\ndef twice(x):\n    return 2 * x  # jax\n```\n\n"
        "**Keras**\n\n```python\ndef twice(x):\n    return 2 * x  # keras\n```"
    )
    assert notebook.cells[1].source == "text"


def test_a_cell_of_an_unknown_operation_or_without_its_tag_is_reported(folder: Path) -> None:
    notebook = NotebookNode(
        cells=[
            cell("", "tabs", snippets="thrice"),
            cell(shown("twice", folder), snippets="twice"),
            cell(shown("rosetta: clip_by_norm"), "tabs", snippets="rosetta: clip_by_norm"),
        ]
    )
    unknown, untagged, mistagged = [fault.rule for fault in stale(notebook, folder)]
    assert unknown == (
        "snippets/thrice has no jax.py, pytorch.py, tensorflow.py, keras.py; there are twice"
    )
    assert "tagged 'tabs'" in untagged
    assert "tagged 'rows'" in mistagged
    with pytest.raises(ValueError, match="there are twice"):
        fill(notebook, folder)
    with pytest.raises(
        ValueError, match="has no operation 'clip'; there are adaptive_clip, clip_by"
    ):
        shown("rosetta: clip")


def test_a_table_of_the_rosetta_has_a_row_for_each_library_or_form_that_is_gone() -> None:
    text = shown("rosetta: clip_by_norm")
    names = [line for line in text.split("\n") if line.startswith("**")]
    assert names == ["**NumPy**", "**scaleclip**", "**JAX, Optax**", "**Keras**, by hand",
                     "**TensorFlow**", "**PyTorch**, by hand"]  # fmt: skip
    assert "```python\nclipped = tf.clip_by_norm(g, limit)\n```" in text
    gone = shown("rosetta: gone")
    first = "**`tf.contrib.estimator.clip_gradients_by_norm(optimizer, clip_norm)`**: an"
    assert gone.startswith(first)
    assert gone.count("Now:") == gone.count("```python") == 12


DEFINED = {"policy_clips": ["ppo", "cispo"]}
LONGER = {
    "percentile_clip/keras.py": 24,
    "percentile_clip/jax.py": 18,
    "mixed_precision_step/jax.py": 18,
    "mixed_precision_step/tensorflow.py": 16,
    **dict.fromkeys((f"update_weights/{name}.py" for name in NAMES), 45),
}
"""Lines: an optimizer of Keras keeps its norms in variables, in 16 bits a norm takes lines of its own, and update_weights
is MuZero's whole function."""


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_snippet_is_short_and_defines_what_its_folder_is_called(operation: str) -> None:
    files = sorted((FOLDER / operation).glob("*.py"))
    assert files
    assert {file.stem for file in files} <= {*NAMES}
    for file in files:
        lines = file.read_text(encoding="utf-8").split("\n")
        assert max(map(len, lines)) <= 80, file
        assert len([line for line in lines if line.strip()]) <= LONGER.get(
            f"{operation}/{file.name}", 15
        ), file
        for name in DEFINED.get(operation, [operation]):
            starts = f"def {name}(", f"{name} = ", f"class {name.title().replace('_', '')}("
            assert any(line.startswith(starts) for line in lines), file


def test_snippets_are_as_they_were_when_all_were_run_last() -> None:
    ran = json.loads(RECORD.read_text(encoding="utf-8"))
    kept = ran["snippets"] | {"rosetta.toml": ran["rosetta.toml"]}
    files = {f"{name}/{file.name}" for name in OPERATIONS for file in (FOLDER / name).glob("*.py")}
    for file in files | {"rosetta.toml"}:
        assert kept.get(file, {}).get("sha256") == hash_of(FOLDER / file), (
            f"snippets/{file} is not what was run last: make frameworks test-frameworks"
        )


def test_chapter_03_shows_the_hook_that_is_run() -> None:
    (chapter,) = (FOLDER.parent / "notebooks").glob("03_*.ipynb")
    code = (FOLDER / "hook_at_state" / "pytorch.py").read_text(encoding="utf-8").strip()
    blocks = [cell.source for cell in read(chapter.read_text(encoding="utf-8")).cells]
    assert f"```python\n{code}\n```" in blocks
