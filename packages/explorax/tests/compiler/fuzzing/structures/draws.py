"""Random numbers."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import structure
from tests.compiler.fuzzing.writer import Scope

DRAWS = (
    "jax.random.normal({key}, {shape}, dtype=jnp.{float})",
    "jax.random.uniform({key}, {shape}, dtype=jnp.{float}, minval=-1.0, maxval=2.0)",
    "jax.random.bernoulli({key}, 0.3, {shape})",
    "jax.random.randint({key}, {shape}, -3, 9)",
    "jax.random.randint({key}, {shape}, 0, 5, dtype=jnp.int32)",
    "jax.random.permutation({key}, 5)",
    "jax.random.choice({key}, 4, {shape})",
    "jax.random.categorical({key}, jnp.zeros(3), shape={shape})",
    "jax.random.exponential({key}, {shape}, dtype=jnp.{float})",
    "jax.random.truncated_normal({key}, -1.0, 1.0, {shape}, dtype=jnp.{float})",
    "jax.random.laplace({key}, {shape}, dtype=jnp.{float})",
    "jax.random.rademacher({key}, {shape}, dtype=jnp.{float})",
)
DRAWN = ("f", "f", "b", "int64", "int32", "perm", "int64", "int64", "f", "f", "f", "f")

KEYS = (
    "jax.random.fold_in(jax.random.key({seed}), {number})",
    "jax.random.key({seed})",
    "jax.random.split(jax.random.key({number}))[1]",
    "jax.random.fold_in(jax.random.PRNGKey({seed}), {number})",
    "jax.random.clone(jax.random.wrap_key_data(jax.random.PRNGKey({number})))",
)


@structure
def draw(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    which, shape = text.index(len(DRAWS)), text.pick(((), (2,), (3,), (2, 3)))
    number = scope.operand("i", 0, 0).name
    key = text.pick(KEYS).format(seed=text.pick((0, 1, 42)), number=number)
    dtype = {"f": text.float, "b": "bool", "perm": "int64"}.get(DRAWN[which], DRAWN[which])
    call = DRAWS[which].format(key=key, shape=shape, float=text.float)
    scope.assign(call, (5,) if DRAWN[which] == "perm" else shape, dtype)
