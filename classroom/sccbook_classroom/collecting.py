"""Whose a file is, and for which assignment, by the names that Canvas, Moodle, nbgrader and people give it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode

from sccbook_classroom.course import Course
from sccbook_classroom.reading import Unreadable, read
from sccbook_classroom.roster import Roster, printable

CANVAS = re.compile(r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<upload>\d+)_(?P<name>.+)")
MOODLE = re.compile(r"(?P<who>.+?)_(?P<user>\d+)_assignsubmission_file_?(?P<name>.*)")
AGAIN = re.compile(r"(?P<name>.+?)(?:-|\s?\()(?P<version>\d{1,3})\)?")
"""A second upload, or a second download."""
INSTEAD = {".py", ".zip", ".html", ".htm", ".pdf", ".json", ".7z", ".rar", ".gz", ".docx"}
"""Endings of files that people hand in where a notebook is asked for."""


@dataclass(frozen=True)
class Handed:
    """One file that was handed in.

    Attributes:
      path: where it lies; file: the same below the folder of all that was handed in.
      student: whose it is; assignment: its name, or "" where nothing tells it.
      platform: whose it is in the platform's words: ``"canvas:12345"``, ``"moodle:678"`` or "".
      name: the file's own, without what a platform adds; version: of several, the last counts.
      problem: why it can't be graded, for the teacher; notes: what else the teacher should know.
      beside: the other files of the student, by the names that the notebook knows.
    """

    path: Path
    file: str
    student: str
    assignment: str = ""
    platform: str = ""
    name: str = ""
    version: int = 0
    problem: str = ""
    notes: tuple[str, ...] = ()
    beside: Mapping[str, Path] = field(default_factory=dict)


def whose(path: PurePosixPath, assignments: Iterable[str], roster: Roster) -> Handed:
    """Read the name of a file, relative to the folder of all that was handed in."""
    folders, name, platform, notes = path.parts[:-1], path.stem, "", []
    if "submitted" in folders:
        folders = folders[folders.index("submitted") + 1 :]
    above = [part for part in folders if part not in assignments]
    who = above[0] if above else ""
    chosen = not roster.find([who]) and len(above) == len(path.parts) - 1  # not nbgrader's folder
    for part in [*above, path.stem] if chosen or not above else above[:1]:
        if found := CANVAS.fullmatch(part):
            platform = f"canvas:{found['user']}"
            notes += ["the platform says that it was late"] if found["late"] else []
        elif found := MOODLE.fullmatch(part):
            platform = f"moodle:{found['user']}"
        if found:
            who, name = found["who"], (found["name"] or name) if part == path.stem else name
            break
    again = AGAIN.fullmatch(name)
    name, version = (again["name"], int(again["version"])) if again else (name, 0)
    if not who:
        who = name
        for each in sorted(assignments, key=len, reverse=True):
            who = re.sub(re.escape(each), "", who, flags=re.IGNORECASE).strip(" _-.")
    person = roster.find([*filter(None, [platform]), who])
    student = re.sub(r"[^\w.@() -]+", " ", printable(who)).strip(" .-@") or "unknown"
    if roster.people and not person:
        notes.append("the roster has nobody of this name")
    student = person.id if person else student
    own = name + path.suffix
    return Handed(Path(path), str(path), student, "", platform, own, version, notes=tuple(notes))


def which(nb: NotebookNode, path: PurePosixPath, course: Course) -> str:
    """Return the assignment that a notebook is for: by its metadata or by its name; or ""."""
    own = nb.metadata.get("sccbook")
    known = str(own.get("assignment")) if isinstance(own, dict) else ""
    return known if known in course.assignments else _named(path, course)


def _named(path: PurePosixPath, course: Course) -> str:
    plain = re.sub(r"[\s-]+", "_", str(path).lower())
    return max((each for each in course.assignments if each.lower() in plain), key=len, default="")


def find(folder: Path, course: Course, roster: Roster, assignment: str = "") -> list[Handed]:
    """Find what was handed in: of each student and assignment the newest notebook.

    Args:
      folder: what was downloaded, unpacked; course: whose assignments they may be.
      roster: who the students are.
      assignment: which it is, where a file doesn't tell.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    files = [
        one for one in files if not re.search(r"/(\.|~|__MACOSX)", f"/{one.relative_to(folder)}")
    ]
    found = [_one(path, folder, course, roster, assignment) for path in files]
    found = _namesakes(found, roster)
    newest: dict[tuple[str, str], Handed] = {}
    others: dict[tuple[str, Path], dict[str, Path]] = defaultdict(dict)
    for one in sorted(found, key=lambda one: (one.version, one.path.lstat().st_mtime)):
        if one.path.suffix.lower() != ".ipynb":
            others[one.student, one.path.parent][one.name] = one.path
            continue
        before = newest.get((one.student, one.assignment))
        if before and not one.problem:
            note = f"the newest was graded, and not an older one, {before.name}"
            one = replace(one, notes=(*one.notes, note))
        newest[one.student, one.assignment] = before if before and one.problem else one
    have = {one.student for one in newest.values()}
    for one in found:
        if one.path.suffix.lower() in INSTEAD and one.student not in have:
            problem = f"it's a {one.path.suffix} file: ask for the .ipynb"
            newest[one.student, one.assignment] = replace(one, problem=problem)
    beside = {key: others[one.student, one.path.parent] for key, one in newest.items()}
    return [replace(newest[key], beside=beside[key]) for key in sorted(newest)]


def _one(path: Path, folder: Path, course: Course, roster: Roster, assignment: str) -> Handed:
    relative = PurePosixPath(path.relative_to(folder).as_posix())
    one = replace(whose(relative, course.assignments, roster), path=path)
    named = _named(relative, course) or assignment
    if path.suffix.lower() != ".ipynb":
        return replace(one, assignment=named)
    try:
        found = which(read(path), relative, course) or assignment
    except (Unreadable, OSError) as error:
        return replace(one, assignment=named, problem=str(error))
    problem = "" if found else "nothing tells which assignment it is: name it with --assignment"
    return replace(one, assignment=found, problem=problem)


def _namesakes(found: list[Handed], roster: Roster) -> list[Handed]:
    """Tell two of one name apart by their platform's numbers."""
    numbers: dict[str, set[str]] = defaultdict(set)
    for one in found:
        numbers[one.student].add(one.platform)
    return [
        replace(one, student=f"{one.student} ({one.platform.partition(':')[2]})")
        if one.platform and len(numbers[one.student]) > 1 and one.student not in roster.people
        else one
        for one in found
    ]
