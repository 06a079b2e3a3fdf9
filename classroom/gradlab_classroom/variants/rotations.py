"""A family: a cap on the rows or columns of a kernel in a rotated basis, and the rotation back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Function, Misconception
from gradlab.exercises.checking.findings import Case
from gradlab_classroom.variants.family import Family, Operation, Texts
from gradlab_classroom.variants.numbers import (
    NORM_SIGNS,
    NORM_WORDS,
    example,
    literal,
    norm,
    quarters,
)

PLANES = ((0, 1), (0, 2), (1, 2))
CHOICES = (*((plane,) for plane in PLANES), *permutations(PLANES, 2))
ANGLES = (20, 25, 35, 40, 50, 55, 65, 70)
SIDES = ("rows", "columns")


def space() -> list[Operation]:
    """List the operations: rows or columns, which norm, the planes in their order, the angle in degrees."""
    return [
        {"side": side, "norm": kind, "planes": [list(plane) for plane in planes],
         "degrees": sign * angle}
        for side, kind, planes, angle, sign in product(SIDES, NORM_WORDS, CHOICES, ANGLES, (1, -1))
    ]  # fmt: skip


def turn(planes: Sequence[Sequence[int]], degrees: float) -> np.ndarray:
    """Return the rotation ``[3, 3]`` of a vector, by one angle in each plane, the first one first."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def turn_in(plane: Sequence[int]) -> np.ndarray:
        i, j = plane
        made = np.eye(3)
        made[[i, i, j, j], [i, j, i, j]] = cos, -sin, sin, cos
        return made

    whole: np.ndarray = np.eye(3)
    for plane in planes:
        whole = turn_in(plane) @ whole
    return whole


Shorten = Callable[[np.ndarray, float, str], np.ndarray]
"""From rows in the rotated basis, the limit and the norm to what they become."""


def capped(rows: np.ndarray, limit: float, kind: str) -> np.ndarray:
    """Each row, shortened to the limit where it is longer."""
    factors = [min(1.0, limit / (norm(row, kind) or limit)) for row in rows]
    shorter: np.ndarray = rows * np.array(factors)[:, None]
    return shorter


def _rule(operation: Operation, *, shorten: Shorten = capped, kind: str = "", back: Any = None,
          rotation: Any = None) -> Function:  # fmt: skip
    """The operation with something else in it; ``back`` in place of the inverse rotation."""
    there = turn(operation["planes"], operation["degrees"]) if rotation is None else rotation
    again = there.T if back is None else back

    def cap(w: np.ndarray, limit: float) -> np.ndarray:
        rows = np.asarray(w, float) if operation["side"] == "rows" else np.asarray(w, float).T
        found = again @ shorten(there @ rows, limit, kind or operation["norm"])
        return found if operation["side"] == "rows" else found.T

    return cap


def right(operation: Operation) -> Function:
    """Return the rule of a right answer."""
    return _rule(operation)


def _unrotated(axis: int, kind: str) -> Function:
    """A cap with no rotation: of the columns (axis 0) or of the rows (axis 1)."""

    def cap(w: np.ndarray, limit: float) -> np.ndarray:
        rows = np.asarray(w, float).T if axis == 0 else np.asarray(w, float)
        found = capped(rows, limit, kind)
        return found.T if axis == 0 else found

    return cap


def neighbours(operation: Operation) -> list[Misconception]:
    """List the mistakes that it may be taken for."""
    planes, degrees = operation["planes"], operation["degrees"]
    side, there = operation["side"], turn(operation["planes"], operation["degrees"])
    wrong = Misconception

    def length(row: np.ndarray, kind: str) -> float:
        return norm(row, kind) or 1.0

    def long(rows: np.ndarray, limit: float, kind: str) -> np.ndarray:
        return np.array([norm(row, kind) > limit for row in rows])[:, None]

    return [
        wrong("unchanged", "the kernel comes back as it went in.", lambda w, limit: w),
        wrong("not_rotated", f"the {side} are capped as they are: nothing is rotated.",
              _rule(operation, rotation=np.eye(3))),
        wrong("max_norm", "the columns are capped by their Euclidean norm, with no rotation: that is the public "
              "max_norm.", _unrotated(0, "2")),
        wrong("not_rotated_back", "what is returned is still in the rotated basis.",
              _rule(operation, back=np.eye(3))),
        wrong("rotated_again", "in place of the rotation back, the rotation is made once more.",
              _rule(operation, back=there)),
        wrong("other_direction", "the rotation goes the other way round: look at the signs of the sines.",
              _rule(operation, rotation=turn(planes, -degrees))),
        wrong("radians", "the angle is taken to be in radians. It is in degrees.",
              _rule(operation, rotation=turn(planes, np.degrees(degrees)))),
        wrong("order_of_planes", "the planes are rotated in the reversed order. Rotations in space do not commute.",
              _rule(operation, rotation=turn(planes[::-1], degrees))),
        wrong("first_plane_only", "the rotation is made in the first plane, and not in the second.",
              _rule(operation, rotation=turn(planes[:1], degrees))),
        wrong("last_plane_only", "the rotation is made in the last plane, and not in the first.",
              _rule(operation, rotation=turn(planes[-1:], degrees))),
        *(wrong("other_plane", "the rotation is made in another plane.",
                _rule(operation, rotation=turn([plane], degrees))) for plane in PLANES),
        wrong("other_axis", f"in the rotated basis, the other axis is capped: not the {side}.",
              _rule(operation, shorten=lambda rows, limit, kind: capped(rows.T, limit, kind).T)),
        *(wrong(f"norm_{other}", f"the rotations are right; the norm is taken to be {words}.",
                _rule(operation, kind=other)) for other, words in NORM_WORDS.items()),
        wrong("whole_matrix", f"the kernel is capped as a whole, and all {side} get one factor.",
              _rule(operation, shorten=lambda rows, limit, kind:
                    rows * min(1.0, limit / (norm(rows, kind) or 1.0)))),
        wrong("shared_factor", f"all {side} are shortened by what the longest one needs.",
              _rule(operation, shorten=lambda rows, limit, kind:
                    rows * min(1.0, limit / max(length(row, kind) for row in rows)))),
        wrong("always_limit", f"short {side} are lengthened to the limit. A cap leaves them alone.",
              _rule(operation, shorten=lambda rows, limit, kind:
                    np.array([row * limit / length(row, kind) for row in rows]))),
        wrong("cut_to_one", f"long {side} come out with norm 1, and should come out at the limit.",
              _rule(operation, shorten=lambda rows, limit, kind: np.where(
                  long(rows, limit, kind), capped(rows, 1.0, kind) if limit > 1 else
                  np.array([row / length(row, kind) for row in rows]), rows))),
        wrong("zero_row", "zeros become NaN: zero is divided by zero. Else it is right.",
              lambda w, limit: right(operation)(w, limit) * (1.0 if np.any(w) else np.nan)),
        wrong("removed", f"long {side} become zero, and should come out at the limit.",
              _rule(operation, shorten=lambda rows, limit, kind: rows * ~long(rows, limit, kind))),
        wrong("by_value", "in the rotated basis each entry is clipped by itself.",
              _rule(operation, shorten=lambda rows, limit, kind: np.clip(rows, -limit, limit))),
    ]  # fmt: skip


def cases(operation: Operation, random: np.random.Generator) -> list[Case]:
    """Two small kernels; then ones of which some, all and none are too long, and one of zeros."""
    found = []
    plan = ((2, 1.0, 8), (2, 2.0, 8), (4, 1.5, 12), (3, 2.5, 12), (5, 0.75, 12), (4, 40.0, 12),
            (3, 2.0, 6), (4, 3.0, 12))  # fmt: skip
    for number, (count, limit, most) in enumerate(plan):
        rows = quarters(random, 3, count, most=most)
        if number > 1:  # one short direction, which a cap leaves alone
            there = turn(operation["planes"], operation["degrees"])
            turned = there @ rows
            turned[number % 3] *= 0.15
            rows = np.round(there.T @ turned, 3).astype(np.float32)
        w = rows if operation["side"] == "rows" else rows.T
        found.append(Case((w, limit), f"for a kernel of shape {w.shape} and limit = {limit:g}"))
    shape = (3, 4) if operation["side"] == "rows" else (4, 3)
    zeros = np.zeros(shape, np.float32)
    return [*found, Case((zeros, 1.0), f"for a kernel of zeros, of shape {shape}, and limit = 1")]


_NORM_SOURCE = {
    "1": "jnp.sum(jnp.abs(turned), axis={axis}, keepdims=True)",
    "2": "jnp.sqrt(jnp.sum(turned**2, axis={axis}, keepdims=True))",
    "inf": "jnp.max(jnp.abs(turned), axis={axis}, keepdims=True)",
}


def texts(operation: Operation, shown: Sequence[Case]) -> Texts:
    """The task, and a solution."""
    side, kind, degrees = operation["side"], operation["norm"], operation["degrees"]
    planes = [tuple(plane) for plane in operation["planes"]]
    row = side[:-1]
    shape, product_, back = (
        ("[3, n]", "V = R\\,w", "w' = R^\\top V'") if side == "rows"
        else ("[n, 3]", "V = w\\,R^\\top", "w' = V' R")
    )  # fmt: skip
    order = "" if len(planes) == 1 else (
        f" $R$ is the product of two of these: a vector is rotated in the plane {planes[0]} first, then, by the "
        f"same angle, in the plane {planes[1]}."
    )  # fmt: skip
    first = "the plane" if len(planes) == 1 else "a plane"
    task = f"""\
Write `cap_rotated(w, limit)` for a kernel `w` of shape `{shape}` and a `limit` above 0. It caps the **{side}** of the
kernel in a rotated basis, and rotates back.

The angle is {degrees} degrees. With $c$ and $d$ for its cosine and sine, a rotation in {first} $(i, j)$ changes two
entries of a vector $v$ of three, counted from 0, and leaves the third alone:

$$ v_i \\to c\\, v_i - d\\, v_j, \\qquad v_j \\to d\\, v_i + c\\, v_j. $$

{f"The plane is {planes[0]}, and $R$ is the matrix of this rotation." if len(planes) == 1 else order.strip()} The kernel in
the rotated basis is ${product_}$. There, each {row} $v$ of $V$ has the norm
${NORM_SIGNS[kind].format("v")}$, {NORM_WORDS[kind]} of its entries, and becomes

$$ v' = v \\cdot \\min\\!\\left(1, \\frac{{\\mathtt{{limit}}}}{{{NORM_SIGNS[kind].format("v")}}}\\right); $$

a {row} of zeros stays as it is. What is returned is rotated back, ${back}$, and has the shape of `w`."""
    lines = [f"c, d = jnp.cos(jnp.radians({degrees})), jnp.sin(jnp.radians({degrees}))",
             "rotation = jnp.eye(3)",
             f"for i, j in {planes!r}:" if len(planes) > 1 else f"for i, j in [{planes[0]!r}]:",
             "    one = jnp.eye(3).at[i, i].set(c).at[i, j].set(-d).at[j, i].set(d).at[j, j].set(c)",
             "    rotation = one @ rotation"]  # fmt: skip
    lines += [
        "turned = rotation @ w" if side == "rows" else "turned = w @ rotation.T",
        f"norms = {_NORM_SOURCE[kind].format(axis=1 if side == 'rows' else 0)}",
        "capped = turned * jnp.minimum(1.0, limit / jnp.maximum(norms, 1e-30))",
        "return rotation.T @ capped" if side == "rows" else "return capped @ rotation",
    ]
    examples = []
    for case in shown:
        w, limit = case.arguments
        call = f"cap_rotated(jnp.array({literal(w)}), {limit:g})"
        examples.append(example(call, right(operation)(w, limit)))
    return Texts(task, f"Returns the kernel with its {side} capped in a rotated basis.",
                 "\n".join(lines), "\n".join(examples))  # fmt: skip


FAMILY = Family(
    name="cap_rotated",
    title="A cap in a rotated basis",
    signature="cap_rotated(w, limit)",
    probe="returned_of_jax",
    space=space,
    cases=cases,
    right=right,
    neighbours=neighbours,
    texts=texts,
    passed="in the rotated basis, what is too long comes out at the limit, and the rest is left alone.",
    partial={
        "zero_row": 0.75,
        "order_of_planes": 0.75,
        "other_direction": 0.75,
        "radians": 0.75,
        "not_rotated_back": 0.5,
        **{f"norm_{kind}": 0.5 for kind in NORM_WORDS},
    },
)
