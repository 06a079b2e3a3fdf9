"""Whose a file is: what its name and folder say, as platforms and people write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

CANVAS = re.compile(r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<upload>\d+)_(?P<name>.+)")
MOODLE = re.compile(r"(?P<who>.+?)_(?P<user>\d+)_assignsubmission_file_?(?P<name>.*)")
AGAIN = re.compile(r"(?P<name>.+?)-(?P<version>\d{1,3})")  # Canvas, of a second upload
COPY = re.compile(r"(?P<name>.+?)\s?\((?P<version>\d{1,3})\)")  # browsers, of a second download
FOLDERS = ("submitted", "submissions", "source", "release")
"""Folders that are nobody's name."""


@dataclass(frozen=True)
class Named:
    """What a file's path says.

    Attributes:
      keys: whom it may name, the surest first: an id of a platform is ``"canvas:12345"`` or
        ``"moodle:678"``.
      student: what to call them where no roster knows any key.
      names: what may name the assignment: the file's stem, then its folders, inmost first.
      version: of several files of the same name, the greatest is the newest.
      back: the entry of an archive of feedback that the platform knows again.
      late: whether the platform says so.
      own: what the file's name says besides the assignment, where no platform has named it.
    """

    keys: Sequence[str]
    student: str
    names: Sequence[str]
    version: int = 0
    back: str = ""
    late: bool = False
    own: str = ""

    @property
    def platform(self) -> str:
        """The platform's id, where one has named the file.

        Canvas's is of a student. Moodle's is of a student in one assignment.
        """
        return self.keys[0] if self.keys[0].startswith(("canvas:", "moodle:")) else ""


def named(path: PurePosixPath, assignments: Collection[str]) -> Named:
    """Reads a path, relative to the folder of all submissions.

    Args:
      path: such as ``doejane_LATE_12345_67890_3_clipping-1.ipynb``,
        ``Jane Doe_123456_assignsubmission_file_/x.ipynb``, ``jane/3_clipping/3_clipping.ipynb``,
        ``jane/x.ipynb`` or ``jane_3_clipping.ipynb``.
      assignments: their names in the course.
    """
    folders = list(reversed(path.parts[:-1]))
    stem = path.stem
    for n, part in enumerate([stem, *folders]):
        match = MOODLE.fullmatch(part)
        if match:
            return _of_moodle(path, match, n, folders)
    match = CANVAS.fullmatch(stem)
    # jane_2026_11_clipping is of Canvas, jane_2026_3_clipping is not, where 3_clipping is asked for
    if match and not _begins(f"{match['upload']}_{match['name']}", assignments):
        inner, version = _version(match["name"], AGAIN)
        return Named(
            keys=[f"canvas:{match['user']}", match["who"]],
            student=match["who"],
            names=[inner, *folders],
            version=version,
            back=f"{stem}.html",
            late=bool(match["late"]),
        )
    return _of_people(path, assignments)


def _of_people(path: PurePosixPath, assignments: Collection[str]) -> Named:
    """A file that no platform has named: in a folder of its student's name, or with it."""
    folders = list(reversed(path.parts[:-1]))
    inner, version = _version(path.stem, COPY)
    rest = _without(inner, assignments)
    own = [part for part in folders if part not in assignments and part.lower() not in FOLDERS]
    if "submitted" in path.parts[:-2]:  # nbgrader's folders
        own = [path.parts[path.parts.index("submitted") + 1]]
    # a whole name that the roster knows comes before a part of one
    keys = [*own, rest, inner, *re.split(r"[_\s.]+", rest)]
    return Named(
        keys=[key.replace(":", " ") for key in keys],
        student=own[0] if own else rest or inner,
        names=[inner, *folders],
        version=version,
        own=rest,
    )


def _of_moodle(path: PurePosixPath, match: re.Match[str], n: int, folders: Sequence[str]) -> Named:
    inner, version = _version(path.stem if n else match["name"] or path.stem, COPY)
    top = path.parts[len(path.parts) - 1 - n] if n else path.name[: match.start("name")]
    return Named(
        keys=[f"moodle:{match['user']}", match["who"]],
        student=match["who"],
        names=[inner, *folders],
        version=version,
        back=f"{top}/feedback.html" if n else f"{top}feedback.html",
    )


def _version(stem: str, form: re.Pattern[str]) -> tuple[str, int]:
    match = form.fullmatch(stem)
    return (match["name"], int(match["version"])) if match else (stem, 0)


def _begins(name: str, assignments: Collection[str]) -> bool:
    return any(name.lower().startswith(one.lower()) for one in assignments)


def _without(stem: str, assignments: Collection[str]) -> str:
    """The rest of a file's name, without the assignment's."""
    for one in sorted(assignments, key=len, reverse=True):
        at = stem.lower().find(one.lower())
        if at >= 0:
            return (stem[:at] + stem[at + len(one) :]).strip(" _-.")
    return ""


def assignment_in(names: Sequence[str], assignments: Collection[str]) -> str:
    """The assignment that names tell, or ""; ``3_clipping_final`` tells ``3_clipping``."""
    for name in names:
        plain = re.sub(r"[\s-]+", "_", name.lower())
        found = [one for one in assignments if one.lower() in plain]
        if found:
            return max(found, key=len)
    return ""
