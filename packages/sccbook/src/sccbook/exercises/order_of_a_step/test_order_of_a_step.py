"""A bank of answers to the order of a step, which assignment 2 asks for."""

import jax
import optax

from scaleclip.ops import clip_by_global_norm, clip_by_norm, clip_by_value, max_norm

SOLUTION = r"minimum|jnp|global_norm|w -"

tree = jax.tree


def mean(gs):
    return tree.map(lambda *g: sum(g) / len(g), *gs)


def total(gs):
    return tree.map(lambda *g: sum(g), *gs)


def times(g, factor):
    return tree.map(lambda leaf: leaf * factor, g)


def clip(g, limit):
    return clip_by_global_norm(g, limit)[0]


def move(weights, rate, g):
    return tree.map(lambda w, g: w - rate * g, weights, g)


def cap_kernel(weights, cap):
    return {**weights, "w": max_norm(weights["w"], cap)}


def plain(weights, gs, scale, limit, rate, cap):
    g = clip(times(mean(gs), 1 / scale), limit)
    return cap_kernel(move(weights, rate, g), cap)


WRONG = {
    "unchanged": [lambda w, gs, s, c, r, k: w],
    "clip_before_unscaling": [
        lambda w, gs, s, c, r, k: cap_kernel(move(w, r, times(clip(mean(gs), c), 1 / s)), k),
        lambda w, gs, s, c, r, k: cap_kernel(move(w, r / s, clip(mean(gs), c)), k),
    ],
    "clips_every_micro_batch": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, mean([clip(times(g, 1 / s), c) for g in gs])), k
        ),
    ],
    "clips_scaled_micro_batches": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, times(mean([clip(g, c) for g in gs]), 1 / s)), k
        ),
    ],
    "clips_the_sum": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r / len(gs), clip(times(total(gs), 1 / s), c)), k
        ),
    ],
    "clips_the_update": [
        lambda w, gs, s, c, r, k: cap_kernel(move(w, 1.0, clip(times(mean(gs), r / s), c)), k),
    ],
    "never_clipped": [
        lambda w, gs, s, c, r, k: cap_kernel(move(w, r / s, mean(gs)), k),
    ],
    "clips_the_weights": [
        lambda w, gs, s, c, r, k: cap_kernel(clip(move(w, r / s, mean(gs)), c), k),
    ],
    "constrained_before_the_step": [
        lambda w, gs, s, c, r, k: move(cap_kernel(w, k), r, clip(times(mean(gs), 1 / s), c)),
    ],
    "constrains_the_gradient": [
        lambda w, gs, s, c, r, k: move(w, r, cap_kernel(clip(times(mean(gs), 1 / s), c), k)),
        lambda w, gs, s, c, r, k: move(w, r, clip(cap_kernel(times(mean(gs), 1 / s), k), c)),
        lambda w, gs, s, c, r, k: move(
            w, 1.0, cap_kernel(times(clip(times(mean(gs), 1 / s), c), r), k)
        ),
    ],
    "never_constrained": [
        lambda w, gs, s, c, r, k: move(w, r, clip(times(mean(gs), 1 / s), c)),
    ],
    "sums": [lambda w, gs, s, c, r, k: plain(w, [total(gs)], s, c, r, k)],
    "one_micro_batch": [
        lambda w, gs, s, c, r, k: plain(w, gs[:1], s, c, r, k),
        lambda w, gs, s, c, r, k: plain(w, gs[-1:], s, c, r, k),
    ],
    "not_unscaled": [lambda w, gs, s, c, r, k: plain(w, gs, 1.0, c, r, k)],
    "unscaled_twice": [
        lambda w, gs, s, c, r, k: plain(w, [times(g, 1 / s) for g in gs], s, c, r, k)
    ],
    "scaled_again": [lambda w, gs, s, c, r, k: plain(w, gs, 1 / s, c, r, k)],
    "clips_each_leaf": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, clip_by_norm(times(mean(gs), 1 / s), c)), k
        ),
    ],
    "clips_the_kernel_alone": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, (lambda g: {**g, "w": clip(g["w"], c)})(times(mean(gs), 1 / s))), k
        ),
    ],
    "clips_by_value": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, clip_by_value(times(mean(gs), 1 / s), -c, c)), k
        ),
    ],
    "always_normalised": [
        lambda w, gs, s, c, r, k: cap_kernel(
            move(w, r, times(mean(gs), c / optax.tree.norm(mean(gs)))), k
        ),
    ],
    "caps_the_wrong_norm": [
        lambda w, gs, s, c, r, k: (lambda new: {**new, "w": max_norm(new["w"], k, axis=1)})(
            plain(w, gs, s, c, r, 1e9)
        ),
        lambda w, gs, s, c, r, k: clip(plain(w, gs, s, c, r, 1e9), k),
        lambda w, gs, s, c, r, k: (lambda new: {**new, "w": clip(new["w"], k)})(
            plain(w, gs, s, c, r, 1e9)
        ),
    ],
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
    "wrong": [lambda w, gs, s, c, r, k: times(plain(w, gs, s, c, r, k), 0.9)],
}


def with_optax(weights, gs, scale, limit, rate, cap):
    optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(rate))
    updates, _ = optimizer.update(times(mean(gs), 1 / scale), optimizer.init(weights))
    return cap_kernel(optax.apply_updates(weights, updates), cap)


RIGHT = {
    "line by line": plain,
    "unscaled one by one": lambda w, gs, s, c, r, k: plain(
        w, [times(g, 1 / s) for g in gs], 1.0, c, r, k
    ),
    "with Optax": with_optax,
    "capped before and after": lambda w, gs, s, c, r, k: cap_kernel(plain(w, gs, s, c, r, k), k),
    "compiled": jax.jit(plain),
}
