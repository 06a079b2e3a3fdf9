"""Who is in the course: a table of one's own, or what Canvas or Moodle exports."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gradlab.classroom.grading import sheets

COLUMNS: Mapping[str, Sequence[str]] = {
    "id": ("student id", "student_id", "student", "id", "username"),
    "name": ("name", "full name", "full_name"),
    "canvas": ("canvas_id", "canvas id", "canvas"),
    "moodle": ("moodle_id", "moodle id", "participant", "participant id", "identifier", "moodle"),
    "email": ("email", "email address", "e-mail"),
    "login": ("sis login id", "login", "login id"),
    "sis": ("sis user id", "sis_id", "sis id"),
    "section": ("section",),
}
"""Names of columns that are understood, in small letters."""


@dataclass(frozen=True)
class Person:
    """One of the course. What the roster does not tell is "".

    Attributes:
      id: what reports call them.
      canvas: their id there; also part of the names of files that Canvas makes.
      moodle: their participant number, likewise.
      login: of Canvas; sis, section: likewise.
      row: what the roster's other columns hold, by name.
    """

    id: str
    name: str = ""
    canvas: str = ""
    moodle: str = ""
    email: str = ""
    login: str = ""
    sis: str = ""
    section: str = ""
    row: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Roster:
    """All of them by id, in the table's order, and its columns."""

    people: Mapping[str, Person] = field(default_factory=dict)
    header: Sequence[str] = ()

    def find(self, keys: Sequence[str]) -> Person | None:
        """The only person whom a key names, or None: by any id, e-mail, login or name."""
        for key in keys:
            found = {one.id: one for one in self.people.values() if key and _same(key, one)}
            if len(found) == 1:
                return next(iter(found.values()))
        return None


def read(path: Path) -> Roster:
    """Reads a roster: a column for the id or the name, and any others of ``COLUMNS``.

    Raises:
      SheetError: if no column says who is who, or two rows have the same id.
    """
    header, rows = sheets.read(path)
    places = _places(header)
    if "id" not in places and "name" not in places:
        raise sheets.SheetError(
            f"{path} has the columns {', '.join(header)}. One should be called 'student id' or "
            "'name'; also read are canvas_id, moodle_id, email, login, sis_id and section."
        )
    people: dict[str, Person] = {}
    for n, row in enumerate(rows, start=2):
        person = _person(row, places)
        if person is None:
            continue
        if person.id in people:
            raise sheets.SheetError(f"{path}, row {n}: there is a second {person.id!r}.")
        people[person.id] = person
    return Roster(people, header)


def _places(header: Sequence[str]) -> dict[str, str]:
    """Which column holds what."""
    names = {name.lower(): name for name in header}
    if "sis user id" in names and "id" in names:  # Canvas's gradebook
        names["canvas_id"], names["name"] = names.pop("id"), names.pop("student", "")
    return {
        key: names[alias]
        for key, aliases in COLUMNS.items()
        for alias in reversed(aliases)
        if names.get(alias)
    }


def _person(row: Mapping[str, str], places: Mapping[str, str]) -> Person | None:
    given = {key: sheets.as_written(row[name]) for key, name in places.items()}
    name = given.get("name", "")
    if re.fullmatch(r"points possible", name, re.IGNORECASE):  # Canvas's second line
        return None
    given["moodle"] = re.sub(r"^participant\s*", "", given.get("moodle", ""), flags=re.IGNORECASE)
    id = next(
        filter(None, (given.get(key) for key in ("id", "sis", "login", "email", "canvas"))), ""
    )
    given["id"] = id or given["moodle"] or name
    return Person(**given, row=row) if given["id"] else None


def _same(key: str, person: Person) -> bool:
    kind, _, value = key.partition(":")
    if kind in ("canvas", "moodle"):
        return value == (person.canvas if kind == "canvas" else person.moodle)
    exact = {one.lower() for one in (person.id, person.email, person.login, person.sis) if one}
    exact |= {one.split("@")[0] for one in exact if "@" in one}
    folded = {squeezed(person.name), _first_last(person.name)} - {""}
    return key.lower() in exact or squeezed(key) in folded


def squeezed(name: str) -> str:
    """A name as Canvas writes it in a file's name: letters and digits only, small, no accents."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(one for one in plain.lower() if one.isalnum())


def _first_last(name: str) -> str:
    last, comma, first = name.partition(",")
    return squeezed(first + last) if comma else squeezed(" ".join(reversed(name.split(" ", 1))))
