"""Functions of jax.numpy, jax.scipy and jax.image that put many primitives together."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=7)
RTOL = 1e-11
NOW = (
    "mode",
    "expm",
    "covariance",
    "piecewise",
    "resize",
    "a replay buffer",
    "one step of beam search",
)
M = RANDOM.normal(size=(4, 4))
INTEGERS = np.array([3, -7, 0, 12, 5, 3, -7])

CASES = {
    "mode": (lambda i: jax.scipy.stats.mode(i), INTEGERS),
    "rankdata": (lambda i: jax.scipy.stats.rankdata(i), INTEGERS),
    "expm": (lambda m: jax.scipy.linalg.expm(m), M / 4),
    "covariance": (lambda m: (jnp.cov(m), jnp.corrcoef(m)), M),
    "polynomials": (lambda x: (jnp.polyval(x, 0.5), jnp.polymul(x[:3], x), jnp.vander(x, 3)), X),
    "select": (lambda x: jnp.select([x > 1, x > 0], [x, x * 2], -1.0), X),
    "choose": (lambda i, x: jnp.choose(i % 3, [x, -x, x * x], mode="clip"), INTEGERS, X),
    "piecewise": (lambda x: jnp.piecewise(x, [x < 0, x > 1], [jnp.exp, jnp.negative, 1.0]), X),
    "apply_along_axis": (lambda m: jnp.apply_along_axis(jnp.sort, 0, m), M),
    "unravel_index": (lambda i: jnp.unravel_index(i, (3, 5)), np.array([0, 14, 7, 20])),
    "ravel_multi_index": (lambda i: jnp.ravel_multi_index((i, i), (3, 4), mode="clip"), INTEGERS),
    "compress and argwhere": (
        lambda x: (jnp.compress(x > 0, x, size=4), jnp.argwhere(x > 0, size=4, fill_value=-1)), X
    ),
    "ufuncs": (
        lambda x: (
            jnp.add.at(x, jnp.array([0, 0]), 1.0, inplace=False), jnp.add.accumulate(x),
            jnp.multiply.outer(x, x), jnp.maximum.reduceat(x, jnp.array([0, 3])),
        ), X,
    ),
    "logaddexp.reduce": (lambda x: jnp.logaddexp.reduce(x), X),
    "block": (lambda m: jnp.block([[m, m.T], [m[:1], m[1:2]]]), M),
    "nanquantile": (lambda x: jnp.nanquantile(x, 0.3), np.where(X > 1, np.nan, X)),
    "histogram2d": (lambda x: jnp.histogram2d(x, x[::-1], bins=3), X),
    "convolve2d": (lambda m: jax.scipy.signal.convolve2d(m, m, mode="same"), M),
    "map_coordinates": (
        lambda m, x: jax.scipy.ndimage.map_coordinates(m, [x, x[::-1]], 1, mode="nearest"), M, X
    ),
    "resize": (lambda m: jax.image.resize(m, (6, 3), "bilinear"), M),
    "gradient and trapezoid": (lambda x: (jnp.gradient(x), jnp.trapezoid(x)), X),
    "cross and kron": (lambda m: (jnp.cross(m[:, :3], m[:, 1:]), jnp.kron(m, m[:2])), M),
    "set operations": (
        lambda i: (jnp.union1d(i, i + 1, size=9), jnp.setdiff1d(i, i[:3], size=4)), INTEGERS
    ),
    "softmax cross-entropy": (
        jax.grad(lambda m, i: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(m), i[:, None], 1))),
        M, np.array([0, 3, 1, 1]),
    ),
    "an embedding's gradient": (
        jax.grad(lambda m, i: jnp.sum(jnp.tanh(m[i]).mean(0) ** 2)), M, np.array([0, 3, 1, 1, 3])
    ),
    "a replay buffer": (
        lambda m, x, i: lax.scan(lambda b, k: (b.at[k % 4].set(x[:4] * k), b[k % 3]), m, i), M, X, INTEGERS
    ),
    "one step of beam search": (
        lambda m: lax.top_k((m[:, :, None] + jax.nn.log_softmax(m)[None]).reshape(4, -1), 3), M
    ),
}  # fmt: skip
