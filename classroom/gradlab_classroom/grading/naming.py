"""The owner of a file, by its name and folders, as platforms and people write them.

The names of folders are a platform's or an instructor's, as far as the first that is a student's.
What is further in, and the file's own name, the student has chosen. So the outermost part of a
path that names somebody tells whose the file is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gradlab_classroom.grading.student_text import printable

CANVAS = re.compile(r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<upload>\d+)_(?P<name>.+)")
MOODLE = re.compile(r"(?P<who>.+?)_(?P<user>\d+)_assignsubmission_file_?(?P<name>.*)")
AGAIN = re.compile(r"(?P<name>.+?)-(?P<version>\d{1,3})")  # Canvas, of a second upload
COPY = re.compile(r"(?P<name>.+?)\s?\((?P<version>\d{1,3})\)")  # browsers, of a second download
FOLDERS = ("submitted", "submissions", "source", "release")
"""Folders that are nobody's name."""
DEEPEST = 20
"""Folders in folders in which a name is looked for."""
VERSION = re.compile(
    r"(v|version|try|attempt|part|copy|final|draft|new|old|last|fixed|corrected|done|backup|"
    r"solution|solutions|solved|answer|answers|hw|homework|submission|notebook)?\d{0,2}",
    re.IGNORECASE,
)
"""Words in a file's name that are nobody's."""


@dataclass(frozen=True)
class Claim:
    """A part of a path, and whom it may name.

    Attributes:
      keys: the surest first: an id of a platform is ``"canvas:12345"`` or ``"moodle:678"``.
      student: what to call them where no roster knows any key.
      own: the same, or "" where it is hardly anybody's, as in ``3_clipping_final``.
      name: of the file, without what the platform has added.
      version: of several files of the same name, the greatest is the newest.
      folder: the folders down to this one, if it is one that no platform has named; else empty.
      sure: whether a platform or nbgrader has named it.
      back: the entry of an archive of feedback that the platform knows again.
      late: whether the platform says so.
    """

    keys: Sequence[str]
    student: str
    own: str
    name: str
    version: int = 0
    folder: tuple[str, ...] = ()
    sure: bool = False
    back: str = ""
    late: bool = False

    @property
    def platform(self) -> str:
        """The platform's id, where one has named the file.

        Canvas's is of a student. Moodle's is of a student in one assignment.
        """
        return self.keys[0] if self.keys[0].startswith(("canvas:", "moodle:")) else ""


Rule = Callable[[Claim], bool]
"""A test of a claim: true where it names somebody."""


@dataclass(frozen=True)
class Named:
    """A file's path, as it was understood.

    Attributes:
      claim: the part of it that tells whose it is.
      names: what may name the assignment: the file's stem, then its folders, inmost first.
      outer: parts outside of that one, which are taken to be nobody's.
      inner: parts inside of it, which do not count.
    """

    claim: Claim
    names: Sequence[str]
    outer: Sequence[Claim] = ()
    inner: Sequence[Claim] = ()


def named(
    path: PurePosixPath,
    assignments: Collection[str],
    rules: Sequence[Rule] = (lambda _: False, lambda _: True),
) -> Named:
    """Read a path, relative to the folder of all submissions.

    Args:
      path: such as ``doejane_LATE_12345_67890_3_clipping-1.ipynb``,
        ``Jane Doe_123456_assignsubmission_file_/x.ipynb``, ``jane/3_clipping/3_clipping.ipynb``,
        ``jane/x.ipynb`` or ``jane_3_clipping.ipynb``.
      assignments: their names in the course.
      rules: the outermost claim that is sure or fulfils the first rule tells whose it is; if there
        is none, the second rule is tried, and so on; at last it is the inmost folder's.
    """
    claims = claims_of(path, assignments)
    n = next(
        (n for rule in rules for n, claim in enumerate(claims) if claim.sure or rule(claim)),
        max(0, len(claims) - 2),
    )
    return Named(
        claims[n], [claims[n].name, *reversed(path.parts[:-1])], claims[:n], claims[n + 1 :]
    )


# ---------------------------------------------------------------- what each part says


def claims_of(path: PurePosixPath, assignments: Collection[str]) -> list[Claim]:
    """The parts of a path that may name somebody, outermost first; the file's name is the last."""
    name, version = _version(path.stem, COPY)
    claims: list[Claim] = []
    folder: tuple[str, ...] = ()
    before = ""
    for part in path.parts[:-1][:DEEPEST]:
        match = MOODLE.fullmatch(part)
        if match:
            back = f"{part}/feedback.html"
            claims.append(_of_platform("moodle", match, name, version, back))
        elif part not in assignments and part.lower() not in FOLDERS and _one_line(part):
            folder = (*folder, _one_line(part))
            sure = before == "submitted"  # nbgrader's folders
            who = _one_line(part)
            own = "" if only_version(who) else who
            claims.append(Claim([who], who, own, name, version, folder, sure))
        before = part
    return [*claims, _of_file(path, assignments)]


def _of_file(path: PurePosixPath, assignments: Collection[str]) -> Claim:
    stem = path.stem
    match = CANVAS.fullmatch(stem)  # before Moodle's: the end of Canvas's form is the student's
    # jane_2026_11_clipping is of Canvas, jane_2026_3_clipping is not, where 3_clipping is asked for
    if match and not _begins(f"{match['upload']}_{match['name']}", assignments):
        return _of_platform("canvas", match, *_version(match["name"], AGAIN), f"{stem}.html")
    match = MOODLE.fullmatch(stem)
    if match:
        back = f"{path.name[: match.start('name')]}feedback.html"
        return _of_platform("moodle", match, *_version(match["name"] or stem, COPY), back)
    inner, version = _version(stem, COPY)
    rest = _without(inner, assignments)
    # a whole name that the roster knows comes before a part of one
    keys = [_one_line(key) for key in (rest, inner, *re.split(r"[_\s.]+", rest))]
    own = "" if only_version(rest) else _one_line(rest)
    return Claim(keys, _one_line(rest) or _one_line(inner) or "?", own, inner, version)


def _of_platform(kind: str, match: re.Match[str], name: str, version: int, back: str) -> Claim:
    who = _one_line(match["who"]) or "?"
    keys = [f"{kind}:{match['user']}", who]
    late = bool(match.groupdict().get("late"))
    return Claim(keys, who, who, name, version, sure=True, back=back, late=late)


def _one_line(name: str) -> str:
    """A name as a table can hold it and give it back; no id of a platform looks like it."""
    return " ".join(printable(name).replace(":", " ").split())


def only_version(rest: str) -> bool:
    """Tell whether a text has no words but those that are nobody's name, as in ``v2_final``."""
    return all(VERSION.fullmatch(word) for word in re.split(r"[\W_]+", rest))


def _version(stem: str, form: re.Pattern[str]) -> tuple[str, int]:
    match = form.fullmatch(stem)
    return (match["name"], int(match["version"])) if match else (stem, 0)


def _begins(name: str, assignments: Collection[str]) -> bool:
    return any(name.lower().startswith(known.lower()) for known in assignments)


def _without(stem: str, assignments: Collection[str]) -> str:
    """The rest of a file's name, without the assignment's."""
    for known in sorted(assignments, key=len, reverse=True):
        at = stem.lower().find(known.lower())
        if at >= 0:
            return (stem[:at] + stem[at + len(known) :]).strip(" _-.")
    return ""


def assignment_in(names: Sequence[str], assignments: Collection[str]) -> str:
    """The assignment that names tell, or ""; ``3_clipping_final`` tells ``3_clipping``."""
    for name in names:
        plain = re.sub(r"[\s-]+", "_", name.lower())
        found = [known for known in assignments if known.lower() in plain]
        if found:
            return max(found, key=len)
    return ""
