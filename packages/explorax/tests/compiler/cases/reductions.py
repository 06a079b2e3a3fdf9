"""Reductions, products, convolutions and pooling as JAX has them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=6)
M = RANDOM.normal(size=(3, 4))
T = RANDOM.normal(size=(2, 3, 4))
IMAGE = RANDOM.normal(size=(2, 3, 6, 5))  # batch, channels, height, width
KERNEL = RANDOM.normal(size=(4, 3, 3, 2))
SPECIAL = np.array([0.0, -0.0, np.inf, 1.5, -np.inf, np.nan])
INTEGERS = np.array([[3, -7, 0], [12, 5, 3]])
SMALL = INTEGERS.astype(np.int32)
B = np.array([[True, False], [True, True], [False, False]])


def windows(operation, start, size, strides=(1, 1), padding="VALID", **more):
    return lambda m: lax.reduce_window(m, start, operation, size, strides, padding, **more)


def convolve(strides=(1, 1), padding="VALID", **more):
    return lambda x, k: lax.conv_general_dilated(x, k, strides, padding, **more)


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME")


CASES = {
    "sums and products": (lambda t: [f(t, axis=a) for f in (jnp.sum, jnp.prod) for a in (None, 0, (0, 2))], T),
    "extremes of special values": (
        lambda x: (x.max(), x.min(), x[:5].max(), x[:5].min(), x[4:].max(), x.sum(), x[:5].prod()), SPECIAL
    ),
    "extremes of nothing": (
        lambda x, i: [f(a[:0], (0,)) for f in (lax.reduce_max, lax.reduce_min) for a in (x, i)], M, SMALL
    ),
    "sums of nothing": (lambda x: (x[:0].sum(), x[:0].prod(0), x[:, :0].sum(0), x[:0].sum(1)), M),
    "no axes": (lambda x: (jnp.sum(x, axis=()), jnp.max(x, axis=())), M),
    "an axis of one": (lambda x: (x[:1].sum(0), x[:, :1].max(1), x[:1, :1].sum()), M),
    "integers": (lambda i: (i.sum(), i.sum(0), i.prod(1), i.max(0), i.min()), INTEGERS),
    "int32": (lambda i: (i.sum(0, dtype="int32"), i.prod(1, dtype="int32"), i.max(0), i.min()), SMALL),
    "int32 that wraps": (lambda i: (i * 2**30).sum(dtype="int32"), SMALL),
    "extreme int32": (lambda i: ((i * 0 - 2**31).max(), (i * 0 + 2**31 - 1).min()), SMALL),
    "booleans": (lambda a: (a.all(), a.any(1), a.sum(0), a.max(0), a.min(1), a.mean(), a.prod()), B),
    "xor": (lambda a: (lax.reduce_xor(a, (0,)), lax.reduce_xor(a, (0, 1))), B),
    "bits of int32": (lambda i: [f(i, (1,)) for f in (lax.reduce_and, lax.reduce_or, lax.reduce_xor)], SMALL),
    "bits of int64": (lambda i: [f(i, (1,)) for f in (lax.reduce_and, lax.reduce_or, lax.reduce_xor)], INTEGERS),
    "statistics": (lambda m: (m.mean(), m.var(0), m.std(1), jnp.ptp(m), jnp.average(m, weights=m)), M),
    "statistics without NaN": (lambda x: (jnp.nansum(x[3:]), jnp.nanmean(x[np.array([0, 3, 5])]), jnp.nanmax(x)), SPECIAL),
    "norms": (lambda m: [jnp.linalg.norm(m, o) for o in (None, 1, jnp.inf, -1)], M),
    "logsumexp": (lambda m: (jax.nn.logsumexp(m, axis=0), jax.nn.log_softmax(m)), M),
    "covariance": (lambda m: (jnp.cov(m), jnp.corrcoef(m)), M),
    "grad of max": (jax.grad(lambda m: jnp.sum(m.max(1) ** 2)), np.array([[1.0, 3.0, 3.0], [2.0, 1.0, 0.0]])),
    "grad of prod": (jax.grad(lambda x: jnp.prod(x)), X),
    "batched products": (lambda t, m: (jnp.einsum("bij,jk->bik", t, m.T), t @ m.T), T, M),
    "dot": (lambda m, x: (m @ x[:4], jnp.vdot(x, x), jnp.inner(m, m), jnp.tensordot(m, m, 2)), M, X),
    "dot of integers": (lambda i: (i @ i.T, jnp.einsum("ij,ij->j", i, i)), INTEGERS),
    "dot of int32 that wraps": (lambda i: (i * 2**20) @ (i.T * 2**10), SMALL),
    "dot of booleans": (lambda a: (lax.dot(a, a.T), lax.dot(a.T, a), a @ a.T[:, :1]), B),
    "dot of mixed dtypes": (lambda i, m: i @ m, INTEGERS, M),
    "dot into int64": (lambda i: lax.dot(i * 2**20, i.T * 2**10, preferred_element_type="int64"), SMALL),
    "dot of nothing": (lambda m: (m[:, :0] @ m[:0].T[:0], m[:0] @ m.T, m[:0].T @ m[:0]), M),
    "dot of ones": (lambda m: (m[:, :1] @ m[:1], m[:1, :1] @ m[:1, :1]), M),
    "einsums": (
        lambda m, t: (
            jnp.einsum("ii->i", m[:, :3]), jnp.einsum("ij->ji", m), jnp.einsum("ij->", m),
            jnp.einsum("bij,bkj->bik", t, t), jnp.einsum("bij,ij,j->b", t, m, m[0]), jnp.einsum("ii", m[:, :3]),
            jnp.einsum("i,j->ij", m[0], m[1]), jnp.einsum("bij,cji->bc", t, t.swapaxes(1, 2)),
        ), M, T,
    ),
    "einsum's gradient": (jax.grad(lambda t: jnp.sum(jnp.einsum("bij,ckj->bick", t, t) ** 2)), T),
    "vmap of matmul": (jax.vmap(lambda a, b: a @ b, in_axes=(0, None)), T, M.T),
    "sliding sums": (windows(lax.add, 0.0, (2, 2)), M),
    "sliding sums, padded and strided": (windows(lax.add, 0.0, (2, 3), (2, 1), "SAME"), M),
    "sliding maxima": (windows(lax.max, -jnp.inf, (2, 2), (1, 2), [(1, 0), (0, 1)]), M),
    "sliding minima of integers": (windows(lax.min, np.int64(2**63 - 1), (2, 2)), INTEGERS),
    "sliding sums with dilation": (
        windows(lax.add, 0.0, (2, 2), base_dilation=(2, 1), window_dilation=(1, 2)), M
    ),
    "mean pooling": (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "SAME") / 4, IMAGE
    ),
    "max pooling": (pool, IMAGE),
    "grad of pooling": (jax.grad(lambda x: jnp.sum(pool(x) ** 2)), IMAGE),
    "jvp of pooling": (lambda x: jax.jvp(pool, (x,), (x**2,)), IMAGE),
    "hessian of pooling": (jax.hessian(lambda x: jnp.sum(pool(x[None, None]) ** 3)), M),
    "pooling of special values": (
        jax.value_and_grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (3,), (1,), "SAME")[1:3])),
        np.array([1.0, np.nan, 2.0, -np.inf, -np.inf, 3.0]),
    ),
    "NaN at the edge of a padded window": (
        lambda x: (
            jax.jvp(windows(lax.max, -jnp.inf, (2,), (1,), "SAME"), (x,), (jnp.arange(6.0) + 1,)),
            jax.jvp(windows(lax.min, jnp.inf, (3,), (1,), [(2, 1)], base_dilation=(2,)), (x,), (jnp.arange(6.0) + 1,)),
        ),
        np.array([np.nan, 1.0, np.nan, 3.0, 5.0, np.nan]),
    ),
    "min pooling": (jax.grad(lambda m: jnp.sum(windows(lax.min, jnp.inf, (2, 2))(m) ** 2)), M),
    "convolve": (lambda x, k: (jnp.convolve(x, k[0]), jnp.correlate(x, k[0], mode="same")), X, M),
    "convolve infinity": (
        jnp.convolve, np.array([-0.7, -0.4, 2.4, 1e9, 1.8]), np.array([-0.6, 0.7, -np.inf, 1.3, -1.0])
    ),
    "convolution": (convolve(), IMAGE, KERNEL),
    "convolution, padded and strided": (convolve((2, 1), "SAME"), IMAGE, KERNEL),
    "convolution with dilation": (
        convolve((1, 2), [(1, 2), (-1, 3)], lhs_dilation=(2, 1), rhs_dilation=(1, 2)), IMAGE, KERNEL
    ),
    "convolution with channels last": (
        convolve(dimension_numbers=("NHWC", "HWIO", "NHWC")),
        IMAGE.transpose(0, 2, 3, 1), KERNEL.transpose(2, 3, 1, 0),
    ),
    "convolution in groups of features": (
        convolve(feature_group_count=3), IMAGE, RANDOM.normal(size=(6, 1, 2, 2))
    ),
    "convolution in groups of batches": (convolve(batch_group_count=2), IMAGE, KERNEL),
    "convolution of nothing": (lambda x, k: convolve()(x[:0], k), IMAGE, KERNEL),
    "grad of convolution": (
        jax.grad(lambda x, k: jnp.sum(convolve((2, 1), "SAME")(x, k) ** 2), argnums=(0, 1)), IMAGE, KERNEL
    ),
    "vmap of convolution": (jax.vmap(lambda k, x: convolve()(x, k), in_axes=(0, None)), KERNEL[None], IMAGE),
    "vmap over both": (
        jax.vmap(lambda x, k: convolve()(x[None], k[:, :, :2])), IMAGE, np.stack([KERNEL, KERNEL * 2])
    ),
}  # fmt: skip
IN_FLOAT32 = ("dot", "statistics", "convolution", "grad of pooling", "int32")
CASES |= {f"{name}, in float32": CASES[name] for name in IN_FLOAT32}

EXACT = {
    "a product wider than its operands, which are float32": (
        lambda x: lax.dot(x, x, preferred_element_type="float64"), np.array([1e30, 1.0], np.float32)
    ),
    "a product narrower than its operands": (
        lambda x: lax.dot(x, jnp.ones(3), preferred_element_type="float32"), np.array([2.0**24, 1.0, 1.0])
    ),
}  # fmt: skip
