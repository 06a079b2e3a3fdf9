"""A family: the gradients of several heads share a limit, by a rule that is drawn.

Each head that takes part has a norm of its own and is allowed a part of the limit; where its norm
is larger, it is shortened to what it is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
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

Grads = Mapping[str, np.ndarray]
Numbers = dict[str, float]

HEADS = ("consistency", "policy", "reward", "value", "value_prefix")
EXEMPT = ("none", "policy", "reward", "value")
"""Heads that may be left alone. In the alphabet, none of them is the first or the last."""

SHARES = {
    "equal": "each head is allowed the same part of the limit: the limit over their number.",
    "entries": "each head is allowed a part of the limit in proportion to its number of entries.",
    "roots": "each head is allowed a part of the limit in proportion to the square root of its "
    "number of entries.",
    "halving_az": "in the alphabetical order of their names, the first head is allowed a half of the "
    "limit, the second a quarter, the third an eighth, and so on.",
    "halving_za": "in the reversed alphabetical order of their names, the first head is allowed a "
    "half of the limit, the second a quarter, the third an eighth, and so on.",
    "left_az": "in the alphabetical order of their names, the first head is allowed the whole limit, and "
    "each other one what is left of it: the limit minus the norms of those before, as they are returned.",
    "left_za": "in the reversed alphabetical order of their names, the first head is allowed the whole "
    "limit, and each other one what is left of it: the limit minus the norms of those before, as they "
    "are returned.",
    "together": "the sum of the heads' norms is held against the limit. Where it is larger, all of these "
    "heads are multiplied by one factor, which brings the sum to the limit.",
    "longest_pays": "the sum of the heads' norms is held against the limit. What it is too large by is "
    "taken from the norm of the longest head alone, though not below 0.",
}
"""Ways to share the limit among the heads that take part, in words."""


def space() -> list[Operation]:
    """List the operations: which norm, who is left alone, how the limit is shared."""
    return [
        {"norm": kind, "exempt": exempt, "share": share}
        for kind, exempt, share in product(NORM_WORDS, EXEMPT, SHARES)
    ]


def targets(share: str, norms: Numbers, sizes: Numbers, limit: float, lengthen: bool) -> Numbers:
    """Return the norm that each head is brought to where it is longer, or in any case."""
    names = list(norms)
    ordered = sorted(names, reverse=share.endswith("_za"))
    total = sum(norms.values())
    if share == "equal":
        return {name: limit / len(names) for name in names}
    if share in ("entries", "roots"):
        weights = {name: size if share == "entries" else size**0.5 for name, size in sizes.items()}
        return {
            name: limit * weights[name] / sum(weights[other] for other in names) for name in names
        }
    if share.startswith("halving"):
        return {name: limit / 2 ** (place + 1) for place, name in enumerate(ordered)}
    if share.startswith("left"):
        return _one_after_another(ordered, norms, limit, lengthen)
    if share == "together":
        factor = limit / total if total else 1.0
        return {name: factor * norm for name, norm in norms.items()}
    longest = max(names, key=lambda name: norms[name])
    excess = total - limit if lengthen else max(0.0, total - limit)
    return {**norms, longest: max(0.0, norms[longest] - excess)}


def _one_after_another(
    ordered: Sequence[str], norms: Numbers, limit: float, lengthen: bool
) -> Numbers:
    left, found = limit, {}
    for name in ordered:
        found[name] = left
        left -= left if lengthen else min(norms[name], left)
    return found


def _rule(operation: Operation, *, counted: Sequence[str] = (), clipped: Sequence[str] = (),
          lengthen: bool = False, alone: str = "", names: Callable[[Grads], Sequence[str]] = list,
          kind: str = "", removed: bool = False) -> Function:  # fmt: skip
    """The operation, with something else in it.

    Args:
      operation: the drawn one.
      counted: heads that have a share in the limit, though they are left alone.
      clipped: the same, and they are not left alone.
      lengthen: whether short heads are brought to what they are allowed.
      alone: another head that is left alone, "last" for the last one.
      names: from the gradients to the heads, in the order that counts.
      kind: another norm.
      removed: whether long heads become zero.
    """
    exempt, share = operation["exempt"], operation["share"]

    def clip(grads: Grads, limit: float) -> dict[str, Any]:
        left = {alone, exempt} if alone != "last" else {max(grads), exempt}
        part = [name for name in names(grads) if name not in left or name in (*counted, *clipped)]
        norms = {name: norm(grads[name], kind or operation["norm"]) for name in part}
        sizes = {name: float(grads[name].size) for name in part}
        allowed = targets(share, norms, sizes, limit, lengthen)
        found = dict(grads)
        for name in part:
            if name in counted or norms[name] == 0:
                continue
            factor = allowed[name] / norms[name]
            if not lengthen:
                factor = min(1.0, factor)
            found[name] = grads[name] * (0.0 if removed and factor < 1 else factor)
        return found

    return clip


def right(operation: Operation) -> Function:
    """Return the rule of a right answer."""
    return _rule(operation)


def _each(kind: str, exempt: str) -> Function:
    def clip(grads: Grads, limit: float) -> dict[str, Any]:
        return {
            name: g if name == exempt else g * min(1.0, limit / (norm(g, kind) or 1.0))
            for name, g in grads.items()
        }

    return clip


def _whole(kind: str, exempt: str) -> Function:
    """One norm of all heads together, as ``clip_by_global_norm`` has it."""

    def clip(grads: Grads, limit: float) -> dict[str, Any]:
        every = np.concatenate([np.ravel(g) for name, g in grads.items() if name != exempt])
        factor = min(1.0, limit / (norm(every, kind) or 1.0))
        return {name: g if name == exempt else g * factor for name, g in grads.items()}

    return clip


def neighbours(operation: Operation) -> list[Misconception]:
    """List the mistakes that it may be taken for."""
    kind, exempt = operation["norm"], operation["exempt"]
    wrong = Misconception
    found = [
        wrong("unchanged", "the gradients come back as they went in.", lambda grads, limit: grads),
        wrong("clip_by_global_norm",
              "all heads share one Euclidean norm, and one factor: that is the clip by the global norm.",
              _whole("2", "none")),
        wrong("one_norm", "the heads that take part are measured as one, and get one factor.",
              _whole(kind, exempt)),
        wrong("each_by_itself",
              "each head may be as long as the whole limit. They are to share it.", _each(kind, exempt)),
        wrong("each_euclidean", "each head is clipped to the whole limit, by its Euclidean norm.",
              _each("2", exempt)),
        wrong("by_value", "each entry is clipped to the limit by itself.",
              lambda grads, limit: {name: np.clip(g, -limit, limit) for name, g in grads.items()}),
        *(wrong(f"norm_{other}", f"the limit is shared as it should be, but a head's norm is taken to be {words}.",
                _rule(operation, kind=other)) for other, words in NORM_WORDS.items()),
        *(wrong(f"share_{share}", f"another rule shares the limit: {words}",
                _rule({**operation, "share": share})) for share, words in SHARES.items()),
        wrong("lengthened", "short heads are lengthened to what they are allowed. A clip leaves them alone.",
              _rule(operation, lengthen=True)),
        wrong("removed", "a head that is too long becomes zero, and should become as long as it is allowed.",
              _rule(operation, removed=True)),
        wrong("zero_head", "a head of zeros becomes NaN: zero is divided by zero. Else it is right.",
              _nan_at_zero(operation)),
        wrong("dict_order",
              "the heads are taken in the order of the dict, and not of the alphabet.", _in_dicts_order(operation)),
        wrong("last_left_alone", "the last head in the alphabet takes no part.", _rule(operation, alone="last")),
        wrong("one_as_an_array", "a norm that is right for a list of numbers is taken of an array with two "
              "axes: look at what it is the norm of.", _rule_of_rows(operation)),
    ]  # fmt: skip
    if exempt == "none":
        return [
            *found,
            *(wrong(f"{name}_left_alone", f"the head {name!r} comes back as it went in.",
                    _rule({**operation, "exempt": name})) for name in EXEMPT[1:]),
        ]  # fmt: skip
    return [
        *found,
        wrong("exempt_clipped", f"the head {exempt!r} takes part, and should be left alone.",
              _rule(operation, clipped=[exempt])),
        wrong("exempt_counted", f"the head {exempt!r} comes back as it should, but has a share in the limit.",
              _rule(operation, counted=[exempt])),
        wrong("exempt_dropped", f"the head {exempt!r} becomes zero. It should come back as it was.",
              _without(operation, exempt)),
    ]  # fmt: skip


def _nan_at_zero(operation: Operation) -> Function:
    rule = right(operation)
    return lambda grads, limit: {
        name: g if name == operation["exempt"] or np.any(g) else g * np.nan
        for name, g in rule(grads, limit).items()
    }


def _without(operation: Operation, exempt: str) -> Function:
    rule = right(operation)
    return lambda grads, limit: {
        name: g * (name != exempt) for name, g in rule(grads, limit).items()
    }


def _rule_of_rows(operation: Operation) -> Function:
    """The norm that a library has for matrices: the largest sum of a column, or of a row."""
    axis = {"1": 0, "inf": 1}.get(operation["norm"])

    def flat(g: np.ndarray) -> np.ndarray:
        if axis is None or g.ndim < 2:
            return g
        sums = np.sum(np.abs(g), axis=axis)
        return np.array([np.max(sums)])

    def clip(grads: Grads, limit: float) -> dict[str, Any]:
        part = [name for name in grads if name != operation["exempt"]]
        norms = {name: norm(flat(grads[name]), operation["norm"]) for name in part}
        sizes = {name: float(grads[name].size) for name in part}
        allowed = targets(operation["share"], norms, sizes, limit, False)
        return {
            name: g * min(1.0, allowed[name] / norms[name]) if name in part and norms[name] else g
            for name, g in grads.items()
        }

    return clip


def _in_dicts_order(operation: Operation) -> Function:
    """The heads get names that keep their order in the dict when they are sorted."""
    rule_share = operation["share"]

    def clip(grads: Grads, limit: float) -> dict[str, Any]:
        back = {f"{place}": name for place, name in enumerate(grads)}
        exempt = next((key for key, name in back.items() if name == operation["exempt"]), "none")
        renamed = {key: grads[name] for key, name in back.items()}
        rule = right({**operation, "exempt": exempt, "share": rule_share})
        return {back[key]: g for key, g in rule(renamed, limit).items()}

    return clip


SHAPES: Sequence[tuple[tuple[int, ...], ...]] = (
    ((2,), (3,), (1,), (2, 2), (4,)),
    ((3,), (2, 3), (2,), (2,), (1,)),
)


def cases(operation: Operation, random: np.random.Generator) -> list[Case]:
    """Two small inputs; then heads of which some, all and none are too long, and one of zeros."""
    found = []
    plan = ((3, 3.0, 12), (3, 1.0, 12), (5, 6.0, 12), (5, 2.0, 8), (5, 90.0, 12), (4, 9.0, 12),
            (5, 0.5, 12), (5, 4.0, 4))  # fmt: skip
    for number, (count, limit, most) in enumerate(plan):
        names = _some(random, count, operation["exempt"])
        shapes = [SHAPES[number % 2][int(place)] for place in random.permutation(5)[:count]]
        grads = _unlike(random, names, shapes, most, operation["norm"])
        words = f"for heads {', '.join(names)} and limit = {limit:g}"
        if number == 6:
            zero = next(name for name in names if name != operation["exempt"])
            grads[zero], words = 0 * grads[zero], f"{words}, with zeros for {zero}"
        found.append(Case((grads, limit), words))
    return found


def _unlike(random: np.random.Generator, names: Sequence[str], shapes: Sequence[tuple[int, ...]],
            most: int, kind: str) -> dict[str, np.ndarray]:  # fmt: skip
    """Draw gradients of which no two are equally long: which one is the longest is no matter of taste."""
    while True:
        grads = {
            name: quarters(random, *shape, most=most) * np.float32(1 + place % 3)
            for place, (name, shape) in enumerate(zip(names, shapes, strict=True))
        }
        norms = sorted(norm(g, kind) for g in grads.values())
        if all(more > 1.02 * less for less, more in pairwise(norms)):
            return grads


def _some(random: np.random.Generator, count: int, exempt: str) -> list[str]:
    """Heads in an order that is not the alphabet's, with the one that is left alone."""
    names = [HEADS[int(place)] for place in random.permutation(len(HEADS))][:count]
    if exempt not in (*names, "none"):
        names[-1] = exempt
    if names in (sorted(names), sorted(names, reverse=True)):
        names = [names[1], names[0], *names[2:]]
    return names


_NORM_SOURCE = {
    "1": "jnp.sum(jnp.abs(g))",
    "2": "jnp.sqrt(jnp.sum(g**2))",
    "inf": "jnp.max(jnp.abs(g))",
}

_ALLOWED = {
    "equal": "allowed = {name: limit / len(names) for name in names}",
    "entries": "entries = sum(grads[name].size for name in names)\n"
    "allowed = {name: limit * grads[name].size / entries for name in names}",
    "roots": "roots = {name: grads[name].size ** 0.5 for name in names}\n"
    "allowed = {name: limit * roots[name] / sum(roots.values()) for name in names}",
    "halving_az": "allowed = {name: limit / 2 ** (i + 1) for i, name in enumerate(names)}",
    "halving_za": "allowed = {name: limit / 2 ** (i + 1) for i, name in enumerate(reversed(names))}",
    "left_az": "allowed, left = {}, limit\nfor name in names:\n    allowed[name] = left\n"
    "    left = left - jnp.minimum(norms[name], left)",
    "left_za": "allowed, left = {}, limit\nfor name in reversed(names):\n    allowed[name] = left\n"
    "    left = left - jnp.minimum(norms[name], left)",
    "together": "total = jnp.maximum(sum(norms.values()), limit)\n"
    "allowed = {name: limit / total * norms[name] for name in names}",
    "longest_pays": "excess = jnp.maximum(sum(norms.values()) - limit, 0.0)\n"
    "longest = max(names, key=lambda name: norms[name])\n"
    "allowed = {**norms, longest: jnp.maximum(norms[longest] - excess, 0.0)}",
}


def texts(operation: Operation, shown: Sequence[Case]) -> Texts:
    """The task, and a solution."""
    kind, exempt, share = operation["norm"], operation["exempt"], operation["share"]
    size = NORM_SIGNS[kind].format("g_h")
    alone = "" if exempt == "none" else (
        f" The head `{exempt!r}` takes no part: it comes back as it went in, and has no share in the limit."
    )  # fmt: skip
    task = f"""\
Write `clip_heads(grads, limit)`. `grads` is a dict from the names of heads to their gradients, arrays of any shape;
which heads there are differs from run to run, as does their order. `limit` is a number above 0. What is returned is
a dict with the same keys and shapes.{alone}

A head's norm $n_h = {size}$ is {NORM_WORDS[kind]} of all its entries. The heads that take part share the limit:
{SHARES[share]}

With $a_h$ for the norm that head $h$ is allowed, it becomes

$$ g_h \\cdot \\min\\!\\left(1, \\frac{{a_h}}{{n_h}}\\right), $$

and a head of zeros stays as it is. No two heads are equally long."""
    names = "sorted(grads)" if exempt == "none" else (
        f"sorted(name for name in grads if name != {exempt!r})"
    )  # fmt: skip
    body = f"""\
names = {names}
norms = {{}}
for name in names:
    g = grads[name]
    norms[name] = {_NORM_SOURCE[kind]}
{_ALLOWED[share]}
clipped = dict(grads)
for name in names:
    clipped[name] = grads[name] * jnp.minimum(1.0, allowed[name] / jnp.maximum(norms[name], 1e-30))
return clipped"""
    examples = ["def heads(**grads):",
                "    return {name: jnp.array(g) for name, g in grads.items()}", ""]  # fmt: skip
    for case in shown:
        grads, limit = case.arguments
        given = ", ".join(f"{name}={literal(g)}" for name, g in grads.items())
        call = f"clip_heads(heads({given}), {limit:g})"
        examples.append(example(call, right(operation)(grads, limit)))
    return Texts(task, "Returns the heads' gradients, within a limit that they share.", body,
                 "\n".join(examples))  # fmt: skip


FAMILY = Family(
    name="clip_heads",
    title="Heads that share a limit",
    signature="clip_heads(grads, limit)",
    probe="returned_of_jax",
    space=space,
    cases=cases,
    right=right,
    neighbours=neighbours,
    texts=texts,
    passed="each head is measured by itself, and what is too long comes out as long as it is allowed.",
    partial={
        **{f"norm_{kind}": 0.5 for kind in NORM_WORDS},
        "dict_order": 0.75,
        "one_as_an_array": 0.75,
        "zero_head": 0.75,
        "exempt_counted": 0.5,
        "exempt_clipped": 0.5,
        "lengthened": 0.25,
    },
)
