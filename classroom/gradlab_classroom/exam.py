"""``exam``: a course of one assignment, whose functions are drawn from a seed that you keep secret."""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import yaml

from gradlab.exercises.checking.findings import Exercise
from gradlab.notebook_form import text_of
from gradlab_classroom import exam_operations as operations
from gradlab_classroom.course import ASSIGNMENTS, Course, CourseError
from gradlab_classroom.release import released, sources, write

FILE = "exam.json"
ADVICE = 'Make one: python -c "import secrets; print(secrets.token_hex(32))" > seed.txt'
POINTS = {operations.FORWARD: 5, operations.BACKWARD: 6}
BEGIN = """%% markdown title
# Exam

**Time:** 60 minutes. **Points:** 1. The functions are tried on inputs that you don't see, and some
mistakes leave a part of the points. Each example shows what comes out, and what should.
%% code imports
import jax
import jax.numpy as jnp


def example(call, expected):
    try:
        print("comes out:", call().round(3).tolist())
    except Exception as error:
        print(f"comes out: {error!r}")
    print("should be:", expected)


def backward(x, v, limit):
    return jax.vjp(lambda x: rescale_backward(x, limit), x)[1](v)[0]


def points(name, namespace, *, of):
    print(f"{name}: at most {of} points, when this has been handed in")
"""
FUNCTION = '''%% markdown {name}-task
## `{name}` (1 point)

`{name}({argument}, limit)`: {what} Arrays have three axes. A **part** of $v$ is all that
differs in the index on {along} alone; the first axis is axis 0. With $m$ for the {base} of a part's
entries, and $n$ for the {norm} of what they have above it, $v - m$, each becomes $m + f\\,(v - m)$,
where $f$ is `{rule}`. A part with $n = 0$ stays as it is. `limit` is above 0. (A size is an absolute
value, and the length is Euclidean.)
%% code {name}-answer answer_{name} solution
def {name}({argument}, limit):
    """{what}"""
    ### BEGIN SOLUTION
    def rescaled(v):
        m = {m}
        n = {n}
        return m + (v - m) * jnp.where(n == 0, 1.0, {f})

    return {returned}
    ### END SOLUTION
%% code {name}-examples
{examples}
%% code {name}-points {name} grade
# This cell is graded. Leave it as it is.
points("{name}", globals(), of=1)
'''
ASKED = {
    operations.FORWARD: {
        "argument": "v",
        "what": "Return the array v, each part of it rescaled.",
        "returned": "rescaled(v)",
    },
    operations.BACKWARD: {
        "argument": "x",
        "what": "Return x as it is, and rescale each part of v, the array that comes back.",
        "returned": "jax.custom_gradient(lambda x: (x, rescaled))(x)",
    },
}
END = """%% markdown twice-task
## In words (1 point)

{question}
%% markdown twice-written written_twice grade solution
**Your answer (twice):**

### BEGIN SOLUTION
{answer}
### END SOLUTION
"""
QUESTION = (
    "Your rescale_backward stands at a tensor twice, with one limit c. A part that comes back has "
    "n = 4c. What is n after the first, and after the second? When is once as good as twice, in "
    "general and here? What in a training log shows the two, and what doesn't?"
)


class ExamError(CourseError):
    """An exam that can't be made or read: why, and what to do."""


@lru_cache(maxsize=8)
def exercises(drawn: str) -> dict[str, Exercise]:
    """Return an exam's exercises from the text of its ``exam.json``; none for "".

    Raises ``ExamError`` if that isn't as it was written.
    """
    try:
        found = json.loads(drawn or "{}")
        return {name: operations.exercise(name, **found[name]) for name in found}
    except (ValueError, KeyError, TypeError) as error:
        raise ExamError(f"{FILE} isn't as it was written ({error!r}). Draw it again.") from error


def draw(seed: bytes) -> str:
    """Draw an exam from a seed: the text of its ``exam.json``, in which the seed isn't."""
    random = np.random.default_rng(int.from_bytes(hashlib.sha256(seed).digest(), "big"))
    found: dict[str, Any] = {}
    for name in POINTS:
        while name not in found:
            places = {key: int(random.integers(len(of))) for key, of in operations.SPACE.items()}
            operation = {key: operations.SPACE[key][place] for key, place in places.items()}
            number = int(random.integers(2**31))
            with suppress(ValueError):  # inputs that don't tell enough
                operations.exercise(name, operation, number)
                found[name] = {"operation": operation, "number": number}
    return json.dumps(found, indent=1) + "\n"


def _seed(path: Path) -> bytes:
    seed = path.read_bytes().strip() if path.is_file() else b""
    if len(seed) < 16 or len(set(seed)) < 8:
        what = (
            "can be guessed: it's too short, or repeats itself" if seed else "is empty or missing"
        )
        raise ExamError(f"The seed in {path} {what}. {ADVICE}")
    return seed


def _rubric(operation: operations.Operation) -> list[str]:
    once = 4 * float(operations.factor(operation, 4.0, 1.0))
    twice = once * float(operations.factor(operation, once, 1.0))
    here = "so it is here" if np.isclose(once, twice) else "it isn't here"
    return [
        f"1 point: {once:.3g} c after the first, and {twice:.3g} c after the second.",
        f"1 point: once is as good as twice where what comes out isn't changed again; {here}.",
        "1 point: norms of gradients and weights do, the loss doesn't: forward they do nothing.",
    ]


def _notebook(drawn: str, rubric: Sequence[str]) -> str:
    """A source, of cells that each begin with %%, a kind, an id, a name for nbgrader and flags."""
    text = BEGIN
    for name, given in json.loads(drawn).items():
        operation, examples = given["operation"], []
        for case in operations.cases(name, **given)[:2]:
            *arrays, limit = case.arguments
            shown = ", ".join(f"jnp.array({array.tolist()})" for array in arrays)
            right = operations.act(operation, arrays[-1], limit).round(3).tolist()
            call = name if len(arrays) == 1 else "backward"
            examples.append(f"example(lambda: {call}({shown}, {limit}), {right})")
        m, n, f = operations.formulas(operation)
        text += FUNCTION.format(
            **ASKED[name],
            name=name,
            base=operation["base"],
            norm=operation["norm"].replace("_", " "),
            along=" and ".join(f"axis {axis}" for axis in operation["axes"]),
            rule=f.replace("np.", ""),
            **{
                key: formula.replace("np.", "jnp.")
                for key, formula in zip("mnf", (m, n, f), strict=True)
            },
            examples="\n".join(examples),
        )
    text += END.format(question=QUESTION, answer="\n".join(f"- {line}" for line in rubric))
    book = nbformat.v4.new_notebook(metadata={"gradlab": {"assignment": "exam"}})
    for block in text.split("%% ")[1:]:
        head, _, source = block.partition("\n")
        kind, key, *names = head.split()
        make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        book.cells.append(make(source.strip(), id=key))
        if names:
            about = {"grade_id": names[0], "schema_version": 3, "task": False, "points": 1}
            flags = {"grade": "grade" in names, "solution": "solution" in names}
            book.cells[-1].metadata.nbgrader = {**about, **flags, "locked": not flags["solution"]}
    return text_of(book)


def make(seed: Path, out: Path, course: Path) -> None:
    """Make a folder with an exam.

    Args:
      seed: the file with the seed.
      out: the folder, which is new or empty.
      course: a folder, whose address of ``gradlab`` and settings for nbgrader the exam gets.

    Raises ``CourseError`` if the seed can be guessed, or a folder isn't as it should be.
    """
    drawn, own = draw(_seed(seed)), Course.read(course / "course.yml")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ExamError(f"{out} is a file, or has something in it. Name a new folder.")
    rubric = _rubric(json.loads(drawn)[operations.BACKWARD]["operation"])
    written = {"twice": {"points": 3, "question": QUESTION, "rubric": rubric}}
    exam = {"title": "Exam", "minutes": 60, "functions": POINTS, "written": written}
    whole = {"title": "Exam", "install": own.install, "repository": own.repository}
    files = {
        FILE: drawn,
        "course.yml": yaml.safe_dump({**whole, "assignments": {"exam": exam}}, sort_keys=False),
        "nbgrader_config.py": (course / "nbgrader_config.py").read_text("utf-8"),
        "source/exam/exam.ipynb": _notebook(drawn, rubric),
    }
    out.mkdir(mode=0o700, parents=True, exist_ok=True)
    out.chmod(0o700)
    write({name: text.encode() for name, text in files.items()}, out)
    write(sources(out), out / "source")
    write(released(out), out / "release")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make an exam; return 2 where that can't be."""
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom exam", description=__doc__, epilog=ADVICE
    )
    parser.add_argument("--seed-file", type=Path, required=True, help="16 random bytes or more")
    parser.add_argument("--out", type=Path, required=True, help="a new folder; keep it private")
    parser.add_argument("--course", type=Path, default=ASSIGNMENTS, help="default: %(default)s")
    given = parser.parse_args(arguments)
    try:
        make(given.seed_file, given.out, given.course)
    except (CourseError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(
        f"Hand out {given.out}/release/exam/exam.ipynb and nothing else. Then:\n"
        f"    python -m gradlab_classroom grade SUBMITTED --course {given.out} --out GRADED\n"
    )
    return 0
