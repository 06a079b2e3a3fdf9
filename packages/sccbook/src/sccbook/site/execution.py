"""Execute each chapter again when its code, or a file on which its outputs depend, has changed.

jupyter-cache knows an executed notebook by its code and its ``kernelspec``. So a chapter is read with a
hash of what it imports and reads in its ``kernelspec``: another hash is another entry of the cache.
Sphinx reads a page again when one of these files is newer than the page.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from explorax.frontend import DIST
from sccbook.site.inputs import inputs, packages
from sccbook.site.python import NUMPY

EXTENSION = Path(__file__).parent

CODE_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""A cell of a notebook in Markdown, such as the landing page."""

KERNEL = {
    "EXPLORAX_OUTPUT": "site",  # figures describe themselves, and no widget is made
    "JAX_PLATFORMS": "cpu",  # numbers are the same on every machine
}


def inputs_of(chapter: Path, text: str, root: Path) -> list[Path]:
    """Return the files on which the outputs of a chapter depend; none for a page without code."""
    if chapter.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    else:
        code = CODE_CELL.findall(text)
    return inputs("\n".join(code), chapter.parent, root, packages()) if code else []


def with_key(text: str, files: Iterable[Path]) -> str:
    """Return a notebook's text, in JSON or in Markdown, with a hash of files where jupyter-cache looks."""
    key = fingerprint(files)
    if not text.startswith("{"):
        return text.replace("\nkernelspec:\n", f"\nkernelspec:\n  inputs: {key}\n", 1)
    notebook = json.loads(text)
    notebook["metadata"].setdefault("kernelspec", {})["inputs"] = key
    return json.dumps(notebook)


def fingerprint(paths: Iterable[Path]) -> str:
    """Return a short hash of files, by name and content."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def add_key(app: Sphinx, page: str, source: list[str]) -> None:
    """Read a chapter with its key, and again when a file behind it changes."""
    files = inputs_of(Path(app.env.doc2path(page)), source[0], Path(app.srcdir))
    for file in files:
        app.env.note_dependency(str(file))
    if files:
        source[0] = with_key(source[0], files)


def note_dressing(app: Sphinx, config: Config) -> None:
    """Make a setting of a hash of what dresses the pages, so that Sphinx makes all again when it changes.

    That is this extension, the theme, the front end, the glossary and the bibliography. Nothing is
    executed again for it.
    """
    book = Path(app.srcdir) / "book"
    dressing = [
        *EXTENSION.rglob("*.py"),
        Path(app.srcdir) / NUMPY,
        *EXTENSION.glob("templates/**/*"),
        *(book / "theme").glob("*"),
    ]
    dressing += [book / "glossary.md", book / "references.bib", *DIST.glob("*")]
    config.sccbook_dressing = fingerprint(path for path in sorted(dressing) if path.is_file())


def prepare_kernel(app: Sphinx) -> None:
    """Set what the kernels inherit."""
    os.environ.update(KERNEL)
