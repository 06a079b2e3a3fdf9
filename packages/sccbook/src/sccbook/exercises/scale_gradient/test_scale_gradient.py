"""A bank of answers to chapter 01's exercise."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import stop_gradient
from tests.exercises.banks import with_rule

from scaleclip.ops import clip_gradient, scale_gradient
from sccbook.exercises import check

SOLUTION = r"stop_gradient|custom_[vj]"


def norm(g):
    return jnp.sqrt(jnp.sum(g**2))


def number_only(x, scale):
    return x * scale + stop_gradient(x) * (1 - scale) if x > -100 else x


WRONG = {
    # forward and backward together
    "identity": [
        lambda x, s: x,
        lambda x, s: x * s + x * (1 - s),
        lambda x, s: x * stop_gradient(s) + x * (1 - s),
    ],
    "value_scaled": [
        *(lambda x, s: x * s, lambda x, s: jnp.multiply(s, x)),
        *(lambda x, s: x * s + 1, lambda x, s: x * s - 100),
    ],
    "wrong_way_round": [
        lambda x, s: x + stop_gradient(x) * (s - 1),
        lambda x, s: x - stop_gradient(x) + s * stop_gradient(x),
    ],
    # the one-liner, with something misplaced
    "one_minus_scale": [
        lambda x, s: stop_gradient(x * s) + x * (1 - s),
        lambda x, s: x * (1 - s) + stop_gradient(x) * s,
    ],
    "stopped": [
        lambda x, s: stop_gradient(x),
        lambda x, s: stop_gradient(x * s + x * (1 - s)),
        lambda x, s: s * stop_gradient(x) + (1 - s) * stop_gradient(x),
    ],
    "fixed_half": [lambda x, s: x * 0.5 + stop_gradient(x) * 0.5],
    "value_not_restored": [
        lambda x, s: x * s + stop_gradient(x),
        lambda x, s: s * (x - stop_gradient(x)),
        lambda x, s: x * s + stop_gradient(x) * s,
        lambda x, s: scale_gradient(x, s) + 1e-6,
    ],
    # another operation
    "clipped": [
        lambda x, s: clip_gradient(x, -abs(s), abs(s)),
        lambda x, s: clip_gradient(x, -1.0, 1.0),
        with_rule(lambda g, x, s: g * jnp.minimum(1.0, s / norm(g))),
    ],
    "normalised": [
        with_rule(lambda g, x, s: s * g / norm(g)),
        with_rule(lambda g, x, s: s * jnp.sign(g)),
    ],
    # rules of one's own
    "reversed": [with_rule(lambda g, x, s: -s * g)],
    "scaled_twice": [
        with_rule(lambda g, x, s: s * s * g),
        lambda x, s: scale_gradient(scale_gradient(x, s), s),
    ],
    "divided": [with_rule(lambda g, x, s: g / s)],
    "cotangent_dropped": [
        with_rule(lambda g, x, s: s * jnp.ones_like(g)),
        with_rule(lambda g, x, s: s * x),
    ],
    "two_values": [with_rule(lambda g, x, s: s * g, traced=lambda x, s: s * x)],
    # shapes, dtypes, kinds
    "scalars_only": [
        number_only,
        with_rule(lambda g, x, s: s * jnp.mean(g) * jnp.ones_like(g)),
    ],
    "shape_changed": [
        lambda x, s: jnp.sum(x),
        lambda x, s: x.reshape(-1) * s + stop_gradient(x).reshape(-1) * (1 - s),
    ],
    "dtype_changed": [
        lambda x, s: x.astype(jnp.float16),
        lambda x, s: x * jnp.asarray(np.float64(s)),
    ],
    "only_the_dtype": [
        lambda x, s: scale_gradient(x, s).astype(jnp.float16),
        lambda x, s: scale_gradient(x, s) * jnp.asarray(np.float64(1)),
    ],
    "returns_other": [lambda x, s: (x, s), lambda x, s: 0.5],
    "not_callable": [None, 0.5, jnp.ones(3)],
    "raises": [
        lambda x: x,
        lambda x, s: jax.scale_gradient(x, s),
        lambda x, s: np.asarray(x) * s,
    ],
    "value_changed": [
        lambda x, s: x * s + jnp.nan,
        lambda x, s: (x - jnp.mean(x)) / (jnp.std(x) + 1e-3),
        lambda x, s: x / (1e-7 + norm(x)),
    ],
    "gradient_wrong": [
        with_rule(lambda g, x, s: (s + 0.1) * g),
        lambda x, s: x * s**2 + stop_gradient(x) * (1 - s**2) if s > 0 else x,
    ],
}


@jax.custom_jvp
def with_custom_jvp(x, scale):
    return x


with_custom_jvp.defjvp(lambda p, t: (with_custom_jvp(*p), p[1] * t[0]))


RIGHT = {
    "the author's one-liner": lambda x, s: x * s + stop_gradient(x) * (1 - s),
    "from the stopped value": lambda x, s: stop_gradient(x) + s * (x - stop_gradient(x)),
    "x minus a stopped rest": lambda x, s: x - (1 - s) * (x - stop_gradient(x)),
    "custom_vjp": with_rule(lambda g, x, s: s * g),
    "custom_jvp": with_custom_jvp,
    "compiled": jax.jit(lambda x, s: x * s + stop_gradient(x) * (1 - s)),
    "element by element": lambda x, s: jax.vmap(with_custom_jvp, (0, None))(
        x.reshape(-1), s
    ).reshape(x.shape),
    "the operator itself": scale_gradient,
}


def test_an_error_is_reported_with_its_case():
    message = check("scale_gradient", lambda x, s: 1 / 0).message
    assert "for x = 2.0 and scale = 0.5 it raised ZeroDivisionError: division by zero" in message
    assert "2 were given" in check("scale_gradient", lambda x: x).message
    message = check("scale_gradient", lambda x, s: np.asarray(x) * s).message
    assert "when JAX differentiates it" in message
    assert "TracerArrayConversionError" in message
