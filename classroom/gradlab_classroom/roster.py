"""The people of a course: a table of one's own, or what Canvas or Moodle exports."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gradlab_classroom import sheets

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
    """One of the course. What isn't known is "".

    Attributes:
      id: what the gradebook calls them.
      canvas, moodle: their numbers there, which are part of the names of files from there.
      login, sis, section: of Canvas.
    """

    id: str
    name: str = ""
    canvas: str = ""
    moodle: str = ""
    email: str = ""
    login: str = ""
    sis: str = ""
    section: str = ""


@dataclass
class Roster:
    """The people by id, in the table's order, and the table's columns."""

    people: dict[str, Person] = field(default_factory=dict)
    header: Sequence[str] = ()

    def find(self, keys: Iterable[str]) -> Person | None:
        """Return the only person whom one of the keys names: a number, an id, an address or a name."""
        index = defaultdict(set)
        for person in self.people.values():
            for key in _keys(person):
                index[key].add(person.id)
        for key in keys:
            known = index.get(key, set()) | index.get(squeezed(key), set())
            if len(known) == 1:
                return self.people[known.pop()]
        return None


def read(path: Path) -> Roster:
    """Read a roster: a column for the id or the name, and any others of ``COLUMNS``.

    Raises:
      SheetError: if no column says who is who, or two rows have the same id.
    """
    header, rows = sheets.read(path)
    names = {name.lower(): name for name in header}
    if "sis user id" in names and "id" in names:  # Canvas's gradebook
        names["canvas_id"], names["name"] = names.pop("id"), names.pop("student", "")
    places = {
        key: next(names[alias] for alias in aliases if names.get(alias))
        for key, aliases in COLUMNS.items()
        if any(names.get(alias) for alias in aliases)
    }
    if "id" not in places and "name" not in places:
        raise sheets.SheetError(
            f"{path} has the columns {', '.join(header)}. One should be called 'student id' or "
            "'name'; also read are canvas_id, moodle_id, email, login, sis_id and section."
        )
    people: dict[str, Person] = {}
    for number, row in enumerate(rows, start=2):
        person = Person(
            **{"id": "", **{key: sheets.printable(row[name]) for key, name in places.items()}}
        )
        if person.name.lower() == "points possible":  # Canvas's second line
            continue
        moodle = re.sub(r"^participant\s*", "", person.moodle, flags=re.IGNORECASE)
        ids = (
            person.id,
            person.sis,
            person.login,
            person.email,
            person.canvas,
            moodle,
            person.name,
        )
        person = replace(person, moodle=moodle, id=next(filter(None, ids), ""))
        if person.id in people:
            raise sheets.SheetError(
                f"{path}, row {number}: there is a second {person.id!r}. Keep one."
            )
        if person.id:
            people[person.id] = person
    return Roster(people, header)


def _keys(person: Person) -> set[str]:
    last, comma, first = person.name.partition(",")
    turned = first + last if comma else " ".join(reversed(person.name.split(" ", 1)))
    plain = (person.id, person.email, person.email.partition("@")[0], person.login, person.sis)
    keys = {*plain, *map(squeezed, (*plain, person.name, turned))}
    keys |= {f"canvas:{person.canvas}"} if person.canvas else set()
    keys |= {f"moodle:{person.moodle}"} if person.moodle else set()
    return keys - {""}


def squeezed(name: str) -> str:
    """Return a name as Canvas writes it in a file's name: small letters and digits, no accents."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in plain.lower() if letter.isalnum())
