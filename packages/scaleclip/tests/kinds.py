"""Gradients of every kind in JAX, and the table of what becomes of them: ``kinds_of_gradient.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import sparse

TABLE = tomllib.loads(
    Path(__file__).with_name("kinds_of_gradient.toml").read_text(encoding="utf-8")
)
ENTRIES = np.array([[3.0, -4.0], [0.0, 0.5]])
WEIGHTS = np.array([[1.0, 2.0], [-2.0, 0.5]])


def bcoo(*indices: Any) -> Any:
    return sparse.BCOO((jnp.ones(len(indices)), jnp.array(indices)), shape=(2, 2))


with jax.enable_x64(True):
    LEAVES: dict[str, Any] = {
        **{
            name: jnp.asarray(ENTRIES, name)
            for name in ("float32", "float64", "bfloat16", "float16")
        },
        "float8": jnp.asarray(ENTRIES, jnp.float8_e4m3fn),
        "complex": jnp.asarray(ENTRIES + 1j * ENTRIES.T, jnp.complex64),
        "sparse": bcoo([0, 0], [1, 1]),
        "sparse, repeated": bcoo([0, 0], [0, 0]),
        "missing": None,
        "integer": np.arange(4).reshape(2, 2),
        "empty": jnp.zeros((0, 2), "f4"),
        "nan": jnp.asarray(ENTRIES, "f4").at[1, 0].set(jnp.nan),
        "inf": jnp.asarray(ENTRIES, "f4").at[1, 0].set(jnp.inf),
        "float0": np.zeros((2, 2), jax.dtypes.float0),
    }


def dense(leaf: Any) -> Any:
    wide = np.complex128 if jnp.iscomplexobj(leaf) else np.float64
    return np.asarray(leaf.todense() if isinstance(leaf, sparse.BCOO) else leaf).astype(wide)
