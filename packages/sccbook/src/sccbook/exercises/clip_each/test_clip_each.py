"""A bank of answers to chapter 18's exercise."""

from operator import setitem

import jax
import jax.numpy as jnp

from scaleclip.ops import clip_by_norm, clip_by_value

SOLUTION = r"minimum|maximum|np\.|\.clip\("


WRONG = {
    "unchanged": [lambda g, c: g, lambda g, c: 1.0 * g],
    "by_norm": [
        lambda g, c: clip_by_norm(g, c),
        lambda g, c: g * jnp.minimum(1.0, c / jnp.linalg.norm(g)),
    ],
    "shared_factor": [
        lambda g, c: g * jnp.minimum(1.0, c / jnp.max(jnp.abs(g))),
        lambda g, c: g / jnp.maximum(1.0, jnp.max(jnp.abs(g)) / c),
    ],
    "only_above": [lambda g, c: jnp.minimum(g, c), lambda g, c: jnp.clip(g, max=c)],
    "only_below": [lambda g, c: jnp.maximum(g, -c), lambda g, c: jnp.where(g < -c, -c, g)],
    "negatives_lost": [lambda g, c: jnp.clip(g, 0, c), lambda g, c: jax.nn.relu(jnp.minimum(g, c))],
    "sign_lost": [
        lambda g, c: jnp.minimum(jnp.abs(g), c),
        lambda g, c: jnp.abs(g),
        lambda g, c: jnp.where(jnp.abs(g) > c, c, g),
    ],
    "ends_swapped": [lambda g, c: jnp.clip(g, c, -c), lambda g, c: jnp.full_like(g, c)],
    "limit_ignored": [lambda g, c: jnp.clip(g, -1, 1), lambda g, c: clip_by_value(g, -1.0, 1.0)],
    "half_the_interval": [lambda g, c: jnp.clip(g, -c / 2, c / 2)],
    "twice_the_interval": [lambda g, c: 2 * jnp.clip(g / 2, -c, c)],
    "always_limit": [
        lambda g, c: c * jnp.sign(g),
        lambda g, c: jnp.where(g < 0, -c, c),
        lambda g, c: g * (c / jnp.abs(g)),
    ],
    "sign_alone": [lambda g, c: jnp.sign(g)],
    "wrong_way_round": [
        lambda g, c: jnp.where(jnp.abs(g) < c, c * jnp.sign(g), g),
        lambda g, c: jnp.sign(g) * jnp.maximum(jnp.abs(g), c),
    ],
    "removed": [lambda g, c: jnp.where(jnp.abs(g) > c, 0, g), lambda g, c: g * (jnp.abs(g) <= c)],
    "subtracted": [
        lambda g, c: jnp.sign(g) * jax.nn.relu(jnp.abs(g) - c),
        lambda g, c: g - jnp.clip(g, -c, c),
    ],
    "shifted": [lambda g, c: g - c],
    "soft": [lambda g, c: c * jnp.tanh(g / c), lambda g, c: g / (1 + jnp.abs(g) / c)],
    "scaled": [lambda g, c: c * g],
    "larger_only": [
        lambda g, c: g.at[jnp.argmax(jnp.abs(g))].set(jnp.clip(g, -c, c)[jnp.argmax(jnp.abs(g))])
    ],
    "one_coordinate": [
        lambda g, c: jnp.array([jnp.clip(g[0], -c, c), g[1]]),
        lambda g, c: jnp.array([g[0], jnp.clip(g[1], -c, c)]),
    ],
    "shortened_as_well": [lambda g, c: clip_by_norm(jnp.clip(g, -c, c), c)],
    "box_in_the_circle": [lambda g, c: jnp.clip(g, -c / 2**0.5, c / 2**0.5)],
    "relative_limit": [
        lambda g, c: (
            jnp.linalg.norm(g) * jnp.clip(g / jnp.maximum(jnp.linalg.norm(g), 1e-30), -c, c)
        )
    ],
    "in_place": [lambda g, c: setitem(g, 0, c)],
    "in_a_dict": [lambda g, c: {"clipped": jnp.clip(g, -c, c)}],
    # shapes, kinds
    "shape_changed": [
        lambda g, c: jnp.clip(g, -c, c)[None],
        lambda g, c: jnp.linalg.norm(jnp.clip(g, -c, c)),
    ],
    "structure_changed": [
        lambda g, c: (jnp.clip(g, -c, c), c),
        lambda g, c: [min(max(x, -c), c) for x in g],
    ],
    "not_callable": [None, 2.0, jnp.ones(2)],
    "raises": [lambda g: g, lambda g, c: jnp.clip_each(g, c), lambda g, c: max(-c, min(g, c))],
    "wrong": [lambda g, c: 0.9 * jnp.clip(g, -c, c), lambda g, c: jnp.clip(g, -c, c)[::-1]],
}


RIGHT = {
    "the function that there is": lambda g, c: jnp.clip(g, -c, c),
    "the operator": lambda g, c: clip_by_value(g, -c, c),
    "a smaller of a larger": lambda g, c: jnp.minimum(jnp.maximum(g, -c), c),
    "sign and size": lambda g, c: jnp.sign(g) * jnp.minimum(jnp.abs(g), c),
    "where it is beyond": lambda g, c: jnp.where(jnp.abs(g) > c, c * jnp.sign(g), g),
    "of unit size, in between": lambda g, c: c * jnp.clip(g / c, -1, 1),
    "a factor for each": lambda g, c: g / jnp.maximum(1.0, jnp.abs(g) / c),
    "less what is too much": lambda g, c: g - jax.nn.relu(g - c) + jax.nn.relu(-g - c),
    "two kinks": lambda g, c: (jnp.abs(g + c) - jnp.abs(g - c)) / 2,
    "a median of three": lambda g, c: jnp.median(
        jnp.stack([jnp.full_like(g, -c), g, jnp.full_like(g, c)]), axis=0
    ),
    "only where the norm is too long": lambda g, c: jnp.where(
        jnp.linalg.norm(g) > c, jnp.clip(g, -c, c), g
    ),
    "vmap": lambda g, c: jax.vmap(
        lambda x: jax.lax.clamp(-jnp.asarray(c, x.dtype), x, jnp.asarray(c, x.dtype))
    )(g),
    "each norm by itself": lambda g, c: jax.vmap(lambda x: clip_by_norm(x, c))(g),
    "compiled": jax.jit(lambda g, c: jnp.clip(g, -c, c)),
}
