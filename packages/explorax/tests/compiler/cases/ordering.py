"""Order and running sums as JAX has them: sorts, places of extremes, searches, quantiles."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=7)
M = RANDOM.normal(size=(4, 5))
T = RANDOM.normal(size=(2, 3, 4))
TIES = np.array([2.0, -1.0, 2.0, 0.5, -1.0, 2.0])
SPECIAL = np.array([0.0, np.nan, -0.0, np.inf, 1.5, -np.inf, 0.0, -0.0, np.nan, -2.0])
INTEGERS = np.array([3, -7, 0, 12, 5, 3, -7])
B = np.array([True, False, True, False, True])

# JAX before 0.9 knows the last axis alone
TOP_K_AXES = [{"axis": a} for a in (0, 1, 2)] if jax.__version_info__ >= (0, 9) else [{}]

CASES = {
    "sort": (lambda x: (jnp.sort(x), jnp.argsort(x), jnp.sort(x, descending=True)), X),
    "sort of ties": (lambda x: (jnp.argsort(x), jnp.argsort(x, descending=True)), TIES),
    "sort of special values": (lambda x: (jnp.sort(x), 1 / jnp.sort(x), jnp.argsort(x)), SPECIAL),
    "sort along axes": (lambda t: [jnp.sort(t, axis=a) for a in (0, 1, 2, None)], T),
    "argsort along axes": (lambda t: [jnp.argsort(t, axis=a) for a in (0, 1, 2)], T),
    "sort of integers": (lambda i: (jnp.sort(i), jnp.argsort(i)), INTEGERS),
    "sort of int32": (lambda i: (jnp.sort(i), jnp.argsort(i)), INTEGERS.astype(np.int32)),
    "sort of booleans": (lambda a: (jnp.sort(a), jnp.argsort(a)), B),
    "sort by two keys": (
        lambda i, x: lax.sort((i, x, jnp.arange(7.0)), num_keys=2), INTEGERS, X
    ),
    "sort of pairs": (lambda x, y: lax.sort((x, y), num_keys=1), TIES, X[:6]),
    "sort a computed array": (lambda x: jnp.sort(jnp.sin(x) * x), X),
    "sort one and none": (lambda x: (jnp.sort(x[:1]), jnp.sort(x[:0]), jnp.sort(x[:, None])), X),
    "lexsort": (lambda i, x: jnp.lexsort((x, i)), INTEGERS, X),
    "grad of sort": (jax.grad(lambda x: jnp.sum(jnp.sort(x) * jnp.arange(7.0))), X),
    "jvp of sort": (lambda x: jax.jvp(jnp.sort, (x,), (x**2,)), X),
    "vmap of sort": (jax.vmap(jnp.sort, in_axes=1), M),
    "grad of vmap of sort": (
        jax.grad(lambda m: jnp.sum(jax.vmap(jnp.sort)(m) ** 2 * jnp.arange(5.0))), M
    ),
    "argmax and argmin": (lambda x: (jnp.argmax(x), jnp.argmin(x)), X),
    "argmax of ties": (lambda x: (jnp.argmax(x), jnp.argmin(x)), TIES),
    "argmax of special values": (lambda x: (jnp.argmax(x), jnp.argmin(x), jnp.argmax(x[2:8])), SPECIAL),
    "argmax of infinities": (
        lambda x: (jnp.argmax(-jnp.inf + 0 * x), jnp.argmin(jnp.inf + 0 * x), jnp.argmin(-0.0 * x)), X
    ),
    "argmax along axes": (lambda t: [f(t, axis=a) for f in (jnp.argmax, jnp.argmin) for a in (0, 1, -1)], T),
    "argmax of integers": (lambda i: (jnp.argmax(i), jnp.argmin(i)), INTEGERS),
    "argmax of int32": (lambda i: (jnp.argmax(i), lax.argmin(i, 0, "int32")), INTEGERS.astype(np.int32)),
    "argmax of booleans": (lambda a: (jnp.argmax(a), jnp.argmin(a), jnp.argmax(a & False)), B),
    "argmax of one": (lambda x: (jnp.argmax(x[:1]), jnp.argmax(x[:, None], axis=1)), X),
    "argmax as an index": (lambda x: x[jnp.argmax(x)] * 2, X),
    "nanargmax": (lambda x: (jnp.nanargmax(x), jnp.nanmax(x), jnp.nanmin(x)), SPECIAL),
    "top_k": (lambda x: lax.top_k(x, 3), X),
    "top_k of ties": (lambda x: lax.top_k(x, 5), TIES),
    "top_k of special values": (lambda x: lax.top_k(jnp.abs(x), 10), SPECIAL),
    "top_k of signed zeros": (lambda x: lax.top_k(x[2:8:2], 3)[1], SPECIAL),
    "top_k along axes": (lambda t: [lax.top_k(t, 2, **a) for a in TOP_K_AXES], T),
    "top_k of integers": (lambda i: lax.top_k(i, 4), INTEGERS),
    "top_k of booleans": (lambda a: lax.top_k(a, 4), B),
    "top_k of none": (lambda x: lax.top_k(x, 0), X),
    "grad of top_k": (jax.grad(lambda x: jnp.sum(lax.top_k(x, 3)[0] ** 2)), X),
    "partition": (lambda x: (jnp.partition(x, 2), jnp.argpartition(x, 2)), X),
    "cumulative": (lambda x: (jnp.cumsum(x), jnp.cumprod(x), lax.cummax(x), lax.cummin(x)), X),
    "cumulative in reverse": (
        lambda x: [f(x, reverse=True) for f in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin)], X
    ),
    "cumulative along axes": (lambda t: [jnp.cumsum(t, axis=a) for a in (0, 1, 2, None)], T),
    "cumlogsumexp": (lambda x: (lax.cumlogsumexp(x), lax.cumlogsumexp(x, reverse=True)), X),
    "cumulative of special values": (
        lambda x: (lax.cumsum(x), lax.cumprod(x), lax.cummax(x), lax.cummin(x), lax.cumlogsumexp(x[2:8])), SPECIAL
    ),
    "cumlogsumexp of infinities": (lambda x: lax.cumlogsumexp(x), np.array([-np.inf, -np.inf, 1, np.inf, 2])),
    "cumulative integers": (
        lambda i: (jnp.cumsum(i), jnp.cumprod(i), lax.cummax(i), lax.cummin(i)), INTEGERS
    ),
    "cumulative int32 that wraps": (
        lambda i: (lax.cumsum(i * 500_000_000), lax.cumprod(i + 40_000)), INTEGERS.astype(np.int32)
    ),
    "cumulative booleans": (lambda a: (jnp.cumsum(a), jnp.cumprod(a)), B),
    "cumulative of nothing": (lambda x: (jnp.cumsum(x[:0]), jnp.cumsum(x[:1])), X),
    "the greatest none": (lambda m: (lax.top_k(m, 0), lax.top_k(m[:0], 2)), M),
    "grad of cumsum": (jax.grad(lambda x: jnp.sum(jnp.cumsum(x) ** 2)), X),
    "grad of cumprod": (jax.grad(lambda x: jnp.sum(jnp.cumprod(x) ** 2)), X),
    "grad of cummax": (jax.grad(lambda x: jnp.sum(lax.cummax(x) ** 2)), X),
    "grad of cumlogsumexp": (jax.grad(lambda x: jnp.sum(lax.cumlogsumexp(x) ** 2)), X),
    "vmap of cumsum": (jax.vmap(jnp.cumsum, in_axes=1), M),
    "associative_scan": (lambda x: lax.associative_scan(jnp.multiply, x), X),
    "searchsorted": (
        lambda x, y: [jnp.searchsorted(jnp.sort(x), y, method=m) for m in ("scan", "sort", "compare_all")],
        X, np.concatenate([X[:2], [0.0, np.nan, np.inf]]),
    ),
    "searchsorted in integers": (
        lambda i, j: [jnp.searchsorted(jnp.sort(i), j, side=s) for s in ("left", "right")], np.array([3, 1, 1, 7]), np.array([1, 2, 9])
    ),
    "searchsorted from the right": (
        lambda x, y: jnp.searchsorted(jnp.sort(x), y, side="right"), TIES, np.array([2.0, -1, 0])
    ),
    "digitize": (lambda x, y: jnp.digitize(y, jnp.sort(x)), X, M),
    "interp": (lambda x, y: jnp.interp(y, jnp.sort(x), x**2), X, M),
    "grad of interp": (jax.grad(lambda y, x: jnp.sum(jnp.interp(x, jnp.arange(7.0), y) ** 2)), X, X),
    "histogram": (lambda x: jnp.histogram(x, bins=4), X),
    "median and quantiles": (
        lambda m: (jnp.median(m), jnp.quantile(m, 0.3, axis=0), jnp.percentile(m, 80, axis=1)), M
    ),
    "quantiles by other methods": (
        lambda x, q: [jnp.quantile(x, q, method=m) for m in ("lower", "higher", "midpoint", "nearest")], X, 0.3
    ),
    "nanmedian": (lambda x: jnp.nanmedian(x), np.array([1.0, np.nan, 3.0, -2.0])),
    "grad of median": (jax.grad(lambda x: jnp.median(x) ** 2), X),
    "unique": (lambda i: jnp.unique(i, size=5, return_counts=True), INTEGERS),
    "nonzero": (lambda i: jnp.nonzero(i > 3, size=4), INTEGERS),
    "isin": (lambda i: jnp.isin(i, jnp.array([3, 5])), INTEGERS),
    "ranks": (lambda x: jnp.argsort(jnp.argsort(x)), X),
    "long sorts with ties of float32": (
        lambda m: (jnp.sort(m, 1), jnp.argsort(m, 1), jnp.argmax(m, 1)), RANDOM.integers(0, 20, size=(9, 200)).astype(float)
    ),
    "permutation by an index": (lambda x, i: x[jnp.argsort(i)], X, INTEGERS),
}  # fmt: skip
