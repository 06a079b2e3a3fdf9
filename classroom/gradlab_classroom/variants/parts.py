"""A family: the identity forward, and backward one factor for a part of the cotangent.

``back = a(scale) part + b (g - part)``, where the part, a and b are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Comparison, Function, Misconception
from gradlab.exercises.checking.findings import Case, Finding, Mistake
from gradlab.exercises.checking.forms import require_like, require_results
from gradlab.exercises.checking.probes import BACK, TRACED, VALUE, Observation, Observations
from gradlab_classroom.variants.family import Family, Operation, Texts
from gradlab_classroom.variants.numbers import example, literal, quarters

Split = Callable[[Any, Any, float], Any]
"""From x, the cotangent g and a threshold t to the part of g."""


@dataclass(frozen=True)
class Part:
    """A part of the cotangent: in words, as Python's source text, and which others resemble it."""

    words: str
    source: str
    split: Split
    resembles: Sequence[str]
    thresholds: Sequence[float] = (0.0,)


def _where(mask: Split) -> Split:
    return lambda x, g, t: np.where(mask(x, g, t), g, 0.0)


def _parity(odd: int, axis: int | None) -> Split:
    def mask(x: Any, g: Any, t: float) -> Any:
        if axis is None:
            return np.arange(g.size).reshape(g.shape) % 2 == odd
        shape = [1] * g.ndim
        shape[axis] = g.shape[axis]
        return np.broadcast_to(np.arange(g.shape[axis]).reshape(shape) % 2 == odd, g.shape)

    return _where(mask)


THRESHOLDS = (0.6, 0.9, 1.4, 1.9)  # no multiples of a quarter: no entry lies on one
_MASK = "jnp.where({}, g, 0.0)"
_INDEX = "jnp.arange(g.shape[-1]) % 2 == {}"

PARTS = {
    "negative": Part("the entries of the cotangent that are negative", _MASK.format("g < 0"),
                     _where(lambda x, g, t: g < 0), ("x_negative", "by_the_sum", "below")),
    "positive": Part("the entries of the cotangent that are positive", _MASK.format("g > 0"),
                     _where(lambda x, g, t: g > 0), ("x_positive", "by_the_sum", "above")),
    "beyond": Part("the entries of the cotangent whose absolute value is above {t}, as a whole",
                   _MASK.format("jnp.abs(g) > {t}"), _where(lambda x, g, t: np.abs(g) > t),
                   ("excess", "above", "x_beyond", "norm_beyond"), THRESHOLDS),
    "within": Part("the entries of the cotangent whose absolute value is below {t}, as a whole",
                   _MASK.format("jnp.abs(g) < {t}"), _where(lambda x, g, t: np.abs(g) < t),
                   ("core", "below_t", "x_within", "norm_within"), THRESHOLDS),
    "excess": Part("of each entry of the cotangent, what its absolute value has beyond {t}, with the "
                   "entry's sign: 0 for an entry whose absolute value is smaller",
                   "g - jnp.clip(g, -{t}, {t})", lambda x, g, t: g - np.clip(g, -t, t),
                   ("beyond", "excess_above", "x_beyond", "norm_excess"), THRESHOLDS),
    "core": Part("of each entry of the cotangent, what it has up to the absolute value {t}, with the "
                 "entry's sign: the whole entry where its absolute value is smaller",
                 "jnp.clip(g, -{t}, {t})", lambda x, g, t: np.clip(g, -t, t),
                 ("within", "core_above", "x_within", "norm_core"), THRESHOLDS),
    "odd": Part("the entries of the cotangent with an odd index on the last axis, counted from 0",
                _MASK.format(_INDEX.format(1)), _parity(1, -1), ("flat_odd", "first_odd", "negative")),
    "even": Part("the entries of the cotangent with an even index on the last axis, counted from 0",
                 _MASK.format(_INDEX.format(0)), _parity(0, -1), ("flat_even", "first_even", "negative")),
    "x_negative": Part("the entries of the cotangent where x, the value, is negative",
                       _MASK.format("x < 0"), _where(lambda x, g, t: x < 0), ("negative", "against")),
    "x_positive": Part("the entries of the cotangent where x, the value, is positive",
                       _MASK.format("x > 0"), _where(lambda x, g, t: x > 0), ("positive", "along")),
    "along": Part("the entries of the cotangent that have the sign of x, the value",
                  _MASK.format("x * g > 0"), _where(lambda x, g, t: x * g > 0),
                  ("positive", "x_positive", "along_sum")),
    "against": Part("the entries of the cotangent that have another sign than x, the value",
                    _MASK.format("x * g < 0"), _where(lambda x, g, t: x * g < 0),
                    ("negative", "x_negative", "along_sum")),
}  # fmt: skip
"""x and g have no zeros."""

_NORM = np.linalg.norm
LIKENESSES: dict[str, tuple[str, Split]] = {
    **{name: (part.words.replace(" {t}", " the threshold"), part.split)
       for name, part in PARTS.items()},
    "by_the_sum": ("all of the cotangent or nothing of it, by the sign of its sum",
                   lambda x, g, t: g * (np.sum(g) < 0)),
    "below": ("the entries below -1 only", _where(lambda x, g, t: g < -1)),
    "above": ("the entries above the threshold, on the positive side only",
              _where(lambda x, g, t: g > (t or 1.0))),
    "below_t": ("the entries below the threshold, however negative", _where(lambda x, g, t: g < t)),
    "excess_above": ("what is beyond the threshold on the positive side only",
                     lambda x, g, t: np.maximum(g - t, 0.0)),
    "core_above": ("what is left when the positive side alone is cut",
                   lambda x, g, t: np.minimum(g, t)),
    "x_beyond": ("the entries where x is beyond the threshold", _where(lambda x, g, t: np.abs(x) > t)),
    "x_within": ("the entries where x is within the threshold", _where(lambda x, g, t: np.abs(x) < t)),
    "norm_beyond": ("all of the cotangent, where its norm is beyond the threshold",
                    lambda x, g, t: g * (_NORM(g) > t)),
    "norm_within": ("all of the cotangent, where its norm is within the threshold",
                    lambda x, g, t: g * (_NORM(g) < t)),
    "norm_excess": ("what the norm of the whole cotangent has beyond the threshold",
                    lambda x, g, t: g * max(0.0, 1 - t / _NORM(g))),
    "norm_core": ("the cotangent clipped by its norm", lambda x, g, t: g * min(1.0, t / _NORM(g))),
    "flat_odd": ("the entries with an odd index, counted through the whole array", _parity(1, None)),
    "flat_even": ("the entries with an even index, counted through the whole array", _parity(0, None)),
    "first_odd": ("the entries with an odd index on the first axis", _parity(1, 0)),
    "first_even": ("the entries with an even index on the first axis", _parity(0, 0)),
    "along_sum": ("all of the cotangent or nothing of it, by the sign of its product with x",
                  lambda x, g, t: g * (np.sum(x * g) > 0)),
}  # fmt: skip

FACTORS: dict[str, tuple[str, str, Callable[[float], float]]] = {
    "scale": ("scale", "s", lambda s: s),
    "minus": ("-scale", "-s", lambda s: -s),
    "complement": ("(1 - scale)", "(1 - s)", lambda s: 1 - s),
    "square": ("scale**2", "s^2", lambda s: s**2),
    "half": ("scale / 2", r"\tfrac{s}{2}", lambda s: s / 2),
}
REST = {
    "kept": ("as it is", "+ ", 1.0),
    "stopped": ("not at all", "+ 0 ", 0.0),
    "reversed": ("with its sign changed", "- ", -1.0),
    "doubled": ("doubled", "+ 2 ", 2.0),
}


def space() -> list[Operation]:
    """List the operations: which part, up to which threshold, by which factor, and what of the rest."""
    return [
        {"part": name, "threshold": t, "factor": factor, "rest": rest}
        for name, part in PARTS.items()
        for t, factor, rest in product(part.thresholds, FACTORS, REST)
    ]


def cases(operation: Operation, random: np.random.Generator) -> list[Case]:
    """Two small inputs, and others with one axis and with more, at several scales."""
    runs: Sequence[tuple[tuple[int, ...], float, int]] = (
        *(((4,), 0.5, 12), ((4,), 2.0, 12), ((5,), 0.5, 12), ((3, 5), 0.25, 12)),
        *(((2, 3, 3), 2.0, 12), ((3, 5), 0.0, 12), ((6,), -0.75, 12), ((3,), 0.5, 2)),
    )
    return [
        Case(
            (quarters(random, *shape, most=most), quarters(random, *shape, most=most), s),
            f"for an array of shape {shape} and scale = {s:g}",
        )
        for shape, s, most in runs
    ]


def _rule(a: Callable[[float], float], b: float, split: Split, t: float) -> Function:
    def seen(x: Any, g: Any, s: float) -> dict[str, Any]:
        part = split(x, g, t)
        return {VALUE: x, TRACED: x, BACK: a(s) * part + b * (g - part)}

    return seen


def right(operation: Operation) -> Function:
    """Return the rule of a right answer."""
    a, b = FACTORS[operation["factor"]][2], REST[operation["rest"]][2]
    return _rule(a, b, PARTS[operation["part"]].split, operation["threshold"])


def neighbours(operation: Operation) -> list[Misconception]:
    """List the mistakes that it may be taken for."""
    part, t = PARTS[operation["part"]], operation["threshold"]
    a, b = FACTORS[operation["factor"]][2], REST[operation["rest"]][2]

    def one(name: str, message: str, rule: Function) -> Misconception:
        return Misconception(name, message, rule)

    def all_of(x: Any, g: Any, t: float) -> Any:
        return g

    return [
        one("identity", "the cotangent comes back as it went in.", _rule(lambda s: 1.0, 1.0, all_of, t)),
        one("scale_gradient",
            "the whole cotangent is multiplied by the scale. That is scale_gradient: it makes no "
            "difference between the part and the rest.", _rule(lambda s: s, 1.0, all_of, t)),
        one("everything", "the part's factor is on the whole cotangent.", _rule(a, b, all_of, t)),
        one("other_part", "the part and the rest have changed places.",
            lambda x, g, s: {VALUE: x, TRACED: x, BACK: a(s) * (g - part.split(x, g, t))
                             + b * part.split(x, g, t)}),
        *(one(f"rest_{name}", f"the part is right, and the rest arrives {words}.",
              _rule(a, other, part.split, t)) for name, (words, _, other) in REST.items()),
        one("part_stopped", "nothing of the part arrives, whatever the scale.",
            _rule(lambda s: 0.0, b, part.split, t)),
        one("part_kept", "the part arrives as it went in, whatever the scale.",
            _rule(lambda s: 1.0, b, part.split, t)),
        one("fixed_scale", "the part's factor does not depend on the scale, which is an argument.",
            _rule(lambda s: a(0.5), b, part.split, t)),
        *(one(f"factor_{name}", f"the rest is right; the part is multiplied by {words}.",
              _rule(other, b, part.split, t)) for name, (words, _, other) in FACTORS.items()),
        one("scaled_twice", "the rest is right; the part is multiplied by its factor twice.",
            _rule(lambda s: a(s) ** 2, b, part.split, t)),
        *(one(f"part_{name}", f"another part is treated as the part: {LIKENESSES[name][0]}.",
              _rule(a, b, LIKENESSES[name][1], t)) for name in part.resembles),
        one("threshold_one", "the threshold is 1, and another one is asked for.",
            _rule(a, b, part.split, 1.0)),
        one("clipped", "each entry is clipped to the threshold, whatever the scale.",
            _rule(lambda s: 1.0, 0.0, PARTS["core"].split, t or 1.0)),
        one("only_the_part", "the part alone comes back, as it went in: the rest is lost.",
            _rule(lambda s: 1.0, 0.0, part.split, t)),
    ]  # fmt: skip


def judged(compare: Comparison) -> Callable[[Observations], Finding]:
    """The comparison, once the value is seen to go through unchanged."""

    def judge(observations: Observations) -> Finding:
        try:
            results = require_results(observations, compare.cases, differentiated=True)
            for case, seen in zip(compare.cases, results, strict=True):
                require_like(case, _part(seen, VALUE), case.arguments[0])
                if isinstance(seen, dict) and TRACED in seen:
                    require_like(case, seen[TRACED], case.arguments[0])
        except Mistake as mistake:
            return mistake.finding
        finding = compare(Observations(tuple(Observation(_with_value_of(*one)) for one in
                                         zip(results, compare.cases, strict=True))))  # fmt: skip
        for case, seen in zip(compare.cases, results, strict=True):
            if not all(np.allclose(_part(seen, key), case.arguments[0], rtol=1e-4)
                       for key in (VALUE, TRACED) if key in seen):  # fmt: skip
                also = "The cotangent is right." if finding.passed else "So is the cotangent wrong."
                name = "value_changed" if finding.passed else "value_and_cotangent"
                return Finding(
                    name, f"{case.words} the value does not come out as x went in. {also}"
                )
        if finding.passed and any(TRACED not in seen for seen in results):
            return Finding(
                "dtype_changed", "all is right but for the dtype, which is not that of x."
            )
        return finding

    return judge


def _part(seen: Any, key: str) -> Any:
    return seen.get(key) if isinstance(seen, dict) else seen


def _with_value_of(seen: Any, case: Case) -> Any:
    """Only the cotangent is compared: the value has a finding of its own."""
    x = case.arguments[0]
    return {VALUE: x, TRACED: x, BACK: _part(seen, BACK)}


def texts(operation: Operation, shown: Sequence[Case]) -> Texts:
    """The task, and a solution."""
    part, t = PARTS[operation["part"]], operation["threshold"]
    (source, sign, _), (words, rest, _) = FACTORS[operation["factor"]], REST[operation["rest"]]
    chosen = part.words.format(t=t)
    task = f"""\
Write `scale_a_part(x, scale)` for an array `x` of one axis or more, and a number `scale` of any sign.
It returns `x`, unchanged, in its shape and dtype. Its backward pass treats two parts of the cotangent $g$
differently. The **part** $p$ is: {chosen}. The **rest** is $g - p$. Where an entry does not belong to it,
$p$ is 0.

With $s$ = `scale`, what comes back is

$$ \\bar x = {sign}\\, p {rest}(g - p): $$

the part times `{source}`, and the rest {words}. No entry of $x$ or of $g$ is 0 in the tests, and none lies on a threshold."""
    also = f" {rest.replace('2 ', '2 * ')}(g - part)" if operation["rest"] != "stopped" else ""
    body = f"""\
@jax.custom_vjp
def identity(x):
    return x

def backward(x, g):
    part = {part.source.format(t=t)}
    return ({source} * part{also},)

identity.defvjp(lambda x: (x, x), backward)
return identity(x)"""
    examples = ["def backward_of(x, g, scale):",
                "    value, back = jax.vjp(lambda x: scale_a_part(x, scale), jnp.array(x))",
                "    return back(jnp.array(g))[0]", ""]  # fmt: skip
    for case in shown:
        x, g, s = case.arguments
        call = f"x={literal(x)}, g={literal(g)}, scale={s:g}"
        expected = right(operation)(x.astype(float), g.astype(float), s)[BACK]
        examples.append(example(f"backward_of({call})", expected))
    return Texts(
        task, "Returns x; backward, a part of the cotangent is scaled.", body, "\n".join(examples)
    )


FAMILY = Family(
    name="scale_a_part",
    title="Scale a part of the cotangent",
    signature="scale_a_part(x, scale)",
    probe="at_tensor",
    space=space,
    cases=cases,
    right=right,
    neighbours=neighbours,
    texts=texts,
    passed="the value goes through unchanged, and the part and the rest come back as they should.",
    partial={
        "dtype_changed": 0.75,
        "value_changed": 0.25,
        "fixed_scale": 0.25,
        **{f"factor_{name}": 0.5 for name in FACTORS},
        **{f"rest_{name}": 0.5 for name in REST},
        "scaled_twice": 0.5,
        "threshold_one": 0.5,
    },
    judged=judged,
)  # fmt: skip
