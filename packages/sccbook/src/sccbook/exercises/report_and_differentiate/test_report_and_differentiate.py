"""A bank of answers to assignment 1's second function."""

import jax
import jax.numpy as jnp
import numpy as np
from tests.exercises.banks import with_rule

from scaleclip.ops import scale_gradient as scale_by_one_number

stop = jax.lax.stop_gradient
scale_gradient = jnp.vectorize(scale_by_one_number)  # by a number for each element


WRONG = {
    "no_gradient": [
        lambda x, v, m: v,
        lambda x, v, m: scale_gradient(v, m),
        lambda x, v, m: stop(v + m * x) - stop(m * x),
    ],
    "slope_ignored": [lambda x, v, m: x + stop(v - x), lambda x, v, m: v + (x - stop(x))],
    "value_moves": [lambda x, v, m: v + m * x, lambda x, v, m: stop(v) + x * m],
    "value_missing": [lambda x, v, m: m * x],
    "returns_x": [
        lambda x, v, m: x * m + stop(x * (1 - m)),
        lambda x, v, m: scale_gradient(x, m),
    ],
    "one_more": [lambda x, v, m: x + stop(v - x) + m * (x - stop(x))],
    "one_less": [lambda x, v, m: v + (m - 1) * (x - stop(x))],
    "reversed": [lambda x, v, m: v + m * (stop(x) - x), lambda x, v, m: v + stop(m * x) - m * x],
    "swapped": [lambda x, v, m: m + v * (x - stop(x))],
    "relative": [lambda x, v, m: v * x / stop(x)],
    "scaled_value": [lambda x, v, m: v + m * v * (x / stop(x) - 1)],
    "squared": [lambda x, v, m: v + m * scale_gradient(x - stop(x), m)],
    "divided": [lambda x, v, m: v + (x - stop(x)) / m],
    "line_from_the_value": [lambda x, v, m: v + m * (x - v)],
    "cotangent_dropped": [with_rule(lambda g, x, v, m: m, lambda x, v, m: v)],
    "summed": [lambda x, v, m: v + jnp.sum(m * (x - stop(x)))],
    "first_slope": [lambda x, v, m: v + m.reshape(-1)[0] * (x - stop(x))],
    "dtype_changed": [lambda x, v, m: (v + m * (x - stop(x))).astype(jnp.float16)],
    "shape_changed": [lambda x, v, m: (v + m * (x - stop(x)))[None], lambda x, v, m: 5.0],
    "not_callable": [None, 3.0],
    "raises": [
        lambda x, v: v,
        lambda x, v, m: jnp.asarray(np.asarray(v) + 0 * np.asarray(x)),  # a tracer in NumPy
    ],
    "wrong": [lambda x, v, m: v + 0.9 * m * (x - stop(x))],
}


@jax.custom_jvp
def by_jvp(x, value, slope):
    return value


by_jvp.defjvp(lambda primals, tangents: (by_jvp(*primals), primals[2] * tangents[0]))


RIGHT = {
    "what vanishes, with the slope": lambda x, v, m: v + m * (x - stop(x)),
    "stopped whole, and put back": lambda x, v, m: m * x + stop(v - m * x),
    "a custom_vjp": with_rule(lambda g, x, v, m: m * g, lambda x, v, m: v),
    "a custom_jvp": by_jvp,
    "scale_gradient of the difference": lambda x, v, m: v + scale_gradient(x - stop(x), m),
    "vmap": lambda x, v, m: v + jnp.vectorize(lambda x, m: m * (x - stop(x)))(x, m),
    "compiled": jax.jit(lambda x, v, m: v + m * (x - stop(x))),
    "other names": lambda point, shown, steepness: shown + steepness * (point - stop(point)),
}
