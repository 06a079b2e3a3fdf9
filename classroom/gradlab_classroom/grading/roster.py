"""The people of a course: a table of one's own, or what Canvas or Moodle exports."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from gradlab_classroom.grading import sheets

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
    """The people by id, in the table's order, and its columns."""

    people: Mapping[str, Person] = field(default_factory=dict)
    header: Sequence[str] = ()

    def find(self, keys: Sequence[str]) -> Person | None:
        """The only person whom a key names, or None: by any id, e-mail, login or name."""
        for key in keys:
            found = self._called(key)
            if len(found) == 1:
                return self.people[next(iter(found))]
        return None

    def knows(self, keys: Sequence[str]) -> bool:
        """Tell whether a key names anybody, be it several."""
        return any(self._called(key) for key in keys)

    def _called(self, key: str) -> set[str]:
        """The ids of all whom a key names."""
        kind, colon, value = key.partition(":")
        if colon and kind in ("canvas", "moodle"):
            return self._index.get((kind, value), set())
        exact = self._index.get(("exact", " ".join(key.lower().split())), set())
        return exact | self._index.get(("name", squeezed(key)), set())

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], set[str]]:
        """Whom each key names. A class asks for thousands of files."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for person in self.people.values():
            for kind, value in _keys(person):
                if value:
                    found[kind, value].add(person.id)
        return dict(found)


def read(path: Path) -> Roster:
    """Read a roster: a column for the id or the name, and any others of ``COLUMNS``.

    Raises:
      SheetError: if it cannot be read, no column says who is who, or two rows have the same id.
    """
    header, rows = _table(path)
    places = _places(header)
    if "id" not in places and "name" not in places:
        raise sheets.SheetError(
            f"{path} has the columns {', '.join(header)}. One should be called 'student id' or "
            "'name'; also read are canvas_id, moodle_id, email, login, sis_id and section."
        )
    twice = [name for name, count in Counter(map(str.lower, header)).items() if count > 1]
    if once := sorted({name for name in places.values() if name.lower() in twice}):
        raise sheets.SheetError(f"{path} has several columns called {once[0]!r}: leave one.")
    people: dict[str, Person] = {}
    before: dict[tuple[str, str], int] = {}
    for n, row in rows:
        person = _person(row, places)
        if person is None:
            continue
        for key, value in _ids(person):
            if value and before.setdefault((key, value.lower()), n) != n:
                raise sheets.SheetError(
                    f"{path}, row {n}: there is a second {value!r}. Row {before[key, value.lower()]} "
                    f"has the same {key}: give each their own, or leave it blank."
                )
        people[person.id] = person
    return Roster(people, header)


def _table(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The columns' names, and the rows with their numbers."""
    advice = (
        "Perhaps a quotation mark is not closed, or a cell is very long: look at it in a "
        "spreadsheet, keep only the columns that say who is who, and save it as CSV again."
    )
    try:
        header, rows = sheets.numbered(path)
    except sheets.SheetError as error:
        if isinstance(error.__cause__, csv.Error):
            raise sheets.SheetError(f"{path} is no table: {error.__cause__}. {advice}") from error
        raise
    # in a table, each mark opens, closes or is doubled; one that stays open takes all rows after it
    over = next((n for n, row in rows if any("\n" in cell for cell in row.values())), 0)
    if over and path.read_bytes().count(b'"') % 2:
        raise sheets.SheetError(f"{path}, row {over}: a cell runs over several lines. {advice}")
    return header, rows


def _ids(person: Person) -> Iterator[tuple[str, str]]:
    """Yield what nobody else may have, each after the name of its column."""
    yield "canvas_id", person.canvas
    yield "moodle_id", person.moodle
    yield "email", person.email
    yield "login", person.login
    yield "sis_id", person.sis
    yield "id", person.id


def _places(header: Sequence[str]) -> dict[str, str]:
    """Map what a roster tells to the column that tells it."""
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


def _keys(person: Person) -> Iterator[tuple[str, str]]:
    """Yield whatever names a person, each after its kind."""
    yield "canvas", person.canvas
    yield "moodle", person.moodle
    for key in (person.id, person.email, person.login, person.sis):
        plain = " ".join(key.lower().split())
        yield "exact", plain
        yield "exact", plain.partition("@")[0]
    yield "name", squeezed(person.name)
    yield "name", _first_last(person.name)


def squeezed(name: str) -> str:
    """A name as Canvas writes it in a file's name: letters and digits only, small, no accents."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in plain.lower() if letter.isalnum())


def _first_last(name: str) -> str:
    last, comma, first = name.partition(",")
    return squeezed(first + last) if comma else squeezed(" ".join(reversed(name.split(" ", 1))))
