"""A bank of answers to the order of a step, which assignment 2 asks for."""

import jax
import optax

from scaleclip.ops import clip_by_global_norm, max_norm

SOLUTION = r"minimum|jnp|global_norm|w -"


def mean(gs):
    return jax.tree.map(lambda *g: sum(g) / len(g), *gs)


def cap_kernel(weights, cap):
    return {**weights, "w": max_norm(weights["w"], cap)}


def plain(weights, gs, scale, limit, rate, cap):
    unscaled = jax.tree.map(lambda g: g / scale, mean(gs))
    g, _ = clip_by_global_norm(unscaled, limit)
    return cap_kernel(jax.tree.map(lambda w, g: w - rate * g, weights, g), cap)


WRONG = {
    "unchanged": [lambda w, gs, s, c, r, k: w],
    "one_micro_batch": [
        lambda w, gs, s, c, r, k: plain(w, gs[:1], s, c, r, k),
        lambda w, gs, s, c, r, k: plain(w, gs[-1:], s, c, r, k),
    ],
    "not_unscaled": [lambda w, gs, s, c, r, k: plain(w, gs, 1.0, c, r, k)],
    "scaled_again": [lambda w, gs, s, c, r, k: plain(w, gs, 1 / s, c, r, k)],
    "caps_the_bias": [
        lambda w, gs, s, c, r, k: jax.tree.map(
            lambda leaf: max_norm(leaf, k), plain(w, gs, s, c, r, 1e9)
        )
    ],
    "limits_swapped": [lambda w, gs, s, c, r, k: plain(w, gs, s, k, r, c)],
    "uphill": [lambda w, gs, s, c, r, k: plain(w, gs, s, c, -r, k)],
    "no_rate": [lambda w, gs, s, c, r, k: plain(w, gs, s, c, 1.0, k)],
    # shapes, kinds
    "structure_changed": [
        lambda w, gs, s, c, r, k: plain(w, gs, s, c, r, k)["w"],
        lambda w, gs, s, c, r, k: (plain(w, gs, s, c, r, k), mean(gs)),
    ],
    "not_callable": [None, 1.0],
    "raises": [lambda w, gs: w, lambda w, gs, s, c, r, k: w - r * gs],
    "wrong": [
        lambda w, gs, s, c, r, k: jax.tree.map(lambda leaf: 0.9 * leaf, plain(w, gs, s, c, r, k))
    ],
}


def with_optax(weights, gs, scale, limit, rate, cap):
    optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(rate))
    unscaled = jax.tree.map(lambda g: g / scale, mean(gs))
    updates, _ = optimizer.update(unscaled, optimizer.init(weights))
    return cap_kernel(optax.apply_updates(weights, updates), cap)


RIGHT = {
    "line by line": plain,
    "with Optax": with_optax,
    "capped before and after": lambda w, gs, s, c, r, k: cap_kernel(plain(w, gs, s, c, r, k), k),
    "compiled": jax.jit(plain),
}
