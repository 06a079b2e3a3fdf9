"""Shared by the tests of private exercises: sets that are drawn, and answers to them."""

from __future__ import annotations

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
from gradlab_classroom.variants import sets

from gradlab.exercises.checking.probes import BACK
from gradlab.ops import scale_gradient

SEEDS = tuple(f"a seed for the tests, number {number}".encode() for number in range(3))
PARTS, HEADS, UNROLL, ROTATED = "scale_a_part", "clip_heads", "unroll_with_gates", "cap_rotated"


@cache
def drawn(seed):
    return sets.draw(seed)


def variant(seed, name):
    (found,) = (variant for variant in drawn(seed).variants if variant.name == name)
    return found


def solution(one):
    """The function that a solution's source text defines, on its own."""
    namespace = {"jax": jax, "jnp": jnp, "np": np, "scale_gradient": scale_gradient}
    exec(one.cell(), namespace)
    return namespace[one.name]


def operation(one):
    return {key: value for key, value in one.parameters.items() if key != "cases"}


def rules(one):
    """Return what is right, and each misconception by its name, as they were written down."""
    comparison = sets.FAMILIES[one.family].comparison(one.parameters)
    return comparison.right, {each.name: each.answers[0] for each in comparison.misconceptions}


# ------------------------------------------------------ a rule in NumPy as an answer to a probe


def as_answer(name, rule):
    if name == UNROLL:
        return partial(unrolled, rule)
    return partial(backward if name == PARTS else forward, rule)


def forward(rule, given, limit):
    with np.errstate(all="ignore"):
        if not isinstance(given, dict):
            return jnp.float32(rule(np.asarray(given), limit))
        grads = {name: np.asarray(g) for name, g in given.items()}  # tree.map would sort them
        return {name: jnp.float32(g) for name, g in rule(grads, limit).items()}


def backward(rule, x, scale):
    @jax.custom_vjp
    def identity(x):
        return x

    def back(x, g):
        return (jnp.float32(rule(np.asarray(x), np.asarray(g), scale)[BACK]),)

    identity.defvjp(lambda x: (x, x), back)
    return identity(x)


def unrolled(gates, step, loss, theta, h, steps, scale, gate=scale_gradient):
    """The unroll with a gate at each place, by JAX: the rule itself goes backward by hand."""
    losses, h = [], gate(h, gates.root(0, steps, scale))
    for k in range(1, steps + 1):
        before, h = h, step(theta, h)
        read = before if gates.early else h
        losses.append(loss(theta, gate(read, gates.head(k, steps, scale))))
        factor = gates.between(k, steps, scale)
        h = factor * h if gates.real else gate(h, factor)
    return sum(losses) / (steps if gates.mean else 1)
