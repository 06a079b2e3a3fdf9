"""Answers to private exercises: unusual right ones pass, and each wrong one is named."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gradlab_classroom.variants import heads, parts, rotations
from gradlab_classroom.variants.sets import FAMILIES

from classroom.tests.drawn import (
    HEADS,
    PARTS,
    ROTATED,
    SEEDS,
    UNROLL,
    as_answer,
    operation,
    rules,
    solution,
    unrolled,
    variant,
)
from classroom.tests.tiers import first_of
from gradlab.exercises.checking.probes import BACK

pytestmark = pytest.mark.exhaustive
SEED = pytest.mark.parametrize("seed", first_of(SEEDS))


class Answer:
    def __init__(self, function):
        self.function = function

    def __call__(self, *given):
        return self.function(*given)


# ------------------------------------------------------------------------------ right ways


def two_gates(one):
    """One path for the part, one for the rest, and the value put right."""
    right = operation(one)
    part, t = parts.PARTS[right["part"]], right["threshold"]
    a, b = parts.FACTORS[right["factor"]][2], parts.REST[right["rest"]][2]

    def gate(backward):
        @jax.custom_vjp
        def identity(x):
            return x

        identity.defvjp(lambda x: (x, x), lambda x, g: (jnp.float32(backward(np.array(x), g)),))
        return identity

    def answer(x, scale):
        of_part = gate(lambda x, g: a(scale) * part.split(x, np.array(g), t))
        of_rest = gate(lambda x, g: b * (np.array(g) - part.split(x, np.array(g), t)))
        return of_part(x) + of_rest(x) - jax.lax.stop_gradient(x)

    return answer


def entry_by_entry(one):
    rule, _ = rules(one)

    def answer(x, scale):
        @jax.custom_vjp
        def identity(x):
            return x

        def backward(x, g):
            back = np.zeros(g.shape, np.float32)
            if operation(one)["part"] in ("odd", "even"):  # an entry has to know its place
                back[...] = rule(np.array(x), np.array(g), scale)[BACK]
            else:
                for place in np.ndindex(g.shape):
                    entry = np.array(x[place])[None], np.array(g[place])[None]
                    back[place] = rule(*entry, scale)[BACK][0]
            return (jnp.array(back),)

        identity.defvjp(lambda x: (x, x), backward)
        return identity(x)

    return answer


def right_parts(one):
    own, (rule, _) = solution(one), rules(one)
    return {
        "the solution": own,
        "with a rule in NumPy": as_answer(PARTS, rule),
        "two gates that are added": two_gates(one),
        "entry by entry": entry_by_entry(one),
        "compiled": jax.jit(own, static_argnums=1),
        "a callable object": Answer(own),
        "a change that is added to the gradient": lambda x, scale: (
            jax.lax.stop_gradient(x) + own(x, scale) - jax.lax.stop_gradient(x)
        ),
    }


def heads_one_at_a_time(one):
    """By hand, with lists of Python's numbers."""
    right = operation(one)

    def answer(grads, limit):
        lists = {name: np.asarray(g, float).ravel().tolist() for name, g in grads.items()}
        part = {name: row for name, row in lists.items() if name != right["exempt"]}
        measure = {"1": lambda row: sum(map(abs, row)), "2": lambda row: sum(v * v for v in row) ** 0.5,
                   "inf": lambda row: max(map(abs, row))}[right["norm"]]  # fmt: skip
        norms = {name: measure(row) for name, row in part.items()}
        sizes = {name: len(row) for name, row in part.items()}
        allowed = heads.targets(right["share"], norms, sizes, limit, False)
        return {
            name: jnp.array(
                [v * allowed[name] / norms[name] if norms.get(name, 0) > allowed.get(name, 0) else v
                 for v in lists[name]], jnp.float32).reshape(g.shape)
            for name, g in grads.items()
        }  # fmt: skip

    return answer


def right_heads(one):
    own, (rule, _) = solution(one), rules(one)
    return {
        "the solution": own,
        "in NumPy": lambda grads, limit: rule(
            {name: np.asarray(g) for name, g in grads.items()}, limit
        ),
        "in lists": heads_one_at_a_time(one),
        "keys in another order": lambda grads, limit: dict(
            reversed(list(own(grads, limit).items()))
        ),
        "in other units": lambda grads, limit: jax.tree.map(
            lambda g: g / 8, own(jax.tree.map(lambda g: 8 * g, grads), 8 * limit)
        ),
        "with both signs changed": lambda grads, limit: jax.tree.map(
            jnp.negative, own(jax.tree.map(jnp.negative, grads), limit)
        ),
        "a callable object": Answer(own),
    }


def right_rotated(one):
    own, (rule, _) = solution(one), rules(one)
    right = operation(one)
    there = jnp.array(rotations.turn(right["planes"], right["degrees"]), jnp.float32)

    def row_by_row(w, limit):
        rows = there @ (w if right["side"] == "rows" else w.T)
        kept = []
        for row in rows:
            n = jnp.linalg.norm(row, ord={"1": 1, "2": 2, "inf": jnp.inf}[right["norm"]])
            kept.append(jnp.where(n > limit, row * limit / jnp.maximum(n, limit), row))
        back = jnp.linalg.solve(there, jnp.stack(kept))
        return back if right["side"] == "rows" else back.T

    across = (slice(None), slice(None, None, -1))
    if right["side"] == "columns":
        across = across[::-1]
    return {
        "the solution": own,
        "in NumPy": lambda w, limit: rule(np.asarray(w), limit),
        "row by row, and a system of equations back": row_by_row,
        "in other units": lambda w, limit: own(4 * w, 4 * limit) / 4,
        "mirrored": lambda w, limit: -own(-w, limit),
        "in another order": lambda w, limit: own(w[across], limit)[across],
        "compiled": jax.jit(own),
    }


def one_line(x, scale):
    return x * scale + jax.lax.stop_gradient(x) * (1 - scale)


def backwards(gates, step, loss, theta, h, steps, scale):
    """Compute all states first, then all losses, the last one first."""
    entering, states = one_line(h, gates.root(0, steps, scale)), []
    for k in range(1, steps + 1):
        states.append(step(theta, entering))
        entering = one_line(states[-1], gates.between(k, steps, scale))
    total = jnp.zeros(())
    for k in reversed(range(steps)):
        total += loss(theta, one_line(states[k], gates.head(k + 1, steps, scale)))
    return total


def right_unroll(one):
    own, (gates, _) = solution(one), rules(one)

    def from_the_end(step, loss, theta, h, steps, scale):
        def tail(h, k):
            h = step(theta, h)
            own_loss = loss(theta, one_line(h, gates.head(k, steps, scale)))
            if k == steps:
                return own_loss
            return own_loss + tail(one_line(h, gates.between(k, steps, scale)), k + 1)

        return tail(one_line(h, gates.root(0, steps, scale)), 1)

    return {
        "the solution": own,
        "with a list of losses": as_answer(UNROLL, gates),
        "by recursion": from_the_end,
        "with the one-line gate": lambda *given: unrolled(gates, *given, gate=one_line),
        "with the losses added backwards": lambda *given: backwards(gates, *given),
        "a callable object": Answer(own),
    }


RIGHT = {PARTS: right_parts, HEADS: right_heads, ROTATED: right_rotated}


@SEED
@pytest.mark.parametrize("name", first_of(RIGHT))
def test_an_unusual_right_answer_passes(seed, name):
    one = variant(seed, name)
    answers = RIGHT[name](one)
    assert len(answers) >= 6
    for words, answer in answers.items():
        finding = one.exercise.examine(answer)
        assert finding.passed, (words, finding)


def test_an_unusual_right_unroll_passes():
    one = variant(SEEDS[0], UNROLL)
    for words, answer in right_unroll(one).items():
        finding = one.exercise.examine(answer)
        assert finding.passed, (words, finding)


@pytest.mark.parametrize("name", first_of([PARTS, HEADS, ROTATED, UNROLL]))
def test_a_right_answer_passes_in_64_bits_too(name):
    one = variant(SEEDS[0], name)
    with jax.enable_x64(True):
        assert one.exercise.examine(solution(one)).passed


# ------------------------------------------------------------------------------ wrong ones


@SEED
@pytest.mark.parametrize("name", [PARTS, HEADS, ROTATED])
def test_every_misconception_is_named_when_it_is_an_answer(seed, name):
    one = variant(seed, name)
    _, wrong = rules(one)
    assert len(wrong) >= 8
    for finding, rule in wrong.items():
        assert one.exercise.examine(as_answer(name, rule)).name == finding


def test_the_misconceptions_of_an_unroll_are_named():
    one = variant(SEEDS[0], UNROLL)
    _, wrong = rules(one)
    chosen = list(wrong)[::3]
    assert len(chosen) >= 8
    for finding in chosen:
        assert one.exercise.examine(as_answer(UNROLL, wrong[finding])).name == finding


@SEED
@pytest.mark.parametrize("name", [PARTS, HEADS, UNROLL, ROTATED])
def test_what_is_no_answer_is_named_and_earns_nothing(seed, name):
    one = variant(seed, name)
    for finding, answer in {
        "not_callable": 3.0,
        "not_attempted": lambda *given: None,
        "raises": lambda one_argument_only: one_argument_only,
    }.items():
        found = one.exercise.examine(answer)
        assert found.name == finding
        assert one.exercise.credit(found) == 0


@SEED
def test_other_forms_of_a_result_are_named(seed):
    part, head, cap = (variant(seed, name) for name in (PARTS, HEADS, ROTATED))
    own = {member.name: solution(member) for member in (part, head, cap)}
    for member, finding, answer in (
        (part, "shape_changed", lambda x, scale: jnp.sum(x)),
        (part, "value_changed", lambda x, scale: own[PARTS](x, scale) + 1),
        (part, "value_and_cotangent", lambda x, scale: 3 * x),
        (head, "structure_changed", lambda grads, limit: list(grads.values())),
        (head, "structure_changed", lambda grads, limit: {"policy": 1.0}),
        (head, "shape_changed", lambda grads, limit: jax.tree.map(jnp.sum, grads)),
        (cap, "shape_changed", lambda w, limit: own[ROTATED](w, limit).T[:1]),
        (cap, "wrong", lambda w, limit: 0.9 * w),
    ):
        assert member.exercise.examine(answer).name == finding


def test_a_right_answer_of_another_dtype_keeps_most_of_its_points():
    one = variant(SEEDS[0], PARTS)
    own = solution(one)

    def wide(x, scale):
        return own(x, scale).astype(jnp.float64)

    with jax.enable_x64(True):
        finding = one.exercise.examine(wide)
    assert finding.name == "dtype_changed"
    assert one.exercise.credit(finding) == 0.75


@SEED
def test_a_neighbour_keeps_a_part_of_the_points_and_no_finding_is_worth_more(seed):
    for name in (PARTS, HEADS, UNROLL, ROTATED):
        exercise = variant(seed, name).exercise
        assert exercise.partial
        assert all(0 < part < 1 for part in exercise.partial.values())


@SEED
def test_the_messages_of_two_findings_differ(seed):
    for name in (PARTS, HEADS, UNROLL, ROTATED):
        one = variant(seed, name)
        found = FAMILIES[name].comparison(one.parameters).misconceptions
        messages = {each.name: each.message for each in found}
        assert len(set(messages.values())) == len(messages)
