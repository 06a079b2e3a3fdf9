"""Files in a folder: whose each is, for which assignment, and which of several is the newest."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from classroom.tests.handed_in import COURSE, FOURTH, GOOD, fourth, stored
from sccbook_classroom import roster
from sccbook_classroom.collecting import Handed, find
from sccbook_classroom.course import CourseError
from sccbook_classroom.roster import Roster

NOTEBOOK = stored(fourth(GOOD), sccbook={"assignment": FOURTH})
PEOPLE = """student id;name;canvas_id;moodle_id;email
jd1;Jane Doe;12345;77;jane.doe@example.org
ml2;Møller, Lars;12346;78;lars@example.org
"""
MOODLE = "assignsubmission_file_"


@pytest.fixture
def people(tmp_path_factory: pytest.TempPathFactory) -> Roster:
    path = tmp_path_factory.mktemp("roster") / "roster.csv"
    path.write_text(PEOPLE, encoding="cp1252")  # as Excel saves it
    return roster.read(path)


def collected(folder: Path, files: Mapping[str, bytes], people: Roster) -> list[Handed]:
    for age, (name, data) in enumerate(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (age, age))
    return find(folder, COURSE, people)


@pytest.mark.parametrize(
    "path",
    [
        "doejane_12345_67890_any.ipynb",
        "someone_LATE_12345_67890_any-2.ipynb",
        f"Jane Doe_77_{MOODLE}/x.ipynb",
        f"Anybody_77_{MOODLE}x (2).ipynb",
        f"group A/Jane Doe_999_{MOODLE}/x.ipynb",
        "week 4/doejane_12345_1_x.ipynb",
        "JANE.DOE@example.org/x.ipynb",
        "jane.doe/x.ipynb",
        "Doe, Jane/x.ipynb",
        "jd1_4_constraining.ipynb",
        "4_constraining-jd1 (1).ipynb",
        "course/submitted/jd1/4_constraining/x.ipynb",
    ],
)
def test_a_student_is_known_by_any_name_that_a_platform_gives(
    tmp_path: Path, people: Roster, path: str
) -> None:
    (found,) = collected(tmp_path, {path: NOTEBOOK}, people)
    assert (found.student, found.assignment, found.problem) == ("jd1", FOURTH, "")
    assert ("late" in "".join(found.notes)) == ("LATE" in path)


@pytest.mark.parametrize(
    "forged",
    [
        f"Møller, Lars_78_{MOODLE}/Jane Doe_77_{MOODLE}(9).ipynb",
        f"Møller, Lars_78_{MOODLE}/jd1_12345_1_x-9.ipynb",
        f"mollerlars_12346_1_Jane Doe_77_{MOODLE}x (9).ipynb",
        "submitted/ml2/4_constraining/jd1_12345_2_4_constraining-9.ipynb",
        f"submitted/ml2/Jane Doe_77_{MOODLE}/x(9).ipynb",
        "ml2/jd1_12345_2_x-9.ipynb",
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_nobody_hands_in_for_another_student(
    tmp_path: Path, people: Roster, forged: str, known: bool
) -> None:
    files = {"jd1/4_constraining.ipynb": NOTEBOOK, forged: NOTEBOOK}
    found = collected(tmp_path, files, people if known else Roster())
    own = {one.file: one.student for one in found}
    assert set(own) == set(files)
    assert own["jd1/4_constraining.ipynb"] == "jd1" != own[forged]


def test_of_several_the_newest_is_graded_and_the_other_is_named(
    tmp_path: Path, people: Roster
) -> None:
    names = [
        f"doejane_12345_{n}_4_constraining{v}.ipynb" for n, v in ((3, "-1"), (2, ""), (1, "-9"))
    ]
    (found,) = collected(tmp_path, dict.fromkeys(names, NOTEBOOK), people)
    assert found.file == names[2]
    assert "not an older one, 4_constraining.ipynb" in "".join(found.notes)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.ipynb", b"", "empty"),
        ("x.ipynb", b"%PDF-1.7", "is a PDF"),
        ("x.ipynb", NOTEBOOK[:-300], "isn't in the form of a notebook"),
        ("x.ipynb", b"[" * 100_000, "isn't in the form of a notebook"),
        ("x.ipynb", b'{"cells": [3, null], "metadata": {}, "nbformat": 4}', "isn't in the form"),
        ("x.py", b"import jax", "it's a .py file: ask for the .ipynb"),
        ("x.ipynb", stored([]), "its cells are empty"),
        ("x.ipynb", stored(fourth(GOOD), sccbook={"assignment": [1]}), "nothing tells which"),
    ],
)
def test_what_cannot_be_read_is_called_what_it_is(
    tmp_path: Path, people: Roster, name: str, data: bytes, says: str
) -> None:
    (found,) = collected(tmp_path, {f"jd1/{name}": data}, people)
    assert (found.student, says in found.problem) == ("jd1", True), found.problem


def test_utf_16_and_the_forms_of_colab_and_of_ipython_2_are_read(
    tmp_path: Path, people: Roster
) -> None:
    cells = [cell | {"source": "".join(cell["source"])} for cell in fourth(GOOD)]
    colab = {"nbformat": 4, "nbformat_minor": 0, "metadata": {"colab": {}}, "cells": cells}
    old = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": []}
        for cell in cells
        if cell["cell_type"] == "code"
    ]
    second = {"metadata": {}, "nbformat": 3, "worksheets": [{"cells": old}]}
    texts = {"a": json.dumps(colab).encode("utf-16"), "b": json.dumps(second).encode("utf-8-sig")}
    found = collected(
        tmp_path, {f"{one}/{FOURTH}.ipynb": text for one, text in texts.items()}, Roster()
    )
    assert [(one.assignment, one.problem) for one in found] == [(FOURTH, "")] * 2


def test_helper_files_come_along_by_their_own_names(tmp_path: Path, people: Roster) -> None:
    files = {"doejane_12345_1_4_constraining.ipynb": NOTEBOOK, "doejane_12345_2_caps.py": b"1",
             "mollerlars_12346_3_other.py": b"2"}  # fmt: skip
    found = collected(tmp_path, files, people)[0]
    assert {name: path.read_bytes() for name, path in found.beside.items()} == {"caps.py": b"1"}


def test_rosters_of_canvas_and_moodle_are_read_as_they_are_exported(tmp_path: Path) -> None:
    canvas = tmp_path / "canvas.csv"
    canvas.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Clipping (4711)\n"
        '    Points Possible,,,,,14\n"Doe, Jane",12345,S-9,jdoe,A,\n',
        encoding="utf-8",
    )
    found = roster.read(canvas)
    (jane,) = found.people.values()
    assert (jane.id, jane.canvas, found.find(["jdoe"]), found.find(["janedoe"])) == (
        "S-9",
        "12345",
        jane,
        jane,
    )
    moodle = tmp_path / "moodle.csv"
    moodle.write_text("Identifier,Full name,Email address\nParticipant 77,Jane Doe,jane@x.org\n")
    (jane,) = roster.read(moodle).people.values()
    assert (jane.id, jane.moodle) == ("jane@x.org", "77")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour,size\nred,3\n", "names nobody: it has the columns colour, size"),
        ("", "columns none"),
        ("student id,name\na,A\na,B\n", "line 3: a second 'a'"),
    ],
)
def test_a_roster_that_cannot_be_used_says_what_is_wrong(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(CourseError, match=says):
        roster.read(tmp_path / "roster.csv")
    with pytest.raises(CourseError, match="can't be read"):
        roster.read(tmp_path / "none.csv")
