"""Indexing as NumPy and JAX have it: Node and JAX on the same trace."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=6)
M = RANDOM.normal(size=(3, 4))
T = RANDOM.normal(size=(2, 3, 4))
I = np.array([2, 0, 2, -1])  # noqa: E741
OUT = np.array([0, 7, -9, 2])
INTEGERS = np.array([5, -2, 7, 0, 3, 3])
B = np.array([True, False, True, True, False, False])

GATHERS = {
    "an element": (lambda x, i: x[i], X, 2),
    "an element from the end": (lambda x, i: x[i], X, -2),
    "an element beyond the end": (lambda x, i: (x[i], x[-i]), X, 9),
    "a row": (lambda m, i: m[i] * 2, M, 1),
    "a column": (lambda m, i: m[:, i], M, 3),
    "an element of a matrix": (lambda m, i, j: m[i, j], M, 1, 2),
    "an int32 index": (lambda x, i: x[i], X, np.int32(4)),
    "an int32 index array": (lambda x, i: x[i], X, I.astype(np.int32)),
    "an index array": (lambda x, i: x[i], X, I),
    "rows": (lambda m, i: m[i], M, I),
    "columns": (lambda m, i: m[:, i], M, I),
    "columns of columns": (lambda t, i: t[:, :, i], T, I),
    "middle axis": (lambda t, i: t[:, i], T, I),
    "a table of indices": (lambda x, i: x[i], X, I.reshape(2, 2)),
    "pairs": (lambda m, i: m[i, i], M, I),
    "an open mesh": (lambda m, i: m[i[:, None], i[None, :]], M, I),
    "first and last axis": (lambda t, i: t[1, :, i], T, I),
    "constant indices": (lambda x: x[np.array([3, 1, 1, 4])], X),
    "constant indices beyond": (lambda x: x[jnp.array([3, 99, -99])], X),
    "constant indices in a row": (lambda x: x[jnp.arange(1, 5)], X),
    "of integers": (lambda x, i: x[i], INTEGERS, I),
    "of int32": (lambda x, i: x[i], INTEGERS.astype(np.int32), I),
    "of booleans": (lambda x, i: x[i], B, I),
    "filled": (lambda x, i: x.at[i].get(mode="fill"), X, OUT),
    "filled integers": (lambda x, i: x.at[i].get(mode="fill"), INTEGERS, OUT),
    "filled int32": (lambda x, i: x.at[i].get(mode="fill"), INTEGERS.astype(np.int32), OUT),
    "filled booleans": (lambda x, i: x.at[i].get(mode="fill"), B, OUT),
    "filled with a number": (lambda x, i: x.at[i].get(mode="fill", fill_value=-1.0), X, OUT),
    "filled rows": (lambda m, i: m.at[i].get(mode="fill"), M, OUT),
    "take": (lambda m, i: (jnp.take(m, i), jnp.take(m, i, axis=1)), M, np.array([0, 3, 11, 12])),
    "take with modes": (
        lambda x, i: [jnp.take(x, i, mode=mode) for mode in ("clip", "fill", "wrap")], X, OUT
    ),
    "take_along_axis": (lambda m, i: jnp.take_along_axis(m, i, axis=1), M, np.array([[0], [3], [9]])),
    "take_along_axis 0": (lambda m, i: jnp.take_along_axis(m, i, 0), M, np.array([[0, 2, 1, 5]])),
    "no indices": (lambda x, i: x[i], X, np.zeros(0, int)),
    "of nothing": (lambda x, i: x[:0, i], M, I),
    "a computed operand": (lambda x, i: jnp.sin(x)[i], X, I),
    "computed indices": (lambda x, i: x[i * i - 1], X, I),
    "diag": (lambda x, m: (jnp.diag(x[:3]), jnp.diag(m), jnp.diagonal(m, 1), jnp.trace(m)), X, M),
    "a band": (lambda m: (jnp.tril(m), jnp.triu(m, 1), m[jnp.tril_indices(3)]), M),
    "one hot": (lambda i: jax.nn.one_hot(i, 4), I),
    "grad of rows": (jax.grad(lambda m, i: jnp.sum(m[i] ** 3)), M, I),
    "grad of filled": (jax.grad(lambda x, i: jnp.nansum(x.at[i].get(mode="fill") ** 3)), X, OUT),
    "grad of an element": (jax.grad(lambda x, i: x[i] ** 2), X, 3),
    "jvp": (lambda x, i: jax.jvp(lambda y: y[i] ** 2, (x,), (x,)), X, I),
    "vmap over rows": (jax.vmap(lambda r, i: r[i]), M, np.array([3, 0, -1])),
    "vmap over rows and index arrays": (jax.vmap(lambda r, i: r[i]), M, np.array([[3, 0], [1, 1], [2, 9]])),
    "vmap over indices": (jax.vmap(lambda m, i: m[i], in_axes=(None, 0)), M, I),
    "vmap over the last axis": (jax.vmap(lambda c, i: c[i], in_axes=(1, None)), M, I),
    "vmap of vmap": (jax.vmap(jax.vmap(lambda r, i: r[i])), T, np.array([[0, 1, 2], [3, 3, -1]])),
    "grad of vmap": (
        jax.grad(lambda m, i: jnp.sum(jax.vmap(lambda r, i: r[i])(m, i) ** 2)), M, np.array([3, 0, -1])
    ),
    "select_and_gather in a scan": (
        lambda m, i: lax.scan(lambda c, k: (c + m[k], c @ m[k]), jnp.zeros(4), i), M, I
    ),
}  # fmt: skip

SCATTERS = {
    "set an element": (lambda x, i: x.at[i].set(7.0), X, 2),
    "set from the end": (lambda x, i: x.at[i].set(7.0), X, -1),
    "set beyond the end": (lambda x, i: (x.at[i].set(7.0), x.at[-i].set(7.0)), X, 9),
    "set twice": (lambda x, i: x.at[i].set(jnp.arange(4.0)), X, I),
    "set rows": (lambda m, i: m.at[i].set(jnp.arange(16.0).reshape(4, 4)), M, I),
    "set columns": (lambda m, i: m.at[:, i].set(jnp.arange(12.0).reshape(3, 4)), M, I),
    "set a middle axis": (lambda t, i: t.at[:, i].set(jnp.arange(32.0).reshape(2, 4, 4)), T, I),
    "set pairs": (lambda m, i: m.at[i, i].set(jnp.arange(4.0)), M, I),
    "set a part of a row": (lambda m, i: m.at[i, 1:3].set(0.0), M, 1),
    "set integers": (lambda x, i: x.at[i].set(-5), INTEGERS, I),
    "set int32": (lambda x, i: x.at[i].set(-5), INTEGERS.astype(np.int32), I),
    "set booleans": (lambda x, i: x.at[i].set(True), B, I),
    "set at constants": (lambda x: x.at[np.array([1, 3])].set(x[:2]), X),
    "set a slice": (lambda x: (x.at[1:3].set(0.0), x.at[::2].add(1.0), x.at[-2:].mul(3.0)), X),
    "add twice": (lambda x, i: x.at[i].add(x[:4]), X, I),
    "add to rows": (lambda m, i: m.at[i].add(m[i] * 2), M, I),
    "add integers": (lambda x, i: x.at[i].add(x[:4]), INTEGERS, I),
    "add int32 that wraps": (
        lambda x, i: x.at[i].add(2**31 - 1), INTEGERS.astype(np.int32), I
    ),
    "subtract": (lambda x, i: x.at[i].subtract(x[:4]), X, I),
    "multiply": (lambda x, i: x.at[i].mul(x[:4]), X, I),
    "divide": (lambda x, i: x.at[i].divide(x[:4]), X, I),
    "power": (lambda x, i: x.at[i].power(2), X, np.array([1, 4])),
    "min and max": (lambda x, i: (x.at[i].min(x[:4]), x.at[i].max(x[:4])), X, I),
    "min of booleans": (lambda x, i: (x.at[i].min(x[:4]), x.at[i].max(x[:4])), B, I),
    "apply": (lambda x, i: x.at[i].apply(lambda y: jnp.exp(y) + 1), X, I),
    "nothing": (lambda x, i: x.at[i].set(1.0), X, np.zeros(0, int)),
    "into nothing": (lambda x: x[:0].at[jnp.array([0])].add(1.0), X),
    "segment sums": (lambda x, i: jax.ops.segment_sum(x, i, 4), X, np.array([0, 3, 3, 9, 1, 0])),
    "segment maxima": (lambda x, i: jax.ops.segment_max(x, i, 4), X, np.array([0, 3, 3, 9, 1, 0])),
    "bincount": (lambda i: jnp.bincount(i, length=4), np.array([0, 3, 3, 9, 1, 0])),
    "fill_diagonal": (lambda m: jnp.fill_diagonal(m, 0.0, inplace=False), M),
    "grad of set": (
        jax.grad(lambda x, y, i: jnp.sum(x.at[i].set(y) ** 3), argnums=(0, 1)), X, X[:2], np.array([1, 4])
    ),
    "grad of set twice": (
        jax.grad(lambda x, y, i: jnp.sum(x.at[i].set(y) ** 3), argnums=(0, 1)), X, X[:4], I
    ),
    "grad of add": (
        jax.grad(lambda x, y, i: jnp.sum(x.at[i].add(y) ** 3), argnums=(0, 1)), X, X[:4], I
    ),
    "grad of mul": (
        jax.grad(lambda x, y, i: jnp.sum(x.at[i].mul(y, unique_indices=True) ** 3), argnums=(0, 1)),
        X, X[:2], np.array([1, 4]),
    ),
    "grad of max": (
        jax.grad(lambda x, y, i: jnp.sum(x.at[i].max(y) ** 3), argnums=(0, 1)), X, X[:4], I
    ),
    "jvp of set": (lambda x, i: jax.jvp(lambda y: y.at[i].set(y[:4]), (x,), (2 * x,)), X, I),
    "vmap of set": (jax.vmap(lambda r, i: r.at[i].set(1.0)), M, np.array([3, 0, 9])),
    "vmap of add": (jax.vmap(lambda r, i: r.at[i].add(r[:2])), M, np.array([[3, 0], [1, 1], [2, 9]])),
    "vmap over indices": (jax.vmap(lambda m, i: m.at[i].add(1.0), in_axes=(None, 0)), M, I),
    "vmap over the last axis": (jax.vmap(lambda c, i: c.at[i].add(1.0), in_axes=(1, None)), M, I),
    "hessian": (jax.hessian(lambda x, i: jnp.sum(x.at[i].mul(x[:2], unique_indices=True) ** 2)), X, np.array([1, 4])),
    "in a loop": (
        lambda x, i: lax.fori_loop(0, 4, lambda k, y: y.at[i[k]].add(y[k]), x), X, I
    ),
}  # fmt: skip

SLICES = {
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i,), (3,)), X, 2),
    "dynamic_slice beyond": (lambda x, i: lax.dynamic_slice(x, (i,), (3,)), X, 5),
    "dynamic_slice before": (lambda x, i: lax.dynamic_slice(x, (i,), (3,)), X, -9),
    "of a matrix": (lambda m, i, j: lax.dynamic_slice(m, (i, j), (2, 2)), M, 1, -1),
    "dynamic_index_in_dim": (lambda m, i: lax.dynamic_index_in_dim(m, i, 1), M, np.int32(2)),
    "dynamic_update_slice": (lambda x, y, i: lax.dynamic_update_slice(x, y, (i,)), X, X[:3], 5),
    "update of a matrix": (
        lambda m, i, j: lax.dynamic_update_slice(m, m[:2, :2] * 2, (i, j)), M, 1, -2
    ),
    "roll": (lambda m, k: (jnp.roll(m, k, 0), jnp.roll(m, 1), jnp.roll(m, (1, 2), (0, 1))), M, 2),
    "flips": (lambda m: (jnp.flip(m), jnp.fliplr(m), jnp.rot90(m)), M),
    "grad": (jax.grad(lambda x, i: jnp.sum(lax.dynamic_slice(x, (i,), (3,)) ** 2)), X, 2),
    "grad of update": (
        jax.grad(lambda x, y, i: jnp.sum(lax.dynamic_update_slice(x, y, (i,)) ** 3), argnums=(0, 1)),
        X, X[:3], 2,
    ),
    "vmap": (jax.vmap(lambda r, i: lax.dynamic_slice(r, (i,), (2,))), M, np.array([0, 2, 9])),
    "vmap over starts": (
        jax.vmap(lambda x, i: lax.dynamic_slice(x, (i,), (2,)), in_axes=(None, 0)), X, I
    ),
    "vmap of update": (
        jax.vmap(lambda r, i: lax.dynamic_update_slice(r, r[:2], (i,))), M, np.array([0, 2, 9])
    ),
    "negative strides": (lambda x: (x[4:1:-1], x[::-2], x[-2::-3]), X),
    "newaxis and ellipsis": (lambda t: (t[..., None, 0], t[None, 1, ..., ::2]), T),
    "negative padding": (lambda m: lax.pad(m, 7.0, [(-1, 2, 0), (1, -2, 0)]), M),
    "negative padding with interior": (
        lambda x: [lax.pad(x, 7.0, [(a, b, c)]) for a in (-3, -2, 1) for b in (-2, 2) for c in (0, 1, 2)], X
    ),
    "all padded away": (lambda x: lax.pad(x, 7.0, [(-6, 2, 0)]), X),
    "padding of nothing": (lambda x: lax.pad(x[:0], 7.0, [(2, 1, 3)]), X),
    "jnp.pad": (
        lambda m: [jnp.pad(m, 2, mode=k) for k in ("edge", "reflect", "wrap", "symmetric")], M
    ),
    "reshape in another order": (lambda m: lax.reshape(m, (2, 6), (1, 0)), M),
    "reshapes of views": (lambda m: (m.T.reshape(-1), m[:, 1:].reshape(9), m.ravel(order="F")), M),
    "tile and repeat": (lambda m: (jnp.tile(m, (2, 3)), jnp.repeat(m, 2, axis=1)), M),
    "repeat by counts": (lambda x, i: jnp.repeat(x, i, total_repeat_length=7), X[:3], np.array([2, 0, 3])),
    "unstack": (lambda t: (jnp.unstack(t), jnp.unstack(t, axis=2)), T),
    "stacks": (lambda x: (jnp.stack([x, 2 * x], 1), jnp.dstack([x, x]), jnp.column_stack([x, x])), X),
    "grad of unstack": (jax.grad(lambda t: jnp.sum(jnp.unstack(t, axis=1)[1] ** 2)), T),
    "array_split": (lambda x: jnp.array_split(x, 4), X),
    "kron and outer": (lambda m, x: (jnp.kron(m, m), jnp.outer(x, x), jnp.vander(x)), M, X),
    "insert, append, delete": (
        lambda x: (jnp.insert(x, 2, 3.0), jnp.append(x, 1.0), jnp.delete(x, 2), jnp.diff(x)), X
    ),
    "meshgrid": (lambda x: jnp.meshgrid(x, x[:2]), X),
    "broadcasting": (lambda x, y: x[:, None] * y[None, :] + 1, X, X[::-1] * 2),
    "axes of length 1": (lambda x: jnp.exp(x)[:, None] + jnp.ones((6, 4)) * x[::-1, None], X),
    "squeeze": (lambda x: jnp.squeeze(x[:, :1]) + lax.expand_dims(x[0, 0], (0,)), M),
    "transposes": (lambda x: jnp.transpose(x, (2, 0, 1)), T),
    "concatenate": (lambda x, m: (jnp.concatenate([x, x[:1]]), jnp.concatenate([m, 2 * m], 1)), X, M),
    "pad": (lambda x: lax.pad(x, 7.0, [(1, 2, 1), (0, 1, 0)]), M),
    "split": (lambda x: jnp.split(x, [1, 3], axis=1), M),
    "a long iota": (lambda x: (jnp.arange(600.0) * x[0], lax.broadcasted_iota("int32", (40, 30), 1)), X),
    "empty": (lambda x: lax.empty((3,), x.dtype) * 0 + x[:3], X),
}  # fmt: skip


def beyond(mode):
    """Reads and writes at indices out of bounds, in one of JAX's modes."""

    def function(m, *indices):
        rows = jnp.arange(16.0).reshape(4, 4)
        return [
            (
                m.at[i].get(mode=mode), m.at[:, i].get(mode=mode),
                m.at[i].set(rows, mode=mode), m.at[i, i].add(1.0, mode=mode),
            )
            for i in indices
        ]  # fmt: skip

    return function, M, OUT, np.array([-1, -3, -4, 3]), np.array([10**9, 1, 1, 0])


CASES = {
    **{f"gather: {name}": case for name, case in GATHERS.items()},
    **{f"scatter: {name}": case for name, case in SCATTERS.items()},
    **{f"slice: {name}": case for name, case in SLICES.items()},
    **{f"out of bounds: {mode}": beyond(mode) for mode in ("promise_in_bounds", "clip", "fill")},
}
