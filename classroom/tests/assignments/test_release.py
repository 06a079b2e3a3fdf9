"""What students receive: made by nbgrader, with course.yml's points, and no line of an answer in it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from classroom.tests.assigned import COURSE, NAMES, code, earned, grader, notebook, of_grade_id
from classroom.tests.paths import ASSIGNMENTS
from sccbook.notebook_form import read, text_of
from sccbook_classroom.course import CourseError
from sccbook_classroom.release import main, released
from tests.tiers import some_now

EACH = pytest.mark.parametrize("name", NAMES)
NAME = "4_constraining"
SOURCE = f"source/{NAME}/{NAME}.ipynb"


def secrets(name: str) -> set[str]:
    """The lines of a source's solutions, hidden tests and mark schemes, but for very short ones."""
    text = "\n".join(cell.source for cell in notebook("source", name).cells)
    hidden = re.findall(r"### BEGIN [A-Z ]+\n(.*?)### END", text, re.DOTALL)
    return {line.strip() for part in hidden for line in part.splitlines() if len(line.strip()) > 12}


@pytest.mark.slow
def test_the_release_is_what_the_sources_make(capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["--check", "--course", str(ASSIGNMENTS)]), capsys.readouterr().out) == (0, "")


@EACH
def test_no_line_of_an_answer_or_a_rubric_stands_in_a_release(name: str) -> None:
    hidden = set[str]().union(*map(secrets, NAMES))
    assert len(hidden) > 10 * len(NAMES)
    book = notebook("release", name)
    assert not hidden & {line.strip() for cell in book.cells for line in cell.source.splitlines()}
    assert not re.search("SOLUTION|HIDDEN TESTS|MARK SCHEME", text_of(book))


@EACH
def test_a_release_has_what_a_student_needs(name: str) -> None:
    book, wanted = notebook("release", name), COURSE.assignments[name]
    assert [cell.id for cell in book.cells] == [cell.id for cell in notebook("source", name).cells]
    assert 'STUDENT = ""' in code(book.cells)
    for key in wanted.written:
        answer = of_grade_id(book, f"written_{key}").source
        assert answer == f"**Your answer ({key}):**\n\n_(write here)_"
    for function in wanted.functions:
        first, says, *rest = of_grade_id(book, f"answer_{function}").source.splitlines()
        assert first.startswith(f"def {function}(")
        assert says.strip().startswith('"""')
        assert rest == ["    ...  # your lines here, in place of the dots"]


@pytest.mark.slow
@pytest.mark.parametrize("name", some_now(NAMES, NAMES[0]))
def test_an_untouched_release_runs_to_its_end_and_earns_nothing(name: str) -> None:
    wanted = COURSE.assignments[name]
    assert {*earned(notebook("release", name).cells, wanted).values()} == {0}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """One assignment, with other points than those of its notebooks."""
    shutil.copy(ASSIGNMENTS / "nbgrader_config.py", tmp_path)
    for kind in ("source", "release"):
        shutil.copytree(ASSIGNMENTS / kind / NAME, tmp_path / kind / NAME)
    own = COURSE.assignments[NAME].model_dump(exclude={"name"})
    own["functions"] |= {"max_norm": 1, "wrong_axis": 2.5}
    (tmp_path / "course.yml").write_text(json.dumps({"title": "T", "assignments": {NAME: own}}))
    return tmp_path


@pytest.mark.slow
def test_points_of_the_course_that_have_changed_are_found_and_reach_every_place(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [course / kind / NAME / f"{NAME}.ipynb" for kind in ("source", "release")]
    (left := paths[1].with_name("gone.ipynb")).touch()
    assert main(["--check", "--course", str(course)]) == 1
    lines = [f"{path} is missing or out of date" for path in paths]
    assert capsys.readouterr().out.splitlines() == [*lines, f"{left} has no source: delete it"]
    left.unlink()
    assert main(["--course", str(course)]) == main(["--check", "--course", str(course)]) == 0
    for path in paths:
        book = read(path.read_text("utf-8"))
        for part in ("## 1. `max_norm` (1 point)", "`wrong_axis` (2.5) and", "**Points:** 12.5."):
            assert part in text_of(book)
        assert grader(of_grade_id(book, "wrong_axis"))["points"] == 2.5
        assert of_grade_id(book, "max_norm").source.endswith('points("max_norm", globals(), of=1)')


@pytest.mark.slow
def test_the_install_cell_is_second_where_the_course_has_an_address(course: Path) -> None:
    address = "https://example.org/scc.git"
    path = course / "course.yml"
    path.write_text(json.dumps({**json.loads(path.read_text()), "install": address}))
    assert main(["--course", str(course), "--out", str(course / "colab")]) == 0
    found = [one for one in course.rglob("*.ipynb") if address in one.read_text("utf-8")]
    assert found == [course / "colab" / NAME / f"{NAME}.ipynb"]
    source = read(found[0].read_text("utf-8")).cells[1].source
    assert f'    !git clone --quiet --depth 1 "{address}" scc\n' in source


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("course.yml", "max_norm", "max_form", f"course.yml and .*{NAME}.ipynb .* max_form, max_n"),
        ("course.yml", NAME, "4_other", "course.yml and .*/source differ: .*4_other/4_other.ipynb"),
        ("course.yml", ": 2.5", ": 0", rf"course.yml .*\s.*{NAME}.functions.wrong_axis\s.* than 0"),
        ("course.yml", "title", "titel", r"titel\s.*Extra inputs"),
        (SOURCE, '"cells"', "cells", f"{SOURCE} is not a notebook"),
        (SOURCE, "# END SOL", "# SOL", f"(?s)nbgrader refuses {NAME}.*no end sol"),
    ],
)
def test_a_course_that_does_not_fit_is_refused_with_its_place(
    course: Path, file: str, old: str, new: str, words: str
) -> None:
    (course / file).write_text((course / file).read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(CourseError, match=words):
        released(course)
