"""Whose a file is, and for which assignment, by the names that Canvas, Moodle, nbgrader and people give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from nbformat import NotebookNode
from nbgrader.plugins.zipcollect import FileNameCollectorPlugin
from traitlets import Unicode

from gradlab_classroom.course import Course, load
from gradlab_classroom.reading import Unreadable, anchored, read
from gradlab_classroom.roster import Roster
from gradlab_classroom.sheets import printable

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
      name: the file's own name, without what a platform adds; version: of several, the last counts.
      late: whether the platform says so.
      problem: why it can't be graded, for the teacher; notes: what else the teacher should know.
    """

    path: Path
    student: str
    assignment: str = ""
    platform: str = ""
    name: str = ""
    version: int = 0
    late: bool = False
    problem: str = ""
    notes: tuple[str, ...] = ()
    file: str = ""


def whose(path: PurePosixPath, assignments: Iterable[str], roster: Roster) -> Handed:
    """Read the name of a file, relative to the folder of all that was handed in."""
    parts = [part for part in path.parts[:-1] if part not in assignments and part != "submitted"]
    stem, kind = path.stem, path.suffix
    again = AGAIN.fullmatch(stem)
    name, version = (again["name"], int(again["version"])) if again else (stem, 0)
    for part in (*parts[:1], stem):
        if match := MOODLE.fullmatch(part):
            who, platform, late = match["who"], f"moodle:{match['user']}", False
            name = match["name"] or name if part == stem else name
            break
        if (match := CANVAS.fullmatch(part)) and not _begins(match, assignments):
            who, platform, late = match["who"], f"canvas:{match['user']}", bool(match["late"])
            again = AGAIN.fullmatch(match["name"])
            name, version = (again["name"], int(again["version"])) if again else (match["name"], 0)
            break
    else:
        who = parts[0] if parts else _without(name, assignments)
        platform, late = "", False
    person = roster.find([*filter(None, [platform]), who])
    plain = re.sub(r"[^\w.@() -]+", " ", printable(who)).strip(" .") or "unknown"
    student = person.id if person else plain
    notes = () if person or not roster.people else (f"the roster has nobody called {plain!r}",)
    return Handed(
        Path(), student, "", platform, name + kind, version, late, notes=notes, file=str(path)
    )


def _begins(match: re.Match[str], assignments: Iterable[str]) -> bool:
    """Tell whether it's no file of Canvas: jane_2026_3_clipping begins with an assignment's name."""
    rest = f"{match['upload']}_{match['name']}".lower()
    return any(rest.startswith(name.lower()) for name in assignments)


def _without(stem: str, assignments: Iterable[str]) -> str:
    for name in sorted(assignments, key=len, reverse=True):
        stem = re.sub(re.escape(name), "", stem, flags=re.IGNORECASE)
    return stem.strip(" _-.")


def which(nb: NotebookNode, path: PurePosixPath, course: Course) -> str:
    """Return the assignment that a notebook is for: by its metadata, its cells, its name; or ""."""
    known = course.assignments
    own = nb.metadata.get("gradlab")
    if isinstance(own, dict) and own.get("assignment") in known:
        return str(own["assignment"])
    code = "\n".join(str(cell.source) for cell in nb.cells if cell.cell_type == "code")
    asked = {anchored(str(cell.source)) for cell in nb.cells}
    votes = {
        name: sum(bool(re.search(rf"^def {f}\b", code, re.MULTILINE)) for f in one.functions)
        + len(asked & set(one.written))
        for name, one in known.items()
    }
    named = [name for name in known if name.lower() in re.sub(r"[\s-]+", "_", str(path).lower())]
    best = max(votes, key=lambda name: votes[name])
    if named:
        return max(named, key=len)
    return best if list(votes.values()).count(votes[best]) == 1 or len(known) == 1 else ""


def find(folder: Path, course: Course, roster: Roster, assignment: str = "") -> list[Handed]:
    """Find what was handed in: of each student and assignment the newest notebook.

    Args:
      folder: what was downloaded, unpacked.
      course: whose assignments they may be.
      roster: who the students are.
      assignment: which it is, where a file doesn't tell.
    """
    files = sorted(path for path in folder.rglob("*") if not _hidden(path.relative_to(folder)))
    found = [
        _one(path, folder, course, roster, assignment)
        for path in files
        if path.suffix.lower() == ".ipynb"
    ]
    found = _namesakes(found)
    have = {one.student for one in found}
    for path in files:
        one = whose(PurePosixPath(path.relative_to(folder).as_posix()), course.assignments, roster)
        if path.suffix.lower() in INSTEAD and one.student not in have:
            problem = f"it's a {path.suffix} file: ask for the .ipynb"
            found.append(replace(one, path=path, problem=problem, assignment=assignment))
    newest: dict[tuple[str, str], Handed] = {}
    for one in sorted(found, key=lambda one: (one.version, one.path.lstat().st_mtime)):
        before = newest.get((one.student, one.assignment))
        if before and not one.problem:
            one = replace(
                one, notes=(*one.notes, f"the newest was graded, and not {before.path.name}")
            )
        newest[one.student, one.assignment] = before if before and one.problem else one
    return [newest[key] for key in sorted(newest)]


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "~", "__MACOSX")) for part in path.parts)


def _one(path: Path, folder: Path, course: Course, roster: Roster, assignment: str) -> Handed:
    relative = PurePosixPath(path.relative_to(folder).as_posix())
    one = replace(whose(relative, course.assignments, roster), path=path)
    try:
        found = which(read(path), relative, course) or assignment
    except (Unreadable, OSError) as error:
        named = [name for name in course.assignments if name in str(relative)]
        return replace(one, assignment=(named or [assignment])[0], problem=str(error))
    problem = "" if found else "nothing tells which assignment it is: name it with --assignment"
    notes = (*one.notes, "the platform says that it was late") if one.late else one.notes
    return replace(one, assignment=found, problem=problem, notes=notes)


def _namesakes(found: Sequence[Handed]) -> list[Handed]:
    """Tell two of one name apart by their platform's numbers."""
    numbers: dict[tuple[str, str], set[str]] = {}
    for one in found:
        if one.platform:
            numbers.setdefault((one.student, one.assignment), set()).add(one.platform)
    several = {student for (student, _), some in numbers.items() if len(some) > 1}
    return [
        replace(one, student=f"{one.student} ({one.platform.partition(':')[2]})")
        if one.student in several and one.platform
        else one
        for one in found
    ]


def beside(one: Handed, folder: Path, course: Course, roster: Roster) -> Iterator[tuple[str, Path]]:
    """Yield the other files that the same student handed in with a notebook, by the name that it knows."""
    for path in sorted(one.path.parent.iterdir()):
        if (
            path.suffix == ".ipynb"
            or path.is_symlink()
            or not path.is_file()
            or _hidden(Path(path.name))
        ):
            continue
        other = whose(
            PurePosixPath(path.relative_to(folder).as_posix()), course.assignments, roster
        )
        if path.parent != folder or other.student == one.student:
            yield other.name or path.name, path


class Collector(FileNameCollectorPlugin):
    """nbgrader's collector for ``zip_collect``: it knows the names of Canvas, Moodle and nbgrader."""

    course = Unicode("course.yml", help="the course's file").tag(config=True)

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return whose a file is; None for one that isn't of the assignment that's collected."""
        path, course = Path(submitted_file), load(Path(self.course))
        assignment = self.parent.coursedir.assignment_id
        folder = Path(self.parent._format_collect_path(self.parent.extracted_directory))
        one = _one(path, folder, course, Roster(), assignment)
        if path.suffix != ".ipynb" or one.problem or one.assignment != assignment:
            return None
        return {"student_id": one.student, "file_id": f"{assignment}.ipynb"}
