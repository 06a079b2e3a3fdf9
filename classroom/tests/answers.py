"""Answers to the functions of two assignments, as students write them: texts of cells."""

from __future__ import annotations

IMPORTS = """import jax
import jax.numpy as jnp
import numpy as np
from sccbook.exercises import check, points
from scaleclip.ops import clip_by_norm"""

# ------------------------------------------------------------- 1_the_missing_function

SCALE = {
    "one line": """def scale_gradient(x, scale):
    return x * scale + jax.lax.stop_gradient(x) * (1 - scale)""",
    "a rule": """@jax.custom_vjp
def scaled(x, s):
    return x
scaled.defvjp(lambda x, s: (x, s), lambda s, g: (s * g, None))
def scale_gradient(x, scale):
    return scaled(x, scale)""",
    "custom_gradient": """def scale_gradient(x, scale):
    @jax.custom_gradient
    def f(x):
        return x, lambda g: g * jnp.asarray(scale, g.dtype)
    return f(x)""",
    "a lambda": "scale_gradient = lambda x, s: jax.lax.stop_gradient(x - s * x) + s * x",
    "the value too": "def scale_gradient(x, scale):\n    return scale * x",
    "one minus": """def scale_gradient(x, scale):
    return x * (1 - scale) + jax.lax.stop_gradient(x) * scale""",
    "nothing": "def scale_gradient(x, scale):\n    return x",
}
REPORT = {
    "a difference": """def report_and_differentiate(x, value, slope):
    return value + slope * (x - jax.lax.stop_gradient(x))""",
    "with scale_gradient's trick": """def report_and_differentiate(x, value, slope):
    line = slope * x
    return line + jax.lax.stop_gradient(value - line)""",
    "a rule": """@jax.custom_vjp
def _reported(x, value, slope):
    return value
_reported.defvjp(
    lambda x, v, m: (v, m), lambda m, g: (m * g, jnp.zeros_like(m), jnp.zeros_like(m)))
def report_and_differentiate(x, value, slope):
    return _reported(x, value, slope)""",
    "the value moves": "def report_and_differentiate(x, value, slope):\n    return value + slope * x",
    "reversed": """def report_and_differentiate(x, value, slope):
    return value + slope * (jax.lax.stop_gradient(x) - x)""",
    "not done": "def report_and_differentiate(x, value, slope):\n    raise NotImplementedError",
}

# -------------------------------------------------------------------- 4_constraining

CAP = {
    "the smaller factor": """def max_norm(w, limit):
    norms = jnp.linalg.norm(w, axis=0, keepdims=True)
    return w * jnp.minimum(1.0, limit / norms)""",
    "where": """def max_norm(w, limit):
    n = jnp.sqrt((w ** 2).sum(0))
    return jnp.where(n > limit, w * limit / n, w)""",
    "a loop": """def max_norm(w, limit):
    columns = []
    for column in w.T:
        n = jnp.linalg.norm(column)
        columns.append(column * (limit / n) if n > limit else column)
    return jnp.stack(columns, axis=1)""",
    "NumPy": """def max_norm(w, limit):
    w = np.array(w)
    return w * (limit / np.maximum(np.linalg.norm(w, axis=0), limit))""",
    "compiled": """@jax.jit
def max_norm(w, limit):
    return w / jnp.maximum(1.0, jnp.linalg.norm(w, axis=0) / limit)""",
    "rows": """def max_norm(w, limit):
    n = jnp.linalg.norm(w, axis=1, keepdims=True)
    return w * jnp.minimum(1.0, limit / n)""",
    "Keras": """def max_norm(w, limit):
    n = jnp.sqrt(jnp.sum(w ** 2, axis=0, keepdims=True))
    return w * (jnp.clip(n, 0, limit) / (1e-7 + n))""",
    "by value": "def max_norm(w, limit):\n    return jnp.clip(w, -limit, limit)",
    "no return": """def max_norm(w, limit):
    n = jnp.linalg.norm(w, axis=0)
    w * jnp.minimum(1.0, limit / n)""",
}
AXIS = {
    "a wide row": "def wrong_axis(limit):\n    return np.full((1, 4), 0.9 * limit)",
    "lists": "def wrong_axis(limit):\n    return [[0.8 * limit, -0.8 * limit]]",
    "limit ignored": "def wrong_axis(limit):\n    return np.full((1, 4), 0.9)",
    "the other way": "def wrong_axis(limit):\n    return np.full((4, 2), 0.6 * limit)",
    "zeros": "def wrong_axis(limit):\n    return np.zeros((2, 3))",
}
PLACES = {
    "by value_and_grad": """def three_places(w, x, y, scale, limit, cap):
    def loss(w):
        h = x @ w
        h = h * scale + jax.lax.stop_gradient(h) * (1 - scale)
        return 0.5 * jnp.sum((h @ w - y) ** 2)
    value, g = jax.value_and_grad(loss)(w)
    new = w - 0.5 * clip_by_norm(g, limit)
    return value, new * jnp.minimum(1.0, cap / jnp.linalg.norm(new, axis=0))""",
    "by hand": """def three_places(w, x, y, scale, limit, cap):
    h = x @ w
    error = h @ w - y
    g = x.T @ (scale * error @ w.T) + h.T @ error
    g = g * jnp.minimum(1.0, limit / jnp.linalg.norm(g))
    new = w - 0.5 * g
    return 0.5 * jnp.sum(error**2), new * jnp.minimum(1.0, cap / jnp.linalg.norm(new, axis=0))""",
    "no cap": """def three_places(w, x, y, scale, limit, cap):
    h = x @ w
    error = h @ w - y
    g = x.T @ (scale * error @ w.T) + h.T @ error
    g = g * jnp.minimum(1.0, limit / jnp.linalg.norm(g))
    return 0.5 * jnp.sum(error**2), w - 0.5 * g""",
    "clipped after": """def three_places(w, x, y, scale, limit, cap):
    h = x @ w
    error = h @ w - y
    g = x.T @ (scale * error @ w.T) + h.T @ error
    new = w - 0.5 * g
    new = new * jnp.minimum(1.0, limit / jnp.linalg.norm(new))
    return 0.5 * jnp.sum(error**2), new * jnp.minimum(1.0, cap / jnp.linalg.norm(new, axis=0))""",
}
