"""Execute the chapters: when, where, and with which settings.

jupyter-cache knows a notebook by its own code alone, so an edit in a module that a chapter
imports would go unseen. The cache's folder is therefore named by a hash of all that chapters
import. Sphinx reads every page again when that name changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

PACKAGE = Path(__file__).parents[1]
EXTENSION = Path(__file__).parent
KEPT = 3
"""Number of caches that stay: the present one, and the last ones, for whoever goes back and forth."""

KERNEL = {
    "EXPLORAX_OUTPUT": "site",  # figures describe themselves, and no widget is made
    "JAX_PLATFORMS": "cpu",  # numbers are the same on every machine
}


def imported_files(root: Path, package: Path = PACKAGE) -> Iterator[Path]:
    """Yield the files that can change what a chapter prints or draws, in a fixed order.

    They are the package's modules, but for this extension, which chapters do not import; the stamps of
    the views that its figures bring along; the
    sources of its front end (its built form carries a stamp of them); the versions that are
    installed; and the record of the snippets.
    """
    frontend = package / "frontend"
    for part in sorted(package.iterdir()):
        if part.is_dir() and part.name not in (frontend.name, EXTENSION.name):
            yield from sorted([*part.rglob("*.py"), *part.rglob("dist/.stamp")])
        elif part.suffix == ".py":
            yield part
    yield from sorted(p for p in (frontend / "src").rglob("*") if p.is_file())
    for path in (
        frontend / "dist" / ".stamp",
        root / "requirements.txt",
        root / "constraints.txt",
        root / "snippets" / "results.json",  # which a chapter prints
    ):
        if path.is_file():
            yield path


def fingerprint(paths: Iterable[Path]) -> str:
    """Return a short hash of files, by name and content."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def choose_cache(app: Sphinx, config: Config) -> None:
    """Name the cache's folder, under the one that ``_config.yml`` gives or the build folder.

    A second setting is a hash of what dresses the pages: this extension, the theme, the front
    end, the glossary and the bibliography. When it changes, Sphinx makes every page again (and
    only then does it copy stylesheets), though nothing is executed again.
    """
    base = Path(app.srcdir) / (config.nb_execution_cache_path or "_build/.jupyter_cache")
    config.nb_execution_cache_path = str(base / fingerprint(imported_files(Path(app.srcdir))))
    dressing = [*EXTENSION.rglob("*.py"), *EXTENSION.rglob("*.html")]
    book = Path(app.srcdir) / "book"
    dressing += [p for p in (book / "theme").glob("*") if p.is_file()]
    dressing += [p for p in (book / "glossary.md", book / "references.bib") if p.is_file()]
    dressing += [p for p in (PACKAGE / "frontend" / "dist").glob("*") if p.is_file()]
    config.sccbook_dressing = fingerprint(sorted(dressing))


def prepare_kernel(app: Sphinx) -> None:
    """Set what the kernels inherit, and drop caches that nothing will ask for again."""
    os.environ.update(KERNEL)
    current = Path(app.config.nb_execution_cache_path)
    others = [p for p in current.parent.glob("?" * 16) if p.is_dir() and p != current]
    for stale in sorted(others, key=lambda p: p.stat().st_mtime)[: 1 - KEPT or None]:
        shutil.rmtree(stale)


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.add_config_value("sccbook_dressing", "", "env")
    # after MyST-NB has declared its settings, before Sphinx compares them with the last build's
    app.connect("config-inited", choose_cache)
    app.connect("builder-inited", prepare_kernel, priority=400)
