"""The people of a course: a table of one's own, or what Canvas or Moodle exports."""

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from sccbook.checking.plain_data import clean
from sccbook_classroom.course import CourseError

COLUMNS: Mapping[str, Sequence[str]] = {
    "id": ("student id", "student_id", "student", "id", "username"),
    "name": ("name", "full name", "full_name"),
    "canvas": ("canvas_id", "canvas id", "canvas"),
    "moodle": ("moodle_id", "moodle id", "participant", "participant id", "identifier", "moodle"),
    "email": ("email", "email address", "e-mail"),
}
"""Names of columns that are understood, in small letters. Every other column can name somebody, too."""
UNSEEN = re.compile(
    r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
"""Characters that a page or a table can't hold, or that hide or turn the text around them."""


@dataclass(frozen=True)
class Person:
    """One of the course. What isn't known is "".

    Attributes:
      id: what the gradebook calls them.
      canvas, moodle: their numbers there, which are part of the names of files from there.
      row: all that the roster has of them, by its columns.
    """

    id: str
    name: str = ""
    canvas: str = ""
    moodle: str = ""
    email: str = ""
    row: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Roster:
    """The people by id, in the table's order, and the table's columns."""

    people: Mapping[str, Person] = field(default_factory=dict)
    header: Sequence[str] = ()

    def find(self, keys: Iterable[str]) -> Person | None:
        """Return the only person whom one of the keys names: a number, an id, an address or a name."""
        known = (self._index.get(form, []) for key in keys for form in (key, squeezed(key)))
        return next((found[0] for found in known if len(found) == 1), None)

    @cached_property
    def _index(self) -> Mapping[str, Sequence[Person]]:
        index = defaultdict(list)
        for one in self.people.values():
            last, comma, first = one.name.partition(",")
            turned = first + last if comma else " ".join(reversed(one.name.split(" ", 1)))
            plain = [one.id, *one.row.values(), one.email.partition("@")[0]]
            numbers = [f"canvas:{one.canvas}", f"moodle:{one.moodle}"]
            for key in {*plain, *map(squeezed, [*plain, turned]), *numbers} - {""}:
                index[key].append(one)
        return index


def squeezed(name: str) -> str:
    """Return a name as Canvas writes it in a file's name: small letters and digits, no accents."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", name).lower()))


def printable(text: str) -> str:
    """Return a text as a page or a table can hold it, in one form where Unicode has several."""
    return unicodedata.normalize("NFC", UNSEEN.sub("", clean(text)))


def read(path: Path) -> Roster:
    """Read a table with a header, separated by commas, semicolons or tabs.

    Raises:
      CourseError: if it can't be read, names nobody, or names somebody twice.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} can't be read: {error.strerror}.") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # what Excel writes unless it's asked
    separator = max(",;\t", key=text.partition("\n")[0].count)
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, restval="")
    header = table.fieldnames = [name.strip() for name in table.fieldnames or ()]
    own = {"id": (), "name": ("student",), "canvas": ("id",)} if "SIS User ID" in header else {}
    known = {**COLUMNS, **own}
    places = {key: name for key in known for name in header if name.lower() in known[key]}
    if not places:
        raise CourseError(
            f"{path} names nobody: it has the columns {', '.join(header) or 'none'}. Its first line should "
            "name some of student id, name, canvas_id, moodle_id and email."
        )
    people: dict[str, Person] = {}
    for cells in table:
        row = {name: printable(cells[name]).strip() for name in header}
        one = Person(**{"id": "", **{key: row[name] for key, name in places.items()}}, row=row)
        moodle = re.sub(r"^participant\s*", "", one.moodle, flags=re.IGNORECASE)
        ids = (one.id, row.get("SIS User ID"), one.email, one.canvas, moodle, one.name)
        one = replace(one, moodle=moodle, id=next(filter(None, ids), ""))
        if one.id in people:
            raise CourseError(f"{path}, line {table.line_num}: a second {one.id!r}. Keep one.")
        if one.id and one.name.lower() != "points possible":  # Canvas's second line
            people[one.id] = one
    return Roster(people, header)
