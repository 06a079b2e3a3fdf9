"""``release``: what students receive, made by nbgrader from source/ with the points of course.yml."""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from sccbook.notebook_form import METADATA, install_cell, read, text_of
from sccbook_classroom.course import ASSIGNMENTS, Assignment, CourseError, load


def sources(folder: Path) -> dict[str, bytes]:
    """Return what's in a course's source/, by paths below it, with course.yml's points written in.

    Raises ``CourseError`` if they differ in assignments or graded cells, or one can't be read.
    """
    course, source = load(folder / "course.yml"), folder / "source"
    made = _files(source)
    wanted = {f"{name}/{name}.ipynb": one for name, one in course.assignments.items()}
    _agree({*wanted}, {name for name in made if name.endswith(".ipynb")}, source)
    return made | {name: _stored(made[name], one, source / name) for name, one in wanted.items()}


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.glob("*/[!.]*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _agree(wanted: set[str], found: set[str], path: Path) -> None:
    if odd := ", ".join(sorted(wanted ^ found)):
        raise CourseError(f"course.yml and {path} differ: only one of them has {odd}.")


def _stored(content: bytes, assignment: Assignment, path: Path) -> bytes:
    """Return a source with the points of its assignment."""
    try:
        book = read(content.decode())
    except ValueError as error:
        raise CourseError(f"{path} is {error}") from error
    book.metadata = {**METADATA, "sccbook": {"assignment": assignment.name}}
    written = {f"written_{key}": one.points for key, one in assignment.written.items()}
    worth, graded = assignment.functions | written, set[str]()
    stated = {r"\*\*Points:\*\* ": assignment.points, "in words, up to ": sum(written.values())}
    stated |= {rf"`{key}` \(|\b{key}\b.*, of=": points for key, points in worth.items()}
    for cell in book.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade"):
            graded.add(about.grade_id)
            about.points = int(n) if (n := worth.get(about.grade_id, 0)) % 1 == 0 else n
        if task := written.get(f"written_{cell.id.removesuffix('-task')}"):
            cell.source = _with(task, r"^#.* \(", cell.source)
        for before, points in stated.items():
            cell.source = _with(points, before, cell.source)
    _agree({*worth}, graded, path)
    return text_of(book).encode()


def _with(points: float, before: str, text: str) -> str:
    """Return a text with these points wherever it has others after a pattern."""
    number, unit = f"{points:g}", f" point{'s' * (points != 1)}"
    places = re.compile(rf"({before})[\d.]*\d( points?)?(?=[),.])", re.MULTILINE)
    return places.sub(lambda at: f"{at[1]}{number}{unit if at[2] else ''}", text)


def released(folder: Path) -> dict[str, bytes]:
    """Return what students receive of a course's folder, by paths below release/.

    Raises ``CourseError`` as ``sources`` does, and if nbgrader refuses a source.
    """
    course = load(folder / "course.yml")
    with TemporaryDirectory() as root:
        write(sources(folder), Path(root, "source"))
        api = nbgrader_in(Path(root), folder)
        api.config.GenerateAssignment.no_database, api.config.SaveCells.enabled = True, False
        for name in course.assignments:
            done = api.generate_assignment(name)
            if not done["success"]:
                raise CourseError(f"nbgrader refuses {name}:\n{done.get('log') or done['error']}")
        made = _files(Path(root, "release"))
    for path in [f"{name}/{name}.ipynb" for name in course.assignments if course.install]:
        book = read(made[path].decode())
        book.cells.insert(1, install_cell(course.install))
        made[path] = text_of(book).encode()
    return made


def nbgrader_in(root: Path, course: Path) -> NbGraderAPI:
    """Return nbgrader's commands for a folder, with the settings of a course's."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course.resolve())).load_config()
    config.CourseDirectory.root = str(root)
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def write(made: Mapping[str, bytes], folder: Path) -> None:
    """Write files below a folder."""
    for name, content in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the notebooks, or check them; return 1 if some are stale. May raise ``CourseError``."""
    parser = argparse.ArgumentParser("python -m sccbook_classroom release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what's out of date")
    parser.add_argument("--course", type=Path, default=ASSIGNMENTS, help="default: %(default)s")
    parser.add_argument("--out", type=Path, help="a folder for students', in place of release/")
    given = parser.parse_args(arguments)
    out, stale = given.out or given.course / "release", list[str]()
    wanted = {given.course / "source": sources(given.course), out: released(given.course)}
    for folder, made in wanted.items():
        if not given.check:
            write(made, folder)
        there = _files(folder)
        for name in sorted(one for one in {*made, *there} if made.get(one) != there.get(one)):
            why = "is missing or out of date" if name in made else "has no source: delete it"
            stale.append(f"{folder / name} {why}\n")
    sys.stdout.writelines(stale)
    return int(stale != [])
