"""``variants``: a folder with a private set, to hand out and to grade."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import yaml

from gradlab.exercises.checking.findings import Exercise
from gradlab_classroom.course import Assignment, Written, load
from gradlab_classroom.private_dir import make_private_dir
from gradlab_classroom.release import ReleaseError, released, write
from gradlab_classroom.variants import placements, seeds, sets
from gradlab_classroom.variants.family import CASES
from gradlab_classroom.variants.notebook import notebook

NAME, QUESTION = "graded_variant", "paths"
POINTS = 5


class CannotMake(ValueError):
    """A set that cannot be written here, with the reason and what to do."""


SETTINGS = '''\
"""nbgrader's settings for this set. Run nbgrader in this folder; it is private."""

import os
from pathlib import Path

c = get_config()  # noqa: F821

# Kernels inherit it: the test cells read the exercises from this folder.
os.environ["GRADLAB_PRIVATE"] = str(Path(__file__).resolve().parent)
# The same numbers on every machine, and no complaint on stderr about a GPU.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

c.ClearSolutions.code_stub = {"python": "...  # your lines here, in place of the dots"}
c.ClearSolutions.text_stub = "_(write here)_"

# A test cell that writes anything to stderr gets 0 points, and a right answer may. The points come from
# the cell's value alone.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"(?s)."
# In seconds, for each cell: JAX is imported in one.
c.Execute.timeout = 120
c.OverwriteCells.add_missing_cells = True
'''

README = """\
# A private set

Seed's fingerprint: `{fingerprint}`. Made by `python -m gradlab_classroom variants`. The seed is not here, and is not
needed to grade. **Keep this folder private**: `source/`, `solutions.md` and `variants.json` give the solutions away. Only
`release/` is for students. (A `.gitignore` keeps the folder out of a repository that it may lie in.)

- Hand out `release/{name}/{name}.ipynb`, {points:g} points. It has the tasks, each with two public examples, and no tests.
- Grade what comes back, in a sandbox; `DIR` is this folder:

  ```
  python -m gradlab_classroom grade SUBMITTED --out OUT --course DIR/course.yml --private DIR
  ```

- Or with nbgrader, in this folder: `nbgrader generate_assignment {name} --force`, then `nbgrader autograde {name}`. Its
  kernel can read this folder while a student's code runs in it, and a student who thinks of that can read the
  solutions. The command above keeps them apart.
- The answer in words, `{question}`, is marked by hand; its rubric stands in `course.yml`, and an answer in `solutions.md`.

The families that the operations are drawn from are public, with a way to write each; which ones were drawn is not.
Two groups of students get different sets from two seeds. Who has seen a set can tell others: draw a new one each year.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a set.

    Returns:
      0, or 2 where nothing could be made.
    """
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom variants",
        description="Makes a private set of graded exercises from a seed that only you hold.",
        epilog=seeds.ADVICE,
    )
    parser.add_argument("--seed-file", type=Path, required=True, help="a file with a secret in it")
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder for the set; keep it private"
    )
    parser.add_argument(
        "--install", default="", help="what notebooks install where gradlab is missing"
    )
    given = parser.parse_args(arguments)
    try:
        make(given.seed_file, given.out, given.install)
    except (seeds.SeedError, sets.NoSet, CannotMake, ReleaseError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(
        f"A set is in {given.out}. Its README says how to hand it out, and to grade.\n"
    )
    return 0


def make(seed_file: Path, out: Path, install: str = "") -> None:
    """Write a set into a folder.

    Args:
      seed_file: the seed.
      out: an empty folder, one that is not there, or one that holds the set of the same seed.
      install: what the notebooks install where gradlab is missing.

    Raises:
      SeedError: if the seed can be guessed, or is missing.
      CannotMake: if something else is in the folder.
    """
    drawn = sets.draw(seeds.read(seed_file))
    _require_free(out, drawn.fingerprint)
    make_private_dir(out)
    _write(out / ".gitignore", "*\n")
    _write(out / sets.FILE, drawn.text())
    _write(out / "nbgrader_config.py", SETTINGS)
    _write(out / "course.yml", _course_text(drawn, install))
    assignment = load(out / "course.yml").assignments[NAME]
    answers = {QUESTION: _answer(drawn)}
    _write(
        out / "source" / NAME / f"{NAME}.ipynb", notebook(assignment, list(drawn.variants), answers)
    )
    _write(out / "solutions.md", _solutions(drawn, assignment))
    _write(
        out / "README.md",
        README.format(
            fingerprint=drawn.fingerprint, name=NAME, points=assignment.points,
            question=QUESTION,
        ),
    )  # fmt: skip
    write(released(out / "source", out / "nbgrader_config.py", install), out / "release")


def _require_free(out: Path, fingerprint: str) -> None:
    if out.exists() and not out.is_dir():
        raise CannotMake(f"{out} is a file. Name a folder.")
    if not out.is_dir() or not any(out.iterdir()):
        return
    if not (out / sets.FILE).is_file():
        raise CannotMake(
            f"{out} is not empty. Name a folder that is, or one that is not there yet."
        )
    if (other := sets.read(out).fingerprint) != fingerprint:
        raise CannotMake(
            f"{out} holds the set of another seed (fingerprint {other}, and this one has {fingerprint}), "
            "with which submissions may still be graded. Name another folder."
        )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def question(drawn: sets.Set) -> Written:
    """Return the question in words, whose numbers are those of the operation that was drawn."""
    factors = _factors(drawn)
    return Written(
        points=3,
        question=f"Your unroll_with_gates is run with steps = {drawn.steps} and scale = 1/2. By which factor is the "
        "gradient of each single loss multiplied on its way to the first state, by the lines that it passes? "
        "Give a number for each loss, and the rule that you found them by. What does the training log show "
        "of the two lines?",
        rubric=[
            f"1 point: the factors are, for losses 1 to {drawn.steps}: {factors}.",
            "1 point: each is the product of the factors of the lines on the way from the loss to the first state, "
            "and of no others.",
            "1 point: the log shows nothing of them: forward, each line is the identity, at every scale.",
        ],
    )


def _factors(drawn: sets.Set) -> str:
    (unroll,) = (variant for variant in drawn.variants if variant.family == placements.FAMILY.name)
    found = placements.paths(
        {key: value for key, value in unroll.parameters.items() if key != CASES}, drawn.steps, 0.5
    )
    return ", ".join(str(Fraction(factor).limit_denominator(10**6)) for factor in found)


def _answer(drawn: sets.Set) -> str:
    return (
        f"For losses 1 to {drawn.steps} the factors are {_factors(drawn)}. A loss reaches the first state on one path, "
        "back through its head's state and then through every state before it. Each line that stands on this path "
        "multiplies by its factor; the product is what arrives. The log shows the plain sum of the losses: forward, each "
        "line returns the state as it is."
    )


def _course_text(drawn: sets.Set, install: str) -> str:
    asked = question(drawn)
    found = {
        "title": "Scale, Clip, Constrain: a private set",
        "install": install,
        "assignments": {
            NAME: {
                "title": "Four operations",
                "minutes": 60,
                "chapters": ["01", "03", "08", "10"],
                "functions": {variant.name: POINTS for variant in drawn.variants},
                "written": {
                    QUESTION: {
                        "points": asked.points,
                        "question": asked.question,
                        "rubric": list(asked.rubric),
                    }
                },
            }
        },
    }
    text: str = yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)
    return text


def _solutions(drawn: sets.Set, assignment: Assignment) -> str:
    parts = [
        f"# Solutions\n\nOf the set with the fingerprint `{drawn.fingerprint}`. Keep them private.\n"
    ]
    for variant in drawn.variants:
        names = "\n".join(f"- {name}" for name in dict.fromkeys(_named(variant.exercise)))
        parts.append(
            f"## `{variant.name}`\n\n{variant.texts.task}\n\n```python\n{variant.cell()}\n```\n\n"
            f"Mistakes that leave a part of the points:\n\n{names}\n"
        )
    for name, written in assignment.written.items():
        parts.append(f"## In words: `{name}`\n\n{written.question}\n\n{_answer(drawn)}\n")
    return "\n".join(parts)


def _named(exercise: Exercise) -> list[str]:
    return [f"{name}: {part:g}" for name, part in exercise.partial.items()]
