"""Branches, loops, calls and derivatives: Node and JAX on the same trace."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(0)
V = RANDOM.normal(size=5)
M = RANDOM.normal(size=(3, 4))
INTEGERS = np.array([3, -7, 0, 12, 5])


@jax.custom_vjp
def clip_gradient(x, low, high):
    return x


clip_gradient.defvjp(lambda x, *ends: (x, ends), lambda ends, g: (jnp.clip(g, *ends), None, None))


CASES = {
    "scan": (lambda x: lax.scan(lambda c, y: (c * 0.5 + y, c), 0.0, x), V),
    "scan in reverse": (lambda x: lax.scan(lambda c, y: (c * 0.5 + y, c), 0.0, x, reverse=True), V),
    "scan that swaps": (lambda x: lax.scan(lambda c, y: ((c[1], c[0] + y), c[0]), (1.0, 2.0), x), V),
    "scan of arrays": (lambda x, y: lax.scan(lambda c, a: (c[::-1] + a, c), y, x), M, M[0]),
    "scan of one step": (lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x), V[:1]),
    "scan that mixes its carry": (lambda m, x: lax.scan(lambda c, _: (m @ c, c[0]), x, None, length=4), M[:, :3], M[:, 3]),
    "nested scans": (
        lambda m: lax.scan(lambda c, r: lax.scan(lambda d, y: (d + y, d * y), c, r), 0.0, m), M
    ),
    "cond": (lambda a, x: lax.cond(a, lambda y: (y * 2, y.sum()), lambda y: (-y, 0.0), x), True, V),
    "cond of the other branch": (lambda a, x: lax.cond(a, jnp.sin, jnp.cos, x), False, V),
    "switch": (
        lambda i, x: jax.vmap(lambda j: lax.switch(j, [jnp.sin, jnp.cos, jnp.exp], x))(i), INTEGERS
        , 0.3,
    ),
    "switch of a number": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), 1, V),
    "switch beyond its branches": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), 7, V),
    "switch before its branches": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos], x), -7, V),
    "while": (lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 0.5), (0, x)), V),
    "while that never runs": (lambda x: lax.while_loop(lambda c: c < 0, lambda c: c + 1, x), 3.0),
    "while of each": (jax.vmap(lambda x: lax.while_loop(lambda c: c < 5, lambda c: c * 2, x)), V**2),
    "fori with a traced end": (lambda n, x: lax.fori_loop(0, n, lambda i, c: c * 0.5 + i, x), 7, V),
    "fori with known ends": (lambda x: lax.fori_loop(2, 6, lambda i, c: c[::-1] * 0.5 + i, x), V),
    "while that sweeps": (
        lambda x: lax.while_loop(
            lambda s: (s[0] < 1) & jnp.any(s[1] < 4), lambda s: (s[0] + 1, s[1] + 3), (0, x)
        ), np.array([1, 2, 5]),
    ),
    "switch of nothing in a branch": (
        lambda x, i: lax.cond(
            x > 0, lambda p: lax.switch(p, [lambda q: q] * 3, p), lambda p: p + 1, i
        ), 1.0, np.int32(1),
    ),
    "cond in a scan": (
        lambda x: lax.scan(lambda c, y: (lax.cond(y > 0, lambda: c + y, lambda: c * 0.5), c), 1.0, x), V
    ),
    "int32 counts up in a loop": (
        lambda seed: lax.fori_loop(
            0, 20, lambda _, h: (h * jnp.int32(1103515245) + jnp.int32(12345)) ^ (h >> 7), seed
        ), np.int32(42),
    ),
    "checkpoint": (jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x))), V),
    "stop_gradient": (jax.grad(lambda x: jnp.sum(lax.stop_gradient(x) * x)), V),
    "copy": (lambda x: jnp.array(x, copy=True) + 1, V),
    "device put": (lambda x: jax.device_put(x) + 1, V),
    "jit inside": (lambda x: jax.jit(lambda y: y * 2)(x) + 1, V),
    "custom derivatives": (lambda x: (jax.nn.relu(x), clip_gradient(x, 0, 1)), V),
    "jacobian": (jax.jacrev(lambda x: jnp.tanh(x) * x.sum()), V),
    "hessian": (jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x[::-1])), V),
    "vmap": (jax.vmap(lambda r: jnp.tanh(r).sum() * r), M),
    "a clipped network": (
        jax.value_and_grad(
            lambda w, m: jnp.sum(
                lax.scan(lambda h, x: (clip_gradient(jnp.tanh(w @ h + x), -0.5, 0.5), h), m[0], m)[1] ** 2
            )
        ), RANDOM.normal(size=(4, 4)), M,
    ),
    "constants alone": (lambda x: (x, jnp.arange(3.0) * 2, 4.0), 1.0),
    "empty": (lambda x: (x[:0], x[:0].sum()), V),
}  # fmt: skip
