"""The notebooks that students receive: made by nbgrader from the sources, with no answer left in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from gradlab_classroom.release import ReleaseError, main, released, source_form
from nbformat import NotebookNode

from classroom.tests.assigned import (
    COURSE,
    NAMES,
    code,
    earned,
    grader,
    notebook,
    of_grade_id,
    require_nbgraders_form,
    run,
    words,
)
from classroom.tests.paths import ASSIGNMENTS, COURSE_FILE
from classroom.tests.tiers import first_of
from gradlab.exercises.checking.check import points
from gradlab.notebook_form import read, text_of

EACH = pytest.mark.parametrize("name", NAMES)
FIRST = pytest.mark.parametrize("name", first_of(NAMES))
REGIONS = ("SOLUTION", "HIDDEN TESTS", "MARK SCHEME")
TRIVIAL = 12
"""Letters: a line that is no longer gives nothing away."""


def secrets(book: NotebookNode) -> Iterator[str]:
    """The lines of a source's solutions, hidden tests and mark schemes."""
    for cell in book.cells:
        inside = False
        for line in map(str.strip, cell.source.splitlines()):
            if any(f"BEGIN {region}" in line for region in REGIONS):
                inside = True
            elif any(f"END {region}" in line for region in REGIONS):
                inside = False
            elif inside and len(line) > TRIVIAL:
                yield line


def leaks(books: Sequence[NotebookNode]) -> list[str]:
    """The lines of notebooks that stand in a solution, and no student should see."""
    lines = {
        line.strip() for book in books for cell in book.cells for line in cell.source.splitlines()
    }
    return [line for name in NAMES for line in secrets(notebook("source", name)) if line in lines]


@pytest.mark.slow
def test_the_release_is_what_the_sources_make(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--check", "--course", str(COURSE_FILE)])
    assert (status, capsys.readouterr().out) == (0, "")


def test_no_line_of_an_answer_stands_in_a_release() -> None:
    assert leaks([notebook("release", name) for name in NAMES]) == []


@EACH
def test_the_search_for_leaks_finds_every_answer_in_a_source(name: str) -> None:
    book = notebook("source", name)
    found = leaks([book])
    assert set(secrets(book)) <= set(found)
    assert len(found) > 10


@EACH
def test_no_rubric_and_no_region_stands_in_a_release(name: str) -> None:
    text = words(text_of(notebook("release", name)).replace("\\n", " "))
    for wanted in COURSE.assignments[name].written.values():
        for line in wanted.rubric:
            assert words(line) not in text
    for region in REGIONS:
        assert region not in text


@pytest.mark.slow
@EACH
def test_a_release_has_what_a_student_needs(name: str) -> None:
    book, wanted = notebook("release", name), COURSE.assignments[name]
    require_nbgraders_form(book)
    tags = [tag for cell in book.cells for tag in cell.metadata.get("tags", [])]
    assert tags == ["install"]
    assert book.metadata.gradlab.assignment == name
    assert [cell.id for cell in book.cells] == [cell.id for cell in notebook("source", name).cells]
    assert [text for text in code(book.cells) if text.startswith("prediction = ")]
    assert 'STUDENT = ""' in code(book.cells)
    for key in wanted.written:
        cell = of_grade_id(book, f"written_{key}")
        assert cell.source == f"**Your answer ({key}):**\n\n_(write here)_"
    for function in wanted.functions:
        answer = of_grade_id(book, f"answer_{function}").source.splitlines()
        assert answer[0].startswith(f"def {function}(")
        assert answer[1].strip().startswith('"""')
        assert answer[2:] == ["    ...  # your lines here, in place of the dots"]


@pytest.mark.slow
@FIRST
def test_an_untouched_release_runs_to_its_end_and_earns_nothing(name: str) -> None:
    wanted = COURSE.assignments[name]
    found = earned(notebook("release", name).cells, wanted)
    assert found == dict.fromkeys(wanted.functions, 0)


@pytest.mark.slow
@FIRST
def test_a_function_is_found_wherever_it_stands(name: str) -> None:
    wanted = COURSE.assignments[name]
    cells = notebook("source", name).cells
    kept = [cell for cell in cells if cell.id in ("id", "imports") or cell.id.endswith("-given")]
    answers = [cell for cell in cells if grader(cell).get("grade_id", "").startswith("answer_")]
    merged = "\n\n".join(code(list(reversed(answers))))  # one cell, in another order
    namespace, _ = run([*code(kept), "1 + 1", merged])
    found = {
        function: points(function, namespace, of=of) for function, of in wanted.functions.items()
    }
    assert found == dict(wanted.functions)


# ---------------------------------------------------------------------- the command


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course with two of its assignments, and their releases."""
    for file in ("course.yml", "nbgrader_config.py"):
        shutil.copy(ASSIGNMENTS / file, tmp_path)
    for kind in ("source", "release"):
        for name in NAMES[:2]:
            shutil.copytree(ASSIGNMENTS / kind / name, tmp_path / kind / name)
    return tmp_path / "course.yml"


@pytest.mark.slow
def test_the_check_names_what_is_stale_missing_and_left_over(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = course.parent / "release"
    stale, missing = (release / name / f"{name}.ipynb" for name in NAMES[:2])
    stale.write_text(stale.read_text().replace("Who you are", "Who are you"))
    missing.unlink()
    left = release / "9_gone" / "9_gone.ipynb"
    left.parent.mkdir()
    left.write_text("{}")
    assert main(["--check", "--course", str(course)]) == 1
    out = capsys.readouterr().out
    assert f"{stale} is out of date" in out
    assert f"{missing} is missing" in out
    assert f"{left} has no source" in out
    assert "make assignments" in out


@pytest.mark.slow
def test_the_command_mends_what_the_check_finds_and_leaves_no_gradebook(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = course.parent / "release"
    shutil.rmtree(release / NAMES[0])
    (release / "9_gone").mkdir()
    (release / "9_gone" / "9_gone.ipynb").write_text("{}")
    assert main(["--course", str(course)]) == 0
    assert "2 files, 2 of them made anew or removed" in capsys.readouterr().out
    assert main(["--check", "--course", str(course)]) == 0
    for name in NAMES[:2]:
        path = f"{name}/{name}.ipynb"
        assert (release / path).read_bytes() == (ASSIGNMENTS / "release" / path).read_bytes()
    assert not (release / "9_gone").exists()
    assert {path.name for path in course.parent.iterdir()} == {
        "course.yml",
        "nbgrader_config.py",
        "release",
        "source",
    }


@pytest.mark.slow
def test_a_source_that_an_editor_has_saved_is_brought_back_into_its_form(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = course.parent / "source" / NAMES[0] / f"{NAMES[0]}.ipynb"
    stored = path.read_text(encoding="utf-8")
    saved = json.loads(stored)
    saved["metadata"]["language_info"]["version"] = "3.12.1"
    said = {"output_type": "stream", "name": "stdout", "text": ["here"]}
    saved["cells"][1] |= {"execution_count": 7, "outputs": [said]}
    saved["cells"][1]["metadata"]["collapsed"] = True
    path.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["--check", "--course", str(course)]) == 1
    assert f"{path} is not as it should be stored" in capsys.readouterr().out
    assert main(["--course", str(course)]) == 0
    assert path.read_text(encoding="utf-8") == stored


def test_a_cell_without_an_id_gets_one_that_stays() -> None:
    book = notebook("source", NAMES[0])
    book.nbformat_minor = 4  # in which cells have none
    for cell in book.cells:
        del cell["id"]
    form = source_form(json.dumps(book))
    assert len({cell.id for cell in read(form).cells}) == len(book.cells)
    assert form == source_form(json.dumps(book)) == source_form(form)


@pytest.mark.slow
def test_the_course_says_what_notebooks_install(course: Path) -> None:
    address = "git+https://example.org/gradlab.git"
    course.write_text(course.read_text().replace('install: ""', f"install: {address}"))
    assert main(["--course", str(course)]) == 0
    for name in NAMES[:2]:
        text = (course.parent / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8")
        (cell,) = [cell for cell in read(text).cells if "install" in cell.metadata.get("tags", [])]
        assert f"INSTALL = '{address}'  # what your course installs" in cell.source


@pytest.mark.slow
def test_what_nbgrader_refuses_is_named_with_its_reason(course: Path) -> None:
    path = course.parent / "source" / NAMES[0] / f"{NAMES[0]}.ipynb"
    text = path.read_text(encoding="utf-8").replace("### END SOLUTION", "# the end", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        ReleaseError, match=rf"(?s)nbgrader refuses {NAMES[0]}:.*[Nn]o end solution"
    ):
        released(path.parents[1], course.parent / "nbgrader_config.py")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a course that is missing", "no sources", "no notebook"])
def test_a_course_that_cannot_be_used_is_refused_in_words(
    what: str, course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if what == "a course that is missing":
        course = course.parent / "cours.yml"
    elif what == "no sources":
        shutil.rmtree(course.parent / "source")
    else:
        (course.parent / "source" / NAMES[0] / f"{NAMES[0]}.ipynb").write_text("no JSON")
    assert main(["--course", str(course)]) == 1
    assert "error: " in capsys.readouterr().err
