"""A family: two lines with scale_gradient in an unroll, at places and with factors that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from gradlab.exercises.checking.comparisons import Function, Misconception
from gradlab.exercises.checking.findings import Case
from gradlab.exercises.checking.forms import require_a_loss
from gradlab_classroom.variants.family import Family, Operation, Texts
from gradlab_classroom.variants.numbers import example, literal, quarters

Gate = Callable[[int, int, float], float]
"""From the number k of an application, the number of all and the scale to a factor."""

WHEN: dict[str, tuple[str, str, Callable[[int], bool]]] = {
    "all": ("every k", "True", lambda k: True),
    "odd": ("odd k", "k % 2 == 1", lambda k: k % 2 == 1),
    "even": ("even k", "k % 2 == 0", lambda k: k % 2 == 0),
    "late": ("every k from 2 on", "k >= 2", lambda k: k >= 2),
}
"""After which applications the state that goes on is scaled."""

BETWEEN: dict[str, tuple[str, Callable[[int, float], float]]] = {
    "scale": ("scale", lambda k, s: s),
    "square": ("scale**2", lambda k, s: s**2),
    "power": ("scale**k", lambda k, s: s**k),
    "shared": ("scale / k", lambda k, s: s / k),
}

PLACES: dict[str, tuple[str, str]] = {
    "root": ("the first state, before the first application", ""),
    "odd_heads": ("the state that the head reads after an application with odd k", "k % 2 == 1"),
    "even_heads": ("the state that the head reads after an application with even k", "k % 2 == 0"),
    "first_head": ("the state that the head reads after the first application", "k == 1"),
    "last_head": ("the state that the head reads after the last application", "k == steps"),
}
"""Places of the other line."""

OTHER: dict[str, tuple[str, Callable[[float], float]]] = {
    "scale": ("scale", lambda s: s),
    "square": ("scale**2", lambda s: s**2),
    "half": ("0.5", lambda s: 0.5),
}


@dataclass(frozen=True)
class Gates:
    """A factor at each place, the state as it is where nothing is said.

    Attributes:
      root: at the first state.
      head: at the state that a head reads.
      between: at the state that goes on to the next application.
      real: whether the state that goes on is multiplied forward too.
      mean: whether the losses are averaged.
      early: whether a loss is that of the state before the application.
    """

    root: Gate = lambda k, steps, s: 1.0
    head: Gate = lambda k, steps, s: 1.0
    between: Gate = lambda k, steps, s: 1.0
    real: bool = False
    mean: bool = False
    early: bool = False

    def __call__(self, head: str, theta: Any, h: Any, steps: int, s: float) -> dict[str, Any]:
        """Return what the probe ``unroll`` sees: the loss, and the gradients of theta and of h."""
        states, entered, total = [np.asarray(h, float)], [], 0.0
        for k in range(1, steps + 1):
            forward = self.between(k - 1, steps, s) if self.real and k > 1 else 1.0
            entered.append(forward * states[-1])
            states.append(np.tanh(theta @ entered[-1]))
        read = states[:-1] if self.early else states[1:]
        for state in read:
            total += float(np.sum((state - TARGET) ** 2))
            total += 0.2 * float(np.sum(theta @ state)) if head == "both" else 0.0
        back, d_theta = np.zeros(2), np.zeros((2, 2))
        for k in range(steps, 0, -1):
            back = back if k == steps else self.between(k, steps, s) * back
            if not self.early:
                back = back + self.head(k, steps, s) * self._heard(head, theta, states[k])
            elif k < steps:  # the state that a head reads has passed the line between
                heard = self.head(k + 1, steps, s) * self._heard(head, theta, states[k])
                back = back + self.between(k, steps, s) * heard
            a = back * (1 - states[k] ** 2)
            d_theta += np.outer(a, entered[k - 1])
            back = theta.T @ a
        if head == "both":
            d_theta += 0.2 * np.outer(np.ones(2), np.sum(read, axis=0))
        if self.early:
            back = back + self.head(1, steps, s) * self._heard(head, theta, states[0])
        part = 1 / steps if self.mean else 1.0
        return {
            "loss": part * total,
            "theta": part * d_theta,
            "h": part * self.root(0, steps, s) * back,
        }

    @staticmethod
    def _heard(head: str, theta: Any, state: Any) -> Any:
        own = 2 * (state - TARGET)
        return own + 0.2 * theta.T @ np.ones(2) if head == "both" else own


TARGET = np.array([0.3, -0.8])
"""Of the heads in ``gradlab.exercises.checking.probes``."""


def space() -> list[Operation]:
    """List the operations. The placements that the book has names for are not among them."""
    return [
        {"when": when, "between": between, "place": place, "other": other}
        for when, between, place, other in product(WHEN, BETWEEN, PLACES, OTHER)
        if (when, between, place, other) != ("all", "scale", "root", "scale")  # every_input
    ]


def _between(when: Callable[[int], bool], factor: Callable[[int, float], float]) -> Gate:
    return lambda k, steps, s: factor(k, s) if when(k) else 1.0


def _at(place: str, factor: Callable[[float], float]) -> Gates:
    """The other line by itself."""
    if place == "root":
        return Gates(root=lambda k, steps, s: factor(s))
    stands: dict[str, Callable[[int, int], bool]] = {
        "odd_heads": lambda k, steps: k % 2 == 1,
        "even_heads": lambda k, steps: k % 2 == 0,
        "first_head": lambda k, steps: k == 1,
        "last_head": lambda k, steps: k == steps,
    }
    here = stands[place]
    return Gates(head=lambda k, steps, s: factor(s) if here(k, steps) else 1.0)


def gates(operation: Operation) -> Gates:
    """Both lines of an operation."""
    other = _at(operation["place"], OTHER[operation["other"]][1])
    when, factor = WHEN[operation["when"]][2], BETWEEN[operation["between"]][1]
    return replace(other, between=_between(when, factor))


def right(operation: Operation) -> Function:
    """Return the rule of a right answer."""
    return gates(operation)


def neighbours(operation: Operation) -> list[Misconception]:
    """List the mistakes that it may be taken for."""
    whole = gates(operation)
    factor, other = BETWEEN[operation["between"]][1], OTHER[operation["other"]][1]
    when = WHEN[operation["when"]][2]
    one = Misconception

    def every(k: int, steps: int, s: float) -> float:
        return s

    def moved(place: str) -> Gates:
        return replace(_at(place, other), between=whole.between)

    def squared(gate: Gate) -> Gate:
        return lambda k, steps, s: gate(k, steps, s) ** 2

    def before_it(k: int, steps: int, s: float) -> float:
        """The state is scaled for the head as well as for the next application."""
        return whole.head(k, steps, s) * (whole.between(k, steps, s) if k < steps else 1.0)

    return [
        one("no_scale", "the loss is right, and every gradient arrives whole.", Gates()),
        one("after_heads", "the state that goes on is scaled after each application, and nothing else "
            "is: that is the public scaled_unroll.", Gates(between=every)),
        one("every_input", "each application's input is scaled, the first one's too, and nothing else "
            "is.", Gates(between=every, root=every)),
        one("before_heads", "each state is scaled before its head reads it, and nothing else is.",
            Gates(between=every, head=every)),
        one("first_line_only", "the states that go on are scaled as they should be; the other line is "
            "missing.", Gates(between=whole.between)),
        one("second_line_only", "the line on the states that go on is missing; the other one is right.",
            Gates(root=whole.root, head=whole.head)),
        *(one(f"when_{name}", f"the states that go on are scaled after other applications: {words}.",
              replace(whole, between=_between(chosen, factor)))
          for name, (words, _, chosen) in WHEN.items()),
        one("when_the_others", "the states that go on are scaled after just those applications after "
            "which they should not be: counted from 0 in place of 1, perhaps.",
            replace(whole, between=_between(lambda k: not when(k), factor))),
        one("counted_from_0", "the applications are counted from 0; the first one is k = 1.",
            replace(whole, between=_between(lambda k: when(k - 1), lambda k, s: factor(k - 1, s) if k > 1
                                            else factor(1, s)))),
        *(one(f"factor_{name}", f"the states that go on are scaled where they should be, by {words}.",
              replace(whole, between=_between(when, chosen)))
          for name, (words, chosen) in BETWEEN.items()),
        *(one(f"other_at_{place}", f"the other line stands elsewhere, at {words[0]}.", moved(place))
          for place, words in PLACES.items()),
        *(one(f"other_{name}", f"the other line's factor is {words}.",
              replace(_at(operation["place"], chosen), between=whole.between)) for name, (words, chosen) in OTHER.items()),
        one("before_its_head", "the state is scaled before its head reads it. The line is on the state that "
            "goes on to the next application.", replace(whole, head=before_it)),
        one("scaled_twice", "the states that go on are scaled twice.",
            replace(whole, between=squared(whole.between))),
        one("fixed_scale", "the factors do not depend on the scale, which is an argument.",
            Gates(_fixed(whole.root), _fixed(whole.head), _fixed(whole.between))),
        one("state_scaled", "the loss is not what it is without a scale: the state itself is multiplied.",
            replace(whole, real=True)),
        one("mean", "the mean of the losses is returned. Their sum is asked for.", replace(whole, mean=True)),
        one("one_step_early", "each loss is that of the state before the application.",
            replace(whole, early=True)),
    ]  # fmt: skip


def _fixed(gate: Gate) -> Gate:
    return lambda k, steps, s: gate(k, steps, 0.5)


def cases(operation: Operation, random: np.random.Generator) -> list[Case]:
    """Two short unrolls, then longer ones, at several scales."""
    found = []
    plan = ((3, 0.5, "state"), (2, 2.0, "state"), (5, 0.5, "state"), (4, 1.5, "state"),
            (5, -0.75, "both"), (6, 0.8, "state"), (3, 0.25, "both"), (2, 0.0, "state"))  # fmt: skip
    for steps, s, head in plan:
        # gradients neither vanish nor explode: a gain near 1, away from tanh's plateaus
        turned = np.array([[1.0, -0.5], [0.5, 1.0]]) + 0.4 * quarters(random, 2, 2, most=4) / 2
        theta = np.round(0.9 * turned.astype(float), 3)
        h = np.round(0.3 * quarters(random, 2, most=8).astype(float), 3)
        words = "" if head == "state" else " and a head that uses theta"
        found.append(
            Case((head, theta, h, steps, s), f"with steps = {steps}, scale = {s:g}{words}")
        )
    return found


def texts(operation: Operation, shown: Sequence[Case]) -> Texts:
    """The task, and a solution."""
    words, test, _ = WHEN[operation["when"]]
    factor, other = BETWEEN[operation["between"]][0], OTHER[operation["other"]][0]
    where, condition = PLACES[operation["place"]]
    task = f"""\
Write `unroll_with_gates(step, loss, theta, h, steps, scale)`. It applies `step(theta, h)`, which returns the next
state, `steps` times; after each application the head reads the new state, and `loss(theta, h)` is a number. The sum
of the losses is returned. With $h_0$ for the first state, and $k$ = 1, 2, ... for the applications,

$$ h_k = \\mathrm{{step}}(\\theta, h_{{k-1}}), \\qquad L = \\sum_{{k=1}}^{{K}} \\mathrm{{loss}}(\\theta, h_k). $$

In the backward pass two lines act, each a `scale_gradient` on a state. The value of $L$ does not notice them.

1. For **{words}**, the state that goes on from application $k$ to application $k + 1$ is scaled by `{factor}`. The
   head reads the state before that.
2. Also scaled, by `{other}`: **{where}**. {"" if operation["place"] == "root" else "Only the head reads what is scaled; the state that goes on is not touched by this line."}"""
    root = [f"h = scale_gradient(h, {other})"] if operation["place"] == "root" else []
    read = (
        ["    total = total + loss(theta, h)"]
        if operation["place"] == "root"
        else [f"    read = scale_gradient(h, {other}) if {condition} else h",
              "    total = total + loss(theta, read)"]
    )  # fmt: skip
    scaled = f"    h = scale_gradient(h, {factor})"
    if operation["when"] != "all":
        scaled = f"    if {test}:\n    {scaled}"
    body = "\n".join(
        ["total = 0.0", *root, "for k in range(1, steps + 1):", "    h = step(theta, h)", *read, scaled,
         "return total"]
    )  # fmt: skip
    examples = ["def step(theta, h):", "    return jnp.tanh(theta @ h)", "", "def loss(theta, h):",
                "    return jnp.sum((h - jnp.array([0.3, -0.8])) ** 2)", "",
                "def both(theta, h, steps, scale):",
                "    def reported(theta, h):",
                "        return unroll_with_gates(step, loss, theta, h, steps, scale)",
                "    loss_, (theta, h) = jax.value_and_grad(reported, (0, 1))(jnp.array(theta), jnp.array(h))",
                "    return {'loss': loss_, 'theta': theta, 'h': h}", ""]  # fmt: skip
    for case in shown:
        _, theta, h, steps, s = case.arguments
        call = f"theta={literal(theta)}, h={literal(h)}, steps={steps}, scale={s:g}"
        examples.append(example(f"both({call})", right(operation)(*case.arguments)))
    return Texts(task, "Returns the sum of the losses; backward, two lines scale states.", body,
                 "\n".join(examples))  # fmt: skip


def paths(operation: Operation, steps: int, s: float) -> list[float]:
    """Return what the first state hears of each loss: the product of the factors on the way."""
    both = gates(operation)
    way, found = both.root(0, steps, s), []
    for k in range(1, steps + 1):
        found.append(way * both.head(k, steps, s))
        way *= both.between(k, steps, s)
    return found


FAMILY = Family(
    name="unroll_with_gates",
    title="Two lines in an unroll",
    signature="unroll_with_gates(step, loss, theta, h, steps, scale)",
    probe="unroll",
    space=space,
    cases=cases,
    right=right,
    neighbours=neighbours,
    texts=texts,
    passed="the loss is the plain sum, and every gradient arrives with the factors of the lines it passed.",
    partial={
        "mean": 0.5,
        "first_line_only": 0.5,
        "second_line_only": 0.5,
        "counted_from_0": 0.5,
        "before_its_head": 0.5,
        "scaled_twice": 0.5,
        **{f"factor_{name}": 0.5 for name in BETWEEN},
        **{f"other_{name}": 0.75 for name in OTHER},
        **{f"when_{name}": 0.5 for name in (*WHEN, "the_others")},
    },
    read=require_a_loss,
)
