"""An exam: drawn from a seed, released without a solution, and its exercises know what is right."""

import json
from math import prod

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.exercises import trivial

from classroom.tests.paths import ASSIGNMENTS
from sccbook.checking.comparisons import in_numpy
from sccbook.checking.probes import observe
from sccbook.exercises.catalogue import EXERCISES
from sccbook_classroom import exam
from sccbook_classroom.course import Course, CourseError
from sccbook_classroom.exam import BACKWARD, FORWARD, act, draw, exercise, exercises, neighbours
from tests.tiers import some_now

pytestmark = pytest.mark.slow
SEEDS = [f"a seed for the tests, number {number}".encode() for number in range(12)]
FORMS = ("source", "release")
EACH = pytest.mark.parametrize("name", [FORWARD, BACKWARD])


def made(folder):
    (folder / "seed.txt").write_bytes(SEEDS[0] + b"\n")
    given = ["--seed-file", f"{folder}/seed.txt", "--out", f"{folder}/exam"]
    assert exam.main([*given, "--course", str(ASSIGNMENTS)]) == 0
    return folder / "exam"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("first"))


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


def run(folder, form):
    """Run a notebook's code; return its names, and what each of its examples prints."""
    text, printed = (folder / form / "exam/exam.ipynb").read_text("utf-8"), []
    names = {"print": lambda *values: printed.append(values)}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert len(printed) == 4
    return names, printed


def as_answer(name, operation):  # as a student's function
    def change(v, limit):
        return jnp.float32(in_numpy(act, operation, np.asarray(v), limit))

    def backward(x, limit):
        identity = jax.custom_vjp(lambda x: x)
        identity.defvjp(lambda x: (x, None), lambda _, v: (change(v, limit),))
        return identity(x)

    return change if name == FORWARD else backward


def test_the_same_seed_gives_the_same_bytes_and_another_one_another_exam(folder, tmp_path):
    assert files(made(tmp_path)) == files(folder)
    assert len({json.dumps(draw(seed)) for seed in SEEDS[:3]}) == 3
    assert prod(map(len, exam.SPACE.values())) > 300


def test_the_folder_is_a_private_course_without_the_seed(folder):
    assert folder.stat().st_mode & 0o777 == 0o700
    assert not any(SEEDS[0] in content for content in files(folder).values())
    assignment = Course.read(folder / "course.yml").assignments["exam"]
    assert assignment.functions == {FORWARD: 5, BACKWARD: 6}
    source = (folder / "source/exam/exam.ipynb").read_text("utf-8")
    assert all(f"`{name}` ({n:g} points)" in source for name, n in assignment.functions.items())
    assert assignment.written["twice"].rubric[0] in source


def test_its_exercises_are_read_without_the_seed_and_are_none_of_the_books(folder):
    text = (folder / exam.FILE).read_text("utf-8")
    assert list(exercises(text)) == [FORWARD, BACKWARD] == list(draw(SEEDS[0]))
    assert exercises(text)[FORWARD] is exercises(text)[FORWARD]
    assert not {FORWARD, BACKWARD} & set(EXERCISES)
    assert exercises("") == {}
    for bad in ("{", "[1]", text.replace("factor", "f"), text.replace('"number": ', '"number": -')):
        with pytest.raises(CourseError, match="isn't as it was written"):
            exercises(bad)


def test_a_source_is_right_and_a_release_is_unsolved_and_both_run_to_the_end(folder):
    exercised = exercises((folder / exam.FILE).read_text("utf-8"))
    names, printed = run(folder, "source")
    assert all(np.allclose(given, expected, atol=1e-3) for given, expected in printed)
    assert all(one.examine(names[name]).passed for name, one in exercised.items())
    names, _ = run(folder, "release")
    assert {one.examine(names[name]).name for name, one in exercised.items()} == {"unchanged"}


def test_a_release_holds_no_solution_and_no_mistake(folder):
    text = {form: (folder / form / "exam/exam.ipynb").read_text("utf-8") for form in FORMS}
    hidden = {"jnp.where", "rescaled(", "custom_gradient", "SOLUTION", "1 point:"}
    assert all(word in text["source"] and word not in text["release"] for word in hidden)
    assert not any(str(given["number"]) in text["release"] for given in draw(SEEDS[0]).values())


@EACH
@pytest.mark.parametrize("seed", some_now(SEEDS, SEEDS[0]))
def test_what_is_right_passes_and_each_neighbour_has_its_own_name(seed, name):
    named, operation, one = {}, draw(seed)[name]["operation"], exercise(name, **draw(seed)[name])
    for short, _, change in reversed([("passed", "", {}), *neighbours()]):
        named[str({**operation, **change})] = short, {**operation, **change}  # the first name
    for short, changed in named.values():
        finding = one.examine(as_answer(name, changed))
        known = {short, "unchanged"} if short == "limit_ignored" else {short}  # a floor of 1
        assert finding.name in known, changed
        assert finding.passed == (short == "passed") == (one.credit(finding) == 1)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@EACH
def test_an_answer_in_which_nothing_was_solved_earns_nothing(name):
    given, one = draw(SEEDS[0])[name], exercise(name, **draw(SEEDS[0])[name])
    runs = [case.arguments for case in one.cases]
    right = observe(one.probe, as_answer(name, given["operation"]), runs).seen
    assert trivial.earned(one, right, range(1)) == {}
    trivial.assert_a_forged_probe_is_found_out(one, right)
    trivial.assert_the_odd_is_borne(one, right)


@pytest.mark.parametrize("seed", [b"", b"short", b"0" * 64, None])
def test_a_seed_that_is_missing_or_can_be_guessed_is_refused(seed, tmp_path, capsys):
    if seed is not None:
        (tmp_path / "seed.txt").write_bytes(seed)
    with pytest.raises(SystemExit, match="2"):
        exam.main(["--seed-file", f"{tmp_path}/seed.txt", "--out", f"{tmp_path}/exam"])
    assert "secrets.token_hex(32)" in capsys.readouterr().err
    assert not (tmp_path / "exam").exists()


def test_a_folder_with_something_in_it_is_left_alone(folder, tmp_path):
    before = files(folder)
    (path := tmp_path / "seed.txt").write_bytes(SEEDS[1])
    for out in (folder, path):
        with pytest.raises(CourseError, match="Name a new folder"):
            exam.make(path, out, ASSIGNMENTS)
    assert files(folder) == before
