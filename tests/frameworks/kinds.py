"""What a snippet makes of gradients (or weights) that aren't one dense float32 array, in every library.

The gradient is ``ROWS``, whose norm is 5, and the limit 2.5, so that half of it comes back; a scale is 1/2
too. It comes in the formats of ``tests/kinds_of_gradient.toml``. The result is written as there: "value",
"passes", "nan", or the words of the error; and "wrong", with the numbers, where it is none of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from tests.frameworks.files import imported

ROWS = np.array([[3.0, 4.0], [0.0, 0.0]])
PLAIN = ("float32", "float64", "bfloat16", "float16", "float8", "complex", "empty", "nan", "inf")
SPARSE = ("sparse", "sparse, repeated")
TRIED = {
    "scale_gradient": (*PLAIN, *SPARSE, "missing", "integer"),
    "clip_norm_at_state": (*PLAIN, *SPARSE, "missing", "integer"),
    "clipped_step": (*PLAIN, *SPARSE, "missing"),
    "accumulate_by_tokens": (*PLAIN, *SPARSE, "missing"),
    "mixed_precision_step": (*PLAIN, *SPARSE, "missing"),
    "percentile_clip": (*PLAIN, *SPARSE, "missing"),
    "max_norm": PLAIN,
}
"""The kinds by snippet. Left out: integers where no library's backward pass makes them, and, of weights
that are capped, what a weight can't be."""
AT_STATE = ("scale_gradient", "clip_norm_at_state")
FORMATS = {"complex": "complex64", "float8": "float8_e4m3fn", "integer": "int32"}


class Given(NamedTuple):
    """The gradient as a dense array, its format, and, of a sparse one, which rows come how."""

    g: np.ndarray
    dtype: str
    limit: float
    index: list[int]
    rows: np.ndarray


def given(kind: str) -> Given:
    g = ROWS.copy()
    if kind in ("nan", "inf"):
        g[0, 0] = float(kind)
    large = 100 if kind == "float16" else 1  # the squares overflow
    g = g[:0] if kind == "empty" else g * [1j, 1] if kind == "complex" else large * g
    dtype = FORMATS.get(kind, kind if "float" in kind else "float32")
    index = [0] * 4 if kind == "sparse, repeated" else [0]
    return Given(g, dtype, 2.5 * large, index, np.repeat(g[:1], len(index), 0) / len(index))


def expected(snippet: str, kind: str) -> np.ndarray:
    """Compute in NumPy what the same numbers in a dense array give."""
    g, _, limit, *_ = given(kind)
    if snippet == "scale_gradient":
        return g / 2
    rows = snippet in ("clip_norm_at_state", "max_norm")
    with np.errstate(all="ignore"):
        norm = np.linalg.norm(g, axis=-1, keepdims=True) if rows else np.linalg.norm(g)
        if snippet == "mixed_precision_step" and not np.isfinite(norm):
            return 0 * ROWS  # skipped
        return g * np.minimum(1, limit / norm)


Run = Callable[[str, str], Any]
"""From a snippet and a kind to what comes back; "passes", where what isn't a gradient came back too."""


def told(run: Run, snippet: str, kind: str) -> str:
    """Say what comes back, in the words of the table."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = run(snippet, kind)
    except Exception as error:  # each library has errors of its own
        return f"{type(error).__name__}: {error}"
    passes = isinstance(found, tuple)
    found, wanted = np.asarray(found[0] if passes else found), expected(snippet, kind)
    close = lambda value: (
        found.shape == value.shape and np.allclose(found, value, 1e-5, equal_nan=True)
    )
    if close(wanted):
        return "passes" if passes else "value"
    if kind in ("nan", "inf") and close(given(kind).g):
        return "passes"
    return "nan" if np.all(np.isnan(found)) else f"wrong: {found}"


def in_jax(snippet: str, kind: str) -> Any:
    import jax
    import jax.numpy as jnp
    from jax.experimental.sparse import BCOO

    module = imported(snippet, "jax")
    g, dtype, limit, index, rows = given(kind)
    array, idle = jnp.asarray(g, dtype), {"missing": {"idle": None}}.get(kind, {})
    if kind == "sharded":
        mesh = jax.sharding.Mesh(jax.devices(), "d")
        array = jax.device_put(array, jax.NamedSharding(mesh, jax.P("d")))
    wide = complex if kind == "complex" else float
    back = lambda tree: (
        np.asarray(tree["w"]).astype(wide),
        *[1 for _ in idle if tree["idle"] is None],
    )
    only = lambda found: found if idle else found[0]
    zeros = {"w": jnp.zeros_like(array), **idle}
    loss = lambda w, batch: jnp.sum((w["w"].astype(wide) * batch.conj().astype(wide)).real)
    if snippet == "scale_gradient":
        if kind == "integer":
            state = {"n": jnp.arange(3), "w": array}
            assert module.scale_gradient(state, 0.5)["n"].dtype == state["n"].dtype
            f = lambda h: module.scale_gradient({"n": jnp.arange(3), "w": h}, 0.5)["w"]
            return jax.vjp(f, jnp.zeros((2, 2)))[1](jnp.asarray(g, float))[0], 1
        if kind in SPARSE:
            at = jnp.array(index)[:, None]
            f = lambda d: module.scale_gradient(BCOO((d, at), shape=(2, 2)), 0.5).todense()
            (found,) = jax.vjp(f, jnp.asarray(0 * rows, dtype))[1](array)
            return jnp.zeros((2, 2)).at[jnp.array(index)].add(found / len(index))
        (found,) = jax.vjp(lambda h: module.scale_gradient(h, 0.5), zeros)[1]({"w": array, **idle})
        return only(back(found))
    if snippet == "clip_norm_at_state":
        f = lambda h: module.clip_norm_at_state(h, limit)
        if kind == "integer":
            value, pull = jax.vjp(f, array)
            assert pull(np.zeros(array.shape, jax.dtypes.float0))[0].dtype == jax.dtypes.float0
            assert np.array_equal(value, array)
            return expected(snippet, kind), 1
        state = {"w": zeros["w"], **idle} if idle else zeros["w"]
        return np.asarray(jax.vjp(f, state)[1]({"w": array, **idle} if idle else array)[0])
    if snippet == "clipped_step":
        after, norm = module.clipped_step(loss, zeros, array, 1.0, limit)
        assert np.isclose(norm, np.linalg.norm(g), equal_nan=True)
        return only(back(jax.tree.map(jnp.negative, after)))
    if snippet == "accumulate_by_tokens":
        found, _ = module.accumulate_by_tokens(loss, zeros, [array], [1], limit)
        return only(back(jax.tree.map(jnp.conj, found)))
    if snippet == "mixed_precision_step":
        sgd = lambda g, state, w: (jax.tree.map(lambda x: -x.conj(), g), state)
        after, _ = module.mixed_precision_step(loss, zeros, 0, [array], sgd, 2.0, limit)
        return only(back(jax.tree.map(jnp.negative, after)))
    if snippet == "percentile_clip":
        clip = module.percentile_clip(0)
        _, state = clip.update({"w": jnp.full((1,), limit)}, clip.init(None))
        found, _ = clip.update({"w": array, **idle}, state)
        assert found["w"].dtype == array.dtype
        return only(back(found))
    return module.max_norm(array.T, limit).T.astype(wide)


def in_torch(snippet: str, kind: str) -> Any:
    import torch

    module = imported(snippet, "pytorch")
    g, dtype, limit, index, rows = given(kind)
    array = torch.tensor(g).to(getattr(torch, dtype))
    back = lambda found: (
        found.detach().to_dense().to(torch.complex128 if kind == "complex" else torch.float64)
    )
    if snippet == "max_norm":
        w = array.clone()
        module.max_norm(w, limit)
        return back(w)
    w = torch.zeros(g.shape, dtype=array.dtype)
    if kind == "integer":
        kept = getattr(module, snippet)(w, 0.5)
        assert kept.dtype == w.dtype
        assert torch.equal(kept, w)
        return expected(snippet, kind), 1
    w = torch.nn.Parameter(w)

    def total(w: Any) -> Any:
        if kind in SPARSE:
            of_rows = torch.nn.functional.embedding(torch.tensor(index), w, sparse=True)
            return (of_rows * torch.tensor(rows, dtype=w.dtype)).sum()
        wide = w.to(torch.complex128 if kind == "complex" else torch.float64)
        return (wide * torch.tensor(g.conj())).sum().real

    idle = torch.nn.Parameter(torch.zeros(2))
    model = torch.nn.ParameterList([w, *[idle for _ in [1] if kind == "missing"]])
    passes = (1,) if kind == "missing" else ()
    sgd = torch.optim.SGD(model.parameters(), lr=1.0)
    loss = lambda model, _: total(model[0])
    if snippet in AT_STATE:
        argument = 0.5 if snippet == "scale_gradient" else limit
        state = None if passes else w
        total(getattr(module, snippet)(state, argument)).backward()
        return back(w.grad)
    if snippet == "percentile_clip":
        norms = [torch.tensor(limit)]
        total(w).backward()
        module.percentile_clip(model.parameters(), norms, 0)
        found = back(w.grad)
    else:
        if snippet == "clipped_step":
            module.clipped_step(loss, model, None, sgd, limit)
        elif snippet == "accumulate_by_tokens":
            module.accumulate_by_tokens(loss, model, [None], [1], sgd, limit)
        else:
            scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
            module.mixed_precision_step(loss, model, [None], sgd, scaler, limit)
        found = -back(w)
    assert idle.grad is None
    return (found, *passes) if passes else found


def back(found: Any, kind: str) -> np.ndarray:
    """TensorFlow's arrays as NumPy's, rows that repeat added up."""
    import tensorflow as tf

    wide = "complex128" if kind == "complex" else "float64"
    return np.asarray(tf.cast(tf.convert_to_tensor(found), wide))


def gathered(kind: str) -> Any:
    """The gradient as TensorFlow has it: an array, or rows, which may repeat."""
    import tensorflow as tf

    g, dtype, _, index, rows = given(kind)
    if kind in SPARSE:
        return tf.IndexedSlices(tf.constant(rows, dtype), tf.constant(index), tf.constant([2, 2]))
    return tf.cast(tf.constant(g), dtype)


def total(w: Any, kind: str) -> Any:
    """A loss whose gradient at w is the given one."""
    import tensorflow as tf

    g, _, _, index, rows = given(kind)
    if kind in SPARSE:
        return tf.reduce_sum(tf.gather(w, index) * tf.constant(rows, w.dtype))
    if kind == "complex":
        return tf.math.real(tf.reduce_sum(w * tf.constant(g.conj(), w.dtype)))
    return tf.reduce_sum(tf.cast(w, tf.float64) * g)


def at_state(f: Callable[[Any], Any], snippet: str, kind: str) -> Any:
    """What TensorFlow sends back through an operator at a state."""
    import tensorflow as tf

    state = tf.cast(tf.zeros(given(kind).g.shape), given(kind).dtype)
    if kind == "missing":
        return f(None)
    if kind == "integer":
        kept = f({"n": state})["n"] if snippet == "scale_gradient" else f(state)
        assert kept.dtype == state.dtype
        assert not np.any(kept)
        return expected(snippet, kind), 1
    with tf.GradientTape() as tape:
        tape.watch(state)
        value = total(f(state), kind)
    return back(tape.gradient(value, state), kind)


def in_tensorflow(snippet: str, kind: str) -> Any:
    import keras
    import tensorflow as tf

    run = getattr(imported(snippet, "tensorflow"), snippet)
    g, dtype, limit, *_ = given(kind)
    if snippet == "max_norm":
        v = tf.Variable(tf.transpose(gathered(kind)))
        run(v, limit)
        return back(v, kind).T
    if snippet in AT_STATE:
        argument = 0.5 if snippet == "scale_gradient" else limit
        return at_state(lambda x: run(x, argument), snippet, kind)
    passes = (1,) if kind == "missing" else ()
    if snippet == "percentile_clip":
        (found, *none), _ = run([gathered(kind), *[None for _ in passes]], [limit], 0)
        assert all(entry is None for entry in none)
        return (back(found, kind), *passes) if passes else back(found, kind)
    w, idle = tf.Variable(tf.cast(tf.zeros(g.shape), dtype)), tf.Variable([0.0, 0.0])
    variables = [w, *[idle for _ in passes]]
    model, sgd = SimpleNamespace(trainable_variables=variables), keras.optimizers.SGD(1.0)
    loss = lambda *_: total(w, kind)
    if snippet == "clipped_step":
        norm = run(loss, variables, None, sgd, limit)
        assert np.isclose(float(norm), np.linalg.norm(g)) or not np.isfinite(float(norm))
    elif snippet == "accumulate_by_tokens":
        run(loss, model, [None], [1], sgd, limit)
    else:
        run(loss, model, [None], sgd, 2.0, limit)
    assert not np.any(idle)
    return (-back(w, kind), *passes) if passes else -back(w, kind)


def in_keras(snippet: str, kind: str) -> Any:
    """On TensorFlow, where a gradient may come as rows that repeat."""
    import keras
    import tensorflow as tf

    module = imported(snippet, "keras")
    g, dtype, limit, *_ = given(kind)
    if snippet in AT_STATE:
        argument = 0.5 if snippet == "scale_gradient" else limit
        return at_state(lambda x: getattr(module, snippet)(x, argument), snippet, kind)
    if snippet == "max_norm":
        return back(module.ExactMaxNorm(limit)(tf.transpose(gathered(kind))), kind).T
    if snippet == "accumulate_by_tokens":
        return accumulated_in_keras(module.accumulate_by_tokens, kind)
    w = keras.Variable(tf.cast(tf.zeros(g.shape), dtype), dtype=dtype)
    idle = keras.Variable([0.0, 0.0])
    passes = (1,) if kind == "missing" else ()
    variables, came = [w, *[idle for _ in passes]], gathered(kind)
    if snippet == "clipped_step":
        sgd = module.ClippedSGD(1.0, global_clipnorm=limit)
    elif snippet == "mixed_precision_step":
        sgd = module.mixed_precision_step(keras.optimizers.SGD(1.0), limit)
        sgd.initial_scale = 2.0
        came = keras.ops.multiply(came, 2.0)  # rows stay rows
    else:
        sgd = module.PercentileClip(1.0)
        sgd.percent = 0
        sgd.build(variables)
        sgd.norms.assign([0.0] * (sgd.keep - 1) + [limit])
    sgd.apply([came, *[None for _ in passes]], variables)
    if snippet == "clipped_step":
        assert np.isclose(sgd.norm.value, np.linalg.norm(g), equal_nan=True)
    assert not np.any(idle.value)
    found = -back(w.value, kind)
    return (found, *passes) if passes else found


def accumulated_in_keras(accumulate: Callable[..., Any], kind: str) -> Any:
    import keras

    g, dtype, limit, *_ = given(kind)

    class Linear(keras.layers.Layer):
        def build(self, shape: Any) -> None:
            self.w = self.add_weight(
                shape=g.shape,
                initializer=lambda shape, dtype: keras.ops.cast(np.zeros(shape), dtype),
                dtype=dtype,
            )
            self.idle = [self.add_weight(shape=(2,)) for _ in [1] if kind == "missing"]

        def call(self, x: Any) -> Any:
            return x * keras.ops.cast(total(keras.ops.convert_to_tensor(self.w), kind), x.dtype)

    class Total(keras.losses.Loss):
        def call(self, y: Any, found: Any) -> Any:
            return found[:, 0]

    model, two = keras.Sequential([keras.Input((1,)), Linear(autocast=False)]), np.ones((2, 1))
    before = [np.copy(v) for v in model.layers[-1].idle]
    accumulate(model, Total, two, two, np.array([1.0, 0.0]), 1, 1.0, limit)
    assert all(map(np.array_equal, before, model.layers[-1].idle))
    found = -back(model.layers[-1].w.value, kind)
    return (found, 1) if before else found


RUNS = {"jax": in_jax, "pytorch": in_torch, "tensorflow": in_tensorflow, "keras": in_keras}
"""By the name of the snippet's file."""


def kinds(stem: str) -> dict[str, dict[str, str]]:
    """Return, by snippet and kind, what comes back."""
    return {
        snippet: {kind: told(RUNS[stem], snippet, kind) for kind in tried(stem, snippet)}
        for snippet in TRIED
    }


def tried(stem: str, snippet: str) -> list[str]:
    """Return the kinds that a library can give to a snippet: ``jax.grad`` makes no sparse ones."""
    steps = snippet != "scale_gradient"
    return [
        *(k for k in TRIED[snippet] if stem != "jax" or k not in SPARSE or not steps),
        *(["sharded"] if stem == "jax" else []),
    ]


def of_two_limits() -> dict[str, str]:
    """Return what Keras's step in mixed precision says of an optimizer that clips already."""
    import keras

    step = imported("mixed_precision_step", "keras").mixed_precision_step

    def said(**limit: float) -> str:
        try:
            step(keras.optimizers.SGD(1.0, **limit), 1.0)
        except ValueError as error:
            return str(error)
        return "nothing"

    return {name: said(**{name: 5.0}) for name in ("clipnorm", "clipvalue", "global_clipnorm")}
