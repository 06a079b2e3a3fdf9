"""The class that is graded: an assignment's release, filled in by students of several kinds."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

KERAS = """\
def max_norm(w, limit):
    norms = jnp.sqrt(jnp.sum(w**2, axis=0, keepdims=True))
    return w * (jnp.clip(norms, 0, limit) / (1e-7 + norms))
"""
ROWS = """\
def max_norm(w, limit):
    norms = jnp.sqrt(jnp.sum(w**2, axis=1, keepdims=True))
    return w * jnp.minimum(1.0, limit / norms)
"""
SHORT = """\
def wrong_axis(limit):
    return 0.1 * limit * np.ones((2, 2))
"""
UNFINISHED = """\
def three_places(w, x, y, scale, limit, cap):
    def loss(w):
        return 0.5 * jnp.sum((x @ w @ w - y) ** 2)

    value, g = jax.value_and_grad(loss)(w)
    return value, w - 0.1 * g
"""

KINDS: Mapping[str, Mapping[str, str] | None] = {
    "solved": {},
    "keras": {"max_norm": KERAS},
    "rows": {"max_norm": ROWS, "wrong_axis": SHORT},
    "unfinished": {"three_places": UNFINISHED},
    "untouched": None,
}
"""A kind of student: what they wrote in place of solutions, or None for the release itself."""


def filled_in(source: Mapping[str, Any], release: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """A student's notebook.

    Args:
      source: the assignment with its solutions.
      release: the same as students receive it.
      kind: a name in ``KINDS``.
    """
    own = KINDS[kind]
    if own is None:
        return copy.deepcopy(dict(release))
    solved = {
        _name(cell): _without_marks(_text(cell)) for cell in source["cells"] if BEGIN in _text(cell)
    }
    solved |= {f"answer_{name}": text for name, text in own.items()}
    notebook = copy.deepcopy(dict(release))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and _name(cell) in solved:
            cell["source"] = solved[_name(cell)]
    return notebook


def a_class(students: int) -> Sequence[tuple[str, str]]:
    """Names, and what kind of student each is: half of them have solved it."""
    others = [kind for kind in KINDS if kind != "solved"]
    return [
        (f"student{n:03}", "solved" if n % 2 == 0 else others[(n // 2) % len(others)])
        for n in range(students)
    ]


def _name(cell: Mapping[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def _text(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _without_marks(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END))
