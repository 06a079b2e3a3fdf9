"""``release``: what students receive, made by nbgrader from source/ with the points of course.yml."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbformat.v4 import new_code_cell
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from gradlab.notebook_form import METADATA, read, text_of
from gradlab_classroom.course import ASSIGNMENTS, Assignment, CourseError, load

INSTALL = """# Installs gradlab where it is missing, as on Colab. Elsewhere it does nothing.
try:
    import gradlab
except ImportError:
    %pip install --quiet "{}\""""


def sources(folder: Path) -> dict[str, bytes]:
    """Return what's in a course's source/, by paths below it, with course.yml's points written in.

    Raises ``CourseError`` if they differ in assignments or graded cells, or one can't be read.
    """
    course, source = load(folder / "course.yml"), folder / "source"
    made = _files(source)
    wanted = {f"{name}/{name}.ipynb": one for name, one in course.assignments.items()}
    _agree({*wanted}, {name for name in made if name.endswith(".ipynb")}, source)
    for name, assignment in wanted.items():
        made[name] = _stored(made[name], assignment, source / name)
    return made


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.glob("*/[!.]*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _agree(wanted: set[str], found: set[str], path: Path) -> None:
    if wanted != found:
        only = [", ".join(sorted(some)) or "nothing" for some in (wanted - found, found - wanted)]
        raise CourseError(f"Only course.yml has {only[0]}, and only {path} has {only[1]}.")


def _stored(content: bytes, assignment: Assignment, path: Path) -> bytes:
    """A source with the points of its assignment, and without what running and editors add."""
    try:
        book, graded = read(content.decode()), set[str]()
    except ValueError as error:
        raise CourseError(f"{path} is {error}") from error
    book.metadata = {**METADATA, **{k: v for k, v in book.metadata.items() if k == "gradlab"}}
    written = {f"written_{key}": one.points for key, one in assignment.written.items()}
    worth = {**assignment.functions, **written}
    stated = {r"\*\*Points:\*\* ": assignment.points, "in words, up to ": sum(written.values())}
    for key, points in worth.items():
        stated |= {rf"`{key}` \(": points, rf"points\(.{key}., globals\(\), of=": points}
    for cell in book.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if v and k in ("nbgrader", "tags")}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade"):
            graded.add(about.grade_id)
            about.points = int(n) if (n := worth.get(about.grade_id, 0)) % 1 == 0 else n
        task = written.get(f"written_{cell.id.removesuffix('-task')}")
        for before, n in {**stated, **({r"^#.* \(": task} if task else {})}.items():
            now = rf"\g<1>{n:g}"
            cell.source = re.sub(rf"(?m)({before})[\d.]*\d(?=[).])", now, cell.source)
            now += f" point{'s' * (n != 1)}"
            cell.source = re.sub(rf"(?m)({before})[\d.]*\d points?\b", now, cell.source)
    _agree({*worth}, graded, path)
    return text_of(book).encode()


def released(folder: Path, install: str = "") -> dict[str, bytes]:
    """Return what students receive of a course's folder, by paths below release/.

    ``install`` is what pip gets where gradlab is missing, in place of course.yml's address. Raises
    ``CourseError`` as ``sources`` does, and if nbgrader refuses a source.
    """
    course = load(folder / "course.yml")
    with TemporaryDirectory() as root:
        write(sources(folder), Path(root, "source"))
        none = {"GenerateAssignment": {"no_database": True}, "SaveCells": {"enabled": False}}
        api = nbgrader_in(Path(root), folder, none)
        for name in course.assignments:
            done = api.generate_assignment(name)
            if not done["success"]:
                raise CourseError(f"nbgrader refuses {name}:\n{done.get('log') or done['error']}")
        made = _files(Path(root, "release"))
    if install := install or course.install:
        cell = new_code_cell(INSTALL.format(install), id="install")
        for name in course.assignments:
            book = read(made[f"{name}/{name}.ipynb"].decode())
            book.cells.insert(1, cell)
            made[f"{name}/{name}.ipynb"] = text_of(book).encode()
    return made


def nbgrader_in(root: Path, course: Path, more: Mapping[str, Any] | None = None) -> NbGraderAPI:
    """Return nbgrader's commands for a folder, with the settings of a course's, and others."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.resolve())).load_config()
    config.merge(Config({"CourseDirectory": {"root": str(root)}, **(more or {})}))
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def stale(made: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return a line for each file of a folder that isn't as in ``made``."""
    there = _files(folder)
    wrong = [name for name in sorted({*made, *there}) if made.get(name) != there.get(name)]
    words = ("has no source: delete it", "is missing or out of date")
    return [f"{folder / name} {words[name in made]}" for name in wrong]


def write(made: Mapping[str, bytes], folder: Path) -> None:
    """Write files below a folder."""
    for name, content in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the notebooks, or check them; return 1 where some are stale, 2 where that can't be."""
    parser = argparse.ArgumentParser("python -m gradlab_classroom release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what's out of date")
    parser.add_argument("--course", type=Path, default=ASSIGNMENTS, help="default: %(default)s")
    parser.add_argument("--install", default="", help="what pip gets where gradlab is missing")
    parser.add_argument("--out", type=Path, help="a folder for them, in place of release/")
    given = parser.parse_args(arguments)
    wanted = {}
    try:
        wanted[given.out or given.course / "release"] = released(given.course, given.install)
        if not given.out:
            wanted[given.course / "source"] = sources(given.course)
    except CourseError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for folder, made in wanted.items():
        if not given.check:
            write(made, folder)
    lines = [line for folder, made in wanted.items() for line in stale(made, folder)]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return int(lines != [])
