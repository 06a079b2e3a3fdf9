"""Find the files that can change what a chapter prints or draws: what its code imports and reads.

That is all of the book's own packages, except that a figure and an exercise count only where they're
mentioned, by the chapter or by one that counts: by name, or in capitals (``UnrolledFlow`` for
``unrolled_flow``). Too many files cost an execution, and too few would leave a page stale: in doubt a
file counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

OURS = ("scaleclip", "explorax", "sccbook")
"""The packages whose files count. Of others the installed versions do."""

APART = ("figures", "exercises")
"""Folders of a package in which each folder counts by itself."""

VERSIONS = ("requirements.txt", "constraints.txt")
NOT_READ = ("node_modules", "tests", "search", "site", "__pycache__")
"""Folders that no chapter reads."""

TEXT = re.compile(r"""["']([^"'\n]*/[^"'\n]*)["']""")
"""What may be a path."""


def packages() -> dict[str, Path]:
    """Return the folders of the book's own packages by their names."""
    specs = {name: find_spec(name) for name in OURS}
    return {name: Path(spec.origin).parent for name, spec in specs.items() if spec and spec.origin}


def inputs(code: str, folder: Path, root: Path, ours: Mapping[str, Path]) -> list[Path]:
    """Return the files on which the outputs of a chapter depend, in a fixed order.

    Args:
        code: all cells of the chapter.
        folder: where the chapter runs.
        root: the book's folder.
        ours: the folders of the packages whose files count, by name.
    """
    found = {root / name for name in VERSIONS}
    for text in TEXT.findall(code):
        if root in (path := (folder / text).resolve()).parents:
            found |= {path, *files(path)}
    inits = {init for package in ours.values() for init in package.glob("*/*/__init__.py")}
    apart = {init.parent for init in inits if init.parents[1].name in APART}
    for package in ours.values():
        found |= {*files(package, without=apart)}
    words = {*re.findall(r"\w+", code)}
    while mentioned := {part for part in apart if names(part) & words}:
        apart -= mentioned
        more = [file for part in mentioned for file in files(part)]
        found.update(more)
        texts = [file.read_text(encoding="utf-8") for file in more if file.suffix == ".py"]
        words.update(re.findall(r"\w+", " ".join(texts)))
    return sorted(path for path in found if path.is_file())


def names(part: Path) -> set[str]:
    """Return the names by which code mentions a figure or an exercise."""
    return {part.name, "".join(word.capitalize() for word in part.name.split("_"))}


def files(folder: Path, without: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield the files in a folder that code may read: no tests, no Markdown, no stamp of a build."""
    for path in folder.iterdir() if folder.is_dir() and folder not in without else ():
        if path.is_dir() and path.name not in NOT_READ:
            yield from files(path, without)
        elif path.is_file() and path.suffix != ".md" and not path.name.startswith((".", "test_")):
            yield path
