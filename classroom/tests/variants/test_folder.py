"""The folder that the command writes: what students get, and how it is graded."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gradlab_classroom import course as courses
from gradlab_classroom.grading.grade_one import GradingOptions, grade_one
from gradlab_classroom.grading.roster import Roster
from gradlab_classroom.grading.submissions import find
from gradlab_classroom.variants import command, private, sets
from gradlab_classroom.variants.notebook import INSTALL
from gradlab_classroom.variants.numbers import literal

from classroom.tests.drawn import SEEDS, UNROLL, drawn, solution, variant
from classroom.tests.paths import ASSIGNMENTS

NAME = command.NAME
pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("sets"), SEEDS[0])


def made(where, seed):
    (where / "seed.txt").write_bytes(seed)
    assert command.main(["--seed-file", str(where / "seed.txt"), "--out", str(where / "set")]) == 0
    return where / "set"


def cells(folder, form):
    return json.loads((folder / form / NAME / f"{NAME}.ipynb").read_text())["cells"]


def text_of(folder, form):
    return "\n".join("".join(cell["source"]) for cell in cells(folder, form))


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_seed_makes_the_same_folder_byte_by_byte(folder, tmp_path):
    again = made(tmp_path, SEEDS[0])
    assert files(again) == files(folder)
    assert set(files(again)) == {
        *(".gitignore", "README.md", "course.yml", "nbgrader_config.py", "solutions.md"),
        *("variants.json", f"source/{NAME}/{NAME}.ipynb", f"release/{NAME}/{NAME}.ipynb"),
    }
    made(tmp_path, SEEDS[0])  # and once more, over it
    assert files(again) == files(folder)


def test_the_seed_stands_in_no_file(folder):
    for name, content in files(folder).items():
        assert SEEDS[0] not in content, name


def test_the_course_and_the_notebooks_agree(folder):
    course = courses.load(folder / "course.yml")
    assignment = course.assignments[NAME]
    assert assignment.functions == dict.fromkeys(sets.FAMILIES, 5)
    assert assignment.points == 23
    for form in ("source", "release"):
        grading = [cell["metadata"]["nbgrader"] for cell in cells(folder, form)
                   if "nbgrader" in cell["metadata"]]  # fmt: skip
        graded = {entry["grade_id"]: entry["points"] for entry in grading if entry["grade"]}
        assert graded == {**assignment.functions, "written_paths": 3}
        assert all(entry["locked"] for entry in grading if entry["grade_id"] in sets.FAMILIES)
        install = [
            cell for cell in cells(folder, form) if "install" in cell["metadata"].get("tags", [])
        ]
        assert len(install) == 1


def test_a_release_leaks_nothing(folder):
    release, source = text_of(folder, "release"), text_of(folder, "source")
    assert "BEGIN" in source
    assert not re.search("BEGIN|END SOLUTION|HIDDEN|rubric|earns points:|GRADLAB|variants", release)
    hidden = re.findall(r"### BEGIN .*?\n(.*?)### END", source, re.DOTALL)
    lines = {line.strip() for region in hidden for line in region.splitlines()}
    shown = {line.strip() for line in release.splitlines()}
    assert len(lines) > 30
    assert not {line for line in lines & shown if len(line) > 2}
    for member in drawn(SEEDS[0]).variants:
        assert str(member.parameters["cases"]) not in release
        for line in member.texts.body.splitlines():
            assert line.strip() not in shown or len(line.strip()) < 3


def test_the_examples_of_a_release_are_no_inputs_of_the_tests(folder):
    for exercise in private.load(folder).values():
        assert len(exercise.cases) >= 6
    for member in drawn(SEEDS[0]).variants:
        shown = member.texts.examples
        for case in member.exercise.cases:
            given = [
                part for part in case.arguments if isinstance(part, np.ndarray) and np.any(part)
            ]
            assert all(literal(part) not in shown for part in given)


def run(folder, form, **functions):
    """Run the cells of a notebook; return what was printed beside what should be."""
    namespace, pairs = {}, []
    for cell in cells(folder, form):
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or "install" in cell["metadata"].get("tags", []):
            continue
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            continue
        exec(source, namespace)
        if cell["id"] == "imports":
            namespace["example"] = lambda call, expected: pairs.append((call, expected))
    return namespace, pairs


def test_each_example_is_what_the_solution_returns(folder):
    namespace, pairs = run(folder, "source")
    assert len(pairs) == 8
    for call, expected in pairs:
        given = namespace["rounded"](call())
        for leaf, other in zip(jax.tree.leaves(given), jax.tree.leaves(expected), strict=True):
            assert leaf == pytest.approx(other, rel=1e-3, abs=1e-3)


def test_an_unsolved_release_runs_to_its_end_and_earns_nothing(folder, capsys):
    namespace = {}
    for cell in cells(folder, "release"):
        if cell["cell_type"] == "code" and "install" not in cell["metadata"].get("tags", []):
            exec("".join(cell["source"]), namespace)
    assert capsys.readouterr().out.count("should be:") == 8
    for exercise in private.load(folder).values():
        assert exercise.credit(exercise.examine(namespace[exercise.name])) == 0


def factor_of(one, chosen, steps):
    """Return what the first state receives of one loss, where each step is the identity."""
    heard = iter(range(steps))

    def loss(theta, h):
        return h * (next(heard) == chosen)

    def reported(h):
        return solution(one)(lambda theta, h: h, loss, None, h, steps, 0.5)

    return jax.grad(reported)(jnp.float32(1.0))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_factors_of_the_written_question_are_those_that_jax_finds(seed):
    steps, rubric = drawn(seed).steps, command.question(drawn(seed)).rubric[0]
    found = [factor_of(variant(seed, UNROLL), chosen, steps) for chosen in range(steps)]
    stated = [float(Fraction(part)) for part in rubric.split(": ")[-1].rstrip(".").split(", ")]
    np.testing.assert_allclose(stated, found, rtol=1e-4)


def test_a_folder_with_something_else_in_it_is_left_alone(folder, tmp_path, capsys):
    seed, out = tmp_path / "seed.txt", tmp_path / "out"
    seed.write_bytes(SEEDS[1])
    given = ["--seed-file", str(seed), "--out"]
    assert command.main([*given, str(seed)]) == 2
    assert "is a file" in capsys.readouterr().err
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    assert command.main([*given, str(out)]) == 2
    assert "not empty" in capsys.readouterr().err
    before = files(folder)
    assert command.main([*given, str(folder)]) == 2
    assert "the set of another seed" in capsys.readouterr().err
    assert files(folder) == before


def test_what_is_installed_is_what_the_public_assignments_install():
    public = json.loads(
        (ASSIGNMENTS / "source/3_clipping/3_clipping.ipynb").read_text(encoding="utf-8")
    )["cells"]
    (cell,) = (cell for cell in public if "install" in cell["metadata"].get("tags", []))
    assert "".join(cell["source"]).strip() == INSTALL.strip()


def test_the_grader_gives_a_solved_notebook_all_points_in_its_sandbox(folder, tmp_path):
    course = courses.load(folder / "course.yml")
    path = tmp_path / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes((folder / "source" / NAME / f"{NAME}.ipynb").read_bytes())
    options = GradingOptions(
        private=folder, hidden=(folder.resolve(), (tmp_path / "submitted").resolve())
    )
    (submission,) = find(tmp_path / "submitted", course, Roster())
    found = grade_one(submission, course.assignments[NAME], options)
    assert found.status == "graded"
    assert {mark.name: mark.points for mark in found.marks} == dict.fromkeys(sets.FAMILIES, 5)


def test_plain_nbgrader_gives_a_solved_notebook_all_points(folder, tmp_path):
    own = tmp_path / "private"
    shutil.copytree(folder, own)
    path = own / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes((folder / "source" / NAME / f"{NAME}.ipynb").read_bytes())
    environment = {key: value for key, value in os.environ.items() if key != private.PRIVATE}
    for order in (["generate_assignment", NAME, "--force"], ["autograde", NAME]):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *order], cwd=own, env=environment,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{own / 'gradebook.db'}") as gradebook:
        notebook = gradebook.find_submission(NAME, "ada").notebooks[0]
        scores = {grade.name: grade.auto_score for grade in notebook.grades}
    assert {name: scores[name] for name in sets.FAMILIES} == dict.fromkeys(sets.FAMILIES, 5)
