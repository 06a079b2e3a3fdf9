"""A bank of answers to chapter 12's exercise."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from gradlab.ops import clip_by_global_norm

SOLUTION = r"minimum\(|maximum\(|jnp|max_norm / n"

norm = jnp.linalg.norm


def clip(g, c):
    return g * jnp.minimum(1.0, c / jnp.maximum(norm(g), 1e-30))


def walk(step):
    """An answer that takes ``step(gradient, w, eta, c)`` from one w to the next."""

    def descend(gradient, start, eta, c, steps):
        w = start
        for _ in range(steps):
            w = step(gradient, w, eta, c)
        return w

    return descend


def descent(change):
    return walk(lambda gradient, w, eta, c: w - change(gradient(w), eta, c))


right = descent(lambda g, eta, c: eta * clip(g, c))


def factor_found_once(gradient, w, eta, c, steps):
    factor = jnp.minimum(1.0, c / jnp.maximum(norm(gradient(w)), 1e-30))
    return descent(lambda g, eta, c: eta * factor * g)(gradient, w, eta, c, steps)


def clipped_in_the_end(gradient, start, eta, c, steps):
    w = descent(lambda g, eta, c: eta * g)(gradient, start, eta, c, steps)
    return start + eta * clip((w - start) / eta, c)


def return_in_the_loop(gradient, w, eta, c, steps):
    for _ in range(steps):
        return w - eta * clip(gradient(w), c)
    return w - eta * clip(gradient(w), c)


def never_assigned(gradient, w, eta, c, steps):
    for _ in range(steps):
        w - eta * clip(gradient(w), c)
    return w


def no_return(*given):
    right(*given)


def path(gradient, w, eta, c, steps):
    places = [w]
    for _ in range(steps):
        places.append(places[-1] - eta * clip(gradient(places[-1]), c))
    return places


WRONG = {
    "not_clipped": [descent(lambda g, eta, c: eta * g)],
    "clips_the_update": [descent(lambda g, eta, c: clip(eta * g, c))],
    "clips_by_value": [descent(lambda g, eta, c: eta * jnp.clip(g, -c, c))],
    "clips_the_weights": [walk(lambda gradient, w, eta, c: clip(w - eta * gradient(w), c))],
    "clips_the_inputs": [walk(lambda gradient, w, eta, c: w - eta * gradient(clip(w, c)))],
    "always_normalised": [
        descent(lambda g, eta, c: eta * c * g / jnp.maximum(norm(g), 1e-30)),
        descent(lambda g, eta, c: eta * c * g / norm(g)),
    ],
    "unit_length": [descent(lambda g, eta, c: eta * g / jnp.maximum(norm(g), 1e-30))],
    "limit_ignored": [descent(lambda g, eta, c: eta * clip(g, 1.0))],
    "cut_to_one": [descent(lambda g, eta, c: eta * jnp.where(norm(g) > c, g / norm(g), g))],
    "skips_the_step": [descent(lambda g, eta, c: eta * jnp.where(norm(g) > c, 0.0, g))],
    "learning_rate_missing": [descent(lambda g, eta, c: clip(g, c))],
    "limit_times_learning_rate": [descent(lambda g, eta, c: eta * clip(g, eta * c))],
    "uphill": [descent(lambda g, eta, c: -eta * clip(g, c))],
    "squared": [descent(lambda g, eta, c: eta * g * jnp.minimum(1, c / jnp.maximum(g @ g, 1e-30)))],
    "sum_of_sizes": [
        descent(
            lambda g, eta, c: eta * g * jnp.minimum(1, c / jnp.maximum(jnp.abs(g).sum(), 1e-30))
        )
    ],
    "largest_entry": [
        descent(
            lambda g, eta, c: eta * g * jnp.minimum(1, c / jnp.maximum(jnp.abs(g).max(), 1e-30))
        )
    ],
    "multiplied_by_the_limit": [descent(lambda g, eta, c: eta * c * g)],
    "only_lengthens": [
        descent(lambda g, eta, c: eta * g * jnp.maximum(1.0, c / jnp.maximum(norm(g), 1e-30)))
    ],
    "upside_down": [descent(lambda g, eta, c: eta * g * jnp.maximum(1.0, norm(g) / c))],
    "first_factor_kept": [factor_found_once],
    "first_gradient_kept": [
        lambda gradient, w, *rest: descent(lambda g, eta, c: eta * clip(gradient(w), c))(
            gradient, w, *rest
        )
    ],
    "total_clipped": [clipped_in_the_end],
    "one_step_short": [lambda *given: right(*given[:4], given[4] - 1)],
    "one_step_more": [lambda *given: right(*given[:4], given[4] + 1)],
    "one_step_alone": [return_in_the_loop],
    "returns_the_start": [never_assigned, lambda gradient, w, eta, c, steps: w],
    "nan_at_zero": [descent(lambda g, eta, c: eta * g / norm(g) * jnp.minimum(norm(g), c))],
    "short_ones_change": [
        descent(lambda g, eta, c, e=e: eta * g * jnp.minimum(norm(g), c) / (norm(g) + e))
        for e in (1e-1, 1e-2)
    ],
    # shapes, kinds
    "returns_the_path": [path, lambda *given: jnp.stack(path(*given)), lambda *given: (given[1],)],
    "returns_none": [no_return],
    "shape_changed": [lambda gradient, w, eta, c, steps: norm(w)],
    "not_callable": [None, 2.0],
    "raises": [lambda gradient, w: w, lambda gradient, *rest: gradient()],
    "wrong": [descent(lambda g, eta, c: 0.9 * eta * clip(g, c))],
}


def scanned(gradient, start, eta, c, steps):
    def step(w, _):
        return w - eta * clip(gradient(w), c), None

    return jax.lax.scan(step, start, None, length=steps)[0]


def with_optax(gradient, start, eta, c, steps):
    optimizer = optax.chain(optax.clip_by_global_norm(c), optax.sgd(eta))
    w, state = start, optimizer.init(start)
    for _ in range(steps):
        updates, state = optimizer.update(gradient(w), state)
        w = optax.apply_updates(w, updates)
    return w


def recursive(gradient, w, eta, c, steps):
    if steps == 0:
        return w
    return recursive(gradient, w - eta * clip(gradient(w), c), eta, c, steps - 1)


def in_numpy(gradient, start, eta, c, steps):
    w = np.array(start)
    for _ in range(steps):
        g = np.asarray(gradient(w))
        n = np.linalg.norm(g)
        w -= eta * (g * c / n if n > c else g)
    return w


RIGHT = {
    "a loop": right,
    "a scan": scanned,
    "fori_loop": lambda gradient, w, eta, c, steps: jax.lax.fori_loop(
        0, steps, lambda _, w: w - eta * clip(gradient(w), c), w
    ),
    "recursive": recursive,
    "optax": with_optax,
    "in NumPy": in_numpy,
    "the update clipped at the learning rate times the limit": descent(
        lambda g, eta, c: clip(eta * g, eta * c)
    ),
    "the learning rate changed instead": descent(
        lambda g, eta, c: jnp.minimum(eta, eta * c / jnp.maximum(norm(g), 1e-30)) * g
    ),
    "the operator": descent(lambda g, eta, c: eta * clip_by_global_norm(g, c)[0]),
    "where it is too long": descent(
        lambda g, eta, c: eta * jnp.where(norm(g) > c, g * c / norm(g), g)
    ),
    "a tiny epsilon, as in PyTorch": descent(
        lambda g, eta, c: eta * g * jnp.minimum(1.0, c / (norm(g) + 1e-6))
    ),
}
