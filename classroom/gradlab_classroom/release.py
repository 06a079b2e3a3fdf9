"""The students' notebooks, made from those with solutions: ``python -m gradlab_classroom release``.

nbgrader's own ``generate_assignment`` does it, with the course's settings, in a temporary folder
and without a gradebook. The same sources always give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gradlab.notebook_form import METADATA, read, text_of
from gradlab_classroom.course import CourseError, load
from gradlab_classroom.paths import COURSE

INSTALL = 'INSTALL = ""'
"""The line of a source that the course's ``install:`` is filled in for."""

Files = Mapping[str, bytes]
"""Contents of files, by their paths below a folder."""


class ReleaseError(RuntimeError):
    """The students' notebooks cannot be made, and what to change."""


def source_form(text: str) -> str:
    """Return a source as it is stored: without outputs, and with nothing that an editor adds.

    A second time changes nothing. Each cell keeps its id, its tags and what nbgrader knows of it.

    Raises:
      ValueError: where the text is no notebook.
    """
    notebook = read(text)
    own = {"gradlab": notebook.metadata["gradlab"]} if "gradlab" in notebook.metadata else {}
    notebook.metadata = {**METADATA, **own}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells):
        cell.source = cell.source.strip("\n")
        if not cell.get("id"):
            cell.id = hashlib.sha256(f"{number}{cell.source}".encode()).hexdigest()[:8]
        cell.metadata = {
            key: cell.metadata[key] for key in ("nbgrader", "tags") if cell.metadata.get(key)
        }
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return text_of(notebook)


def released(source: Path, settings: Path, install: str = "") -> Files:
    """Return what students receive of each assignment.

    Args:
      source: a folder with a folder for each assignment, as nbgrader has it.
      settings: an ``nbgrader_config.py``.
      install: what the notebooks install where gradlab is missing.

    Raises:
      ReleaseError: if there is no source, or nbgrader refuses one; it says what nbgrader said.
    """
    # not at the top: all else of this module works where nbgrader is not installed
    from nbgrader.converters import GenerateAssignment
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory

    names = sorted(path.parent.name for path in source.glob("*/*.ipynb"))
    if not names:
        raise ReleaseError(
            f"There is no notebook in {source}/*/. Name the course's file: --course."
        )
    with TemporaryDirectory(prefix="release") as temporary:
        root = Path(temporary).resolve()
        shutil.copytree(source, root / "source", ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for path in root.glob("source/*/*.ipynb"):
            text = path.read_text(encoding="utf-8")
            path.write_text(_with_install(text, install), encoding="utf-8")
        said = _Said()
        for name in dict.fromkeys(names):
            config = _config(settings, root, name)
            converter = GenerateAssignment(
                coursedir=CourseDirectory(config=config), config=config, log=said.logger
            )
            try:
                converter.start()
            except (NbGraderException, SystemExit) as error:
                words = "\n".join(said.lines) or str(error)
                raise ReleaseError(f"nbgrader refuses {name}:\n{words}") from error
        return {
            path.relative_to(root / "release").as_posix(): _bytes(path)
            for path in sorted((root / "release").rglob("*"))
            if path.is_file()
        }


def _with_install(text: str, install: str) -> str:
    if not install:
        return text
    notebook = read(text)
    for cell in notebook.cells:
        if "install" in cell.metadata.get("tags", []):
            cell.source = cell.source.replace(INSTALL, f"INSTALL = {install!r}")
    return text_of(notebook)


def _config(settings: Path, root: Path, name: str) -> Any:
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    config: Any = PyFileConfigLoader(
        settings.name, path=str(settings.parent.resolve())
    ).load_config()
    config.merge(
        Config(
            CourseDirectory={"root": str(root), "assignment_id": name},
            GenerateAssignment={"no_database": True},
            SaveCells={"enabled": False},
        )
    )
    return config


def _bytes(path: Path) -> bytes:
    if path.suffix != ".ipynb":
        return path.read_bytes()
    return text_of(read(path.read_text(encoding="utf-8"))).encode()


class _Said(logging.Handler):
    """Keeps what nbgrader says when something is wrong; what it says else is nobody's business."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.logger = logging.Logger("nbgrader")
        self.logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def stale(made: Files, folder: Path) -> list[str]:
    """Return what is wrong with a folder that should hold ``made``, one line for each file."""
    there = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    lines = [f"{folder / name} is missing" for name in made if Path(name) not in there]
    for name, path in there.items():
        if any(part.startswith(".") for part in name.parts):
            continue  # an editor's
        if name.as_posix() not in made:
            lines.append(f"{path} has no source")
        elif path.read_bytes() != made[name.as_posix()]:
            lines.append(f"{path} is out of date")
    return lines


def write(made: Files, folder: Path) -> list[str]:
    """Write files below a folder, and remove others. Return what has changed."""
    lines = stale(made, folder)
    for name, content in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(folder).as_posix() not in made:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom release",
        description="Makes the students' notebooks, in release/, from those with solutions, in source/.",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; say what is out of date"
    )
    parser.add_argument(
        "--course",
        type=Path,
        default=COURSE,
        help="the course's file; source/ and nbgrader_config.py stand beside it (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    folder = options.course.parent
    try:
        course = load(options.course)
        sources = _sources(folder / "source")
        untidy = [path for path, (text, form) in sources.items() if text != form]
        if not options.check:
            for path in untidy:
                path.write_text(sources[path][1], encoding="utf-8")
        made = released(folder / "source", folder / "nbgrader_config.py", course.install)
    except (CourseError, ReleaseError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    lines = [
        f"{path} is not as it should be stored: outputs, or an editor's notes" for path in untidy
    ]
    if options.check:
        lines += stale(made, folder / "release")
        if lines:
            print("\n".join([*lines, "Make them again: make assignments"]))
        return 1 if lines else 0
    changed = write(made, folder / "release")
    print(f"{folder / 'release'}: {len(made)} files, {len(changed)} of them made anew or removed.")
    return 0


def _sources(folder: Path) -> dict[Path, tuple[str, str]]:
    """The notebooks with solutions: each one's text, and how it should be."""
    found = {}
    for path in sorted(folder.glob("*/*.ipynb")):
        text = path.read_text(encoding="utf-8")
        try:
            found[path] = text, source_form(text)
        except ValueError as error:
            raise ReleaseError(f"{path} is {error}") from error
    return found
