"""``exam``: a course of one assignment, whose functions are drawn from a secret seed."""

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sccbook.checking.comparisons import Comparison, Misconception, close, in_numpy
from sccbook.checking.findings import Case, Exercise
from sccbook.checking.probes import BACK, TRACED, VALUE
from sccbook.notebook_form import nbformat, text_of
from sccbook_classroom.course import ASSIGNMENTS, Course, CourseError
from sccbook_classroom.release import released, sources, write

Operation = Mapping[str, Any]  # one value for each key of SPACE
FILE = "exam.json"
ADVICE = 'Make one: python -c "import secrets; print(secrets.token_hex(32))" > seed.txt'
FORWARD, BACKWARD = "rescale_parts", "rescale_backward"
# Of each: its points, argument, what it does, a solution, and how an example calls it.
ASKED = {
    FORWARD: (5, "v", "Return the array v, each part of it rescaled.", "rescaled(v)",
        "rescale_parts(v, {})"),
    BACKWARD: (6, "x", "Return x, and rescale each part of the array v that comes back.",
        "jax.custom_gradient(lambda x: (x, rescaled))(x)",
        "jax.vjp(lambda x: rescale_backward(x, {}), v)[1](v)[0]"),
}  # fmt: skip
# Never drawn are the last base, which the book has, the last norm, and the last three factors.
BASES = {"mean": "np.mean(v{})", "median": "np.median(v{})", "smallest": "np.min(v{})", "zero": "0"}
NORMS = {
    "length": "np.sqrt(np.sum((v - m) ** 2{}))",
    "sum_of_sizes": "np.sum(np.abs(v - m){})",
    "largest_size": "np.max(np.abs(v - m){})",
    "sum_of_squares": "np.sum((v - m) ** 2{})",
}
FACTORS = {
    "cap": "np.minimum(1, limit / n)", "floor": "np.maximum(1, limit / n)",
    "root": "np.minimum(1, np.sqrt(limit / n))", "square": "np.minimum(1, (limit / n) ** 2)",
    "half": "np.minimum(1, (n + limit) / (2 * n))", "soft": "limit / (limit + n)",
    "unchanged": "np.ones_like(n)", "always_scaled": "limit / n", "removed": "1.0 * (n <= limit)",
}  # fmt: skip
AXES = [[0], [1], [2], [0, 1], [0, 2], [1, 2]]
SPACE: Any = {"base": [*BASES][:3], "norm": [*NORMS][:3], "factor": [*FACTORS][:6], "axes": AXES}
PARTIAL = {"zero_part": 0.75, "base_lost": 0.75, "other_axes": 0.5} | dict.fromkeys(NORMS, 0.5)


def steps(operation: Operation) -> str:
    """Return an operation as NumPy: each part of v has a base m, a norm n, and a factor f."""
    over = f", axis={operation['axes'] and tuple(operation['axes'])}, keepdims=True"
    return f"""m = {BASES[operation["base"]].format(over)}
n = {NORMS[operation["norm"]].format(over)}
f = np.where(n == 0, {operation.get("zero", 1.0)}, {FACTORS[operation["factor"]]})
v = {operation.get("kept", "m")} + f * (v - m)"""


def act(operation: Operation, v: Any, limit: float, what: str = "v") -> Any:
    """Return what an operation makes of an array v, or the m, n or f of it."""
    names = {"np": np, "v": np.asarray(v, float), "limit": operation.get("limit", limit)}
    exec(steps(operation), names)
    return names[what]


def cases(name: str, operation: Operation, number: int) -> Iterator[Case]:
    """Draw two public examples, then the inputs of the tests. In the last one, all is zero."""
    random = np.random.default_rng(number)
    # the size of each, and the limit as a multiple of a quantile of the parts' norms
    inputs = ((2, 0.5, 1), (2, 0.5, 1), (4, 0.5, 1), (5, 0.3, 1), (3, 0.7, 1), (4, 1, 20))
    for size, quantile, times in (*inputs, (4, 0, 0.1), (3, 0, 0)):
        shape = (3, size, 3)
        signs, sizes = random.integers(2, size=(2, *shape)), random.integers(1, 13, (2, *shape))
        parts = [1 if axis in operation["axes"] else n for axis, n in enumerate(shape)]
        x, v = (2 * signs - 1) * sizes / 4 * (times > 0) * 2.0 ** random.integers(-1, 3, parts)
        norms = in_numpy(act, operation, v, 1.0, "n")
        limit = round(float(np.quantile(norms, quantile)) * times, 2) or 1.5
        arrays = [np.float32(x), np.float32(v)][name == FORWARD :]
        yield Case((*arrays, limit), f"for an array of shape {shape} and limit = {limit:g}")


def neighbours() -> Iterator[tuple[str, str, Operation]]:
    """Yield what others may take an operation for: its name, a message, and what differs."""
    clip = {"base": "zero", "norm": "length", "factor": "cap"}
    yield "unchanged", "all is left as it is.", {"factor": "unchanged"}
    yield "clip_by_global_norm", "all is clipped by one length.", {**clip, "axes": None}
    yield "max_norm", "each part is clipped by its own length.", clip
    yield "clip_by_value", "each entry is clipped by itself.", {**clip, "axes": ()}
    yield "limit_ignored", "the limit is taken to be 1, whatever it is.", {"limit": 1.0}
    yield "zero_part", "zeros become NaN. Else it is right.", {"zero": "np.nan"}
    yield "base_lost", "the base is subtracted, and not added again.", {"kept": "0"}
    yield "whole", "everything is taken for one part.", {"axes": None}
    yield from (("other_axes", "the parts lie along other axes.", {"axes": axes}) for axes in AXES)
    for key, names in (("factor", FACTORS), ("norm", NORMS), ("base", BASES)):
        yield from ((name, f"another {key} is taken: {name}.", {key: name}) for name in names)


def _back(operation: Operation, x: Any, v: Any, limit: float) -> dict[str, Any]:
    return {VALUE: x, TRACED: x, BACK: act(operation, v, limit)}  # as the probe sees it


def exercise(name: str, operation: Operation, number: int) -> Exercise:
    """Return an exercise; raise ``ValueError`` if the number draws inputs that tell too little."""
    function, probe = (act, "returned_of_jax") if name == FORWARD else (_back, "at_tensor")
    runs, right, wrong = [*cases(name, operation, number)][2:], partial(function, operation), []
    done = [[in_numpy(right, *case.arguments) for case in runs]]
    for short, message, change in neighbours():
        mistaken = partial(function, {**operation, **change})
        does = [in_numpy(mistaken, *case.arguments) for case in runs]
        if any(close(does, other, 1e-6) for other in done):
            continue  # one function, by another name
        if any(close(does, other, 2e-3) for other in done):
            raise ValueError(f"these inputs hardly tell {short} from its neighbours")
        done.append(does)
        wrong.append(Misconception(short, message, mistaken))
    judge = Comparison(cases=runs, right=right, misconceptions=wrong, probe=probe,
                       passed="it does what is asked for.", reference_probe=in_numpy)  # fmt: skip
    return judge.exercise(name, {m.name: PARTIAL[m.name] for m in wrong if m.name in PARTIAL})


@lru_cache(maxsize=8)
def exercises(drawn: str) -> dict[str, Exercise]:
    """Return the exercises of an exam from the text of its ``exam.json``; none for ""."""
    try:
        return {name: exercise(name, **given) for name, given in json.loads(drawn or "{}").items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{FILE} isn't as it was written: {error!r}. Draw it again.") from error


def draw(seed: bytes) -> dict[str, Any]:
    """Draw an exam from a seed: what is kept in its ``exam.json``, in which the seed isn't."""
    random = np.random.default_rng(int.from_bytes(hashlib.sha256(seed).digest(), "big"))
    found: dict[str, Any] = {}
    while len(found) < len(ASKED):
        name = [*ASKED][len(found)]
        operation = {key: of[int(random.integers(len(of)))] for key, of in SPACE.items()}
        given: Any = {"operation": operation, "number": int(random.integers(2**31))}
        with suppress(ValueError):
            exercise(name, **given)
            found[name] = given
    return found


BEGIN = """%% markdown title
# Exam
**Time:** 60 minutes. **Points:** 1. Each example prints what comes out, and what should.
%% code imports
import jax
import jax.numpy as jnp

points = lambda name, namespace, of: f"{of} points at most, when this has been handed in"
"""
FUNCTION = '''%% markdown {name}-task
## `{name}` (1 point)
`{name}({x}, limit)`: {what} Arrays have three axes. A **part** of $v$ is all that differs in the
index on {along} alone; the first axis is axis 0. With $m$ for the {base} of a part's entries, and
$n$ for the {norm} of what they have above it, $v - m$, each becomes $m + f\\,(v - m)$, where $f$ is
`{factor}`, or 1 if $n = 0$. `limit` is above 0. (A size is an absolute value; length is Euclidean.)
%% code {name}-answer answer_{name} solution
def {name}({x}, limit):
    """{what}"""
    ### BEGIN SOLUTION
    def rescaled(v):
        {steps}
    {x} = {solution}
    ### END SOLUTION
    return {x}
%% code {name}-examples
{examples}
%% code {name}-points {name} grade
# This cell is graded. Leave it as it is.
points("{name}", globals(), of=1)
'''
END = """%% markdown twice-task
## In words (1 point)
{}
%% markdown twice-written written_twice grade solution
**Your answer (twice):**
### BEGIN SOLUTION
- {}
### END SOLUTION
"""
QUESTION = """Your rescale_backward stands at a tensor twice, with one limit c. A part has n = 4c.
What is n after the first, and after the second? When is once as good as twice, and is it here?"""


def _notebook(found: dict[str, Any], rubric: Sequence[str]) -> str:
    """Write the source: cells that begin with %%, a kind, an id, and nbgrader's id and flags."""
    text = BEGIN
    for name, given in found.items():
        operation, (_, x, what, solution, call), examples = given["operation"], ASKED[name], ""
        for *_, v, limit in (case.arguments for case in [*cases(name, **given)][:2]):
            right = act(operation, v, limit).round(3).tolist()
            examples += f"v = jnp.array({v.tolist()})\nprint({call.format(limit)}, {right})\n"
        code = steps(operation).replace("np.", "jnp.").replace("\nv =", "\nreturn")
        text += FUNCTION.format(
            name=name, x=x, what=what, solution=solution, examples=examples,
            base=operation["base"], norm=operation["norm"].replace("_", " "),
            factor=FACTORS[operation["factor"]].replace("np.", ""),
            along=" and ".join(f"axis {axis}" for axis in operation["axes"]),
            steps=code.replace("\n", "\n        "),
        )  # fmt: skip
    text += END.format(QUESTION, "\n- ".join(rubric))
    book = nbformat.v4.new_notebook(metadata={"sccbook": {"assignment": "exam"}})
    for head, source in (block.split("\n", 1) for block in text.split("%% ")[1:]):
        kind, key, *known = head.split()
        cell = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        book.cells.append(cell(source.strip(), id=key))
        if known:
            about = {"grade_id": known[0], "schema_version": 3, "task": False}
            about |= {"grade": "grade" in known, "solution": "solution" in known}
            book.cells[-1].metadata.nbgrader = about | {"locked": not about["solution"]}
    return text_of(book)


def make(seed_file: Path, out: Path, course: Path) -> None:
    """Make a new folder with an exam, and with a course's settings; or raise a ``CourseError``."""
    seed = seed_file.read_bytes().strip() if seed_file.is_file() else b""
    if len(seed) < 16 or len(set(seed)) < 8:
        raise CourseError(f"{seed_file} holds no seed, or one that can be guessed. {ADVICE}")
    if out.exists():
        raise CourseError(f"{out} is there already. Name a new folder.")
    own, found = Course.read(course / "course.yml"), draw(seed)
    factor = FACTORS[found[BACKWARD]["operation"]["factor"]]
    after = eval(f"lambda n: n * ({factor})", {"np": np, "limit": 1.0})
    once, twice = after(4.0), after(after(4.0))
    rubric = [
        f"1 point: {once:.3g} c after the first, and {twice:.3g} c after the second.",
        f"1 point: if the second changes nothing. Here it does{'' if once != twice else ' not'}.",
    ]
    written = {"twice": {"points": 2, "question": QUESTION, "rubric": rubric}}
    functions = {name: asked[0] for name, asked in ASKED.items()}
    exam = {"title": "Exam", "minutes": 60, "functions": functions, "written": written}
    whole = {"title": "Exam", "install": own.install, "assignments": {"exam": exam}}
    files = {
        FILE: json.dumps(found, indent=1),
        "source/exam/exam.ipynb": _notebook(found, rubric),
        "course.yml": yaml.safe_dump(whole, sort_keys=False),
        "nbgrader_config.py": (course / "nbgrader_config.py").read_text("utf-8"),
    }
    out.mkdir(mode=0o700, parents=True)
    write({name: text.encode() for name, text in files.items()}, out)
    write(sources(out), out / "source")
    write(released(out), out / "release")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make an exam; return 0, or exit with status 2 where that can't be."""
    parser = argparse.ArgumentParser("python -m sccbook_classroom exam", epilog=ADVICE)
    parser.add_argument("--seed-file", type=Path, required=True, help="16 random bytes or more")
    parser.add_argument("--out", type=Path, required=True, help="a new folder; keep it private")
    parser.add_argument("--course", type=Path, default=ASSIGNMENTS, help="default: %(default)s")
    given = parser.parse_args(arguments)
    try:
        make(given.seed_file, given.out, given.course)
    except (CourseError, OSError) as error:
        parser.error(str(error))
    print(f"Hand out {given.out}/release/exam/exam.ipynb alone. Grade with --course {given.out}.")
    return 0
