"""Random numbers."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import renamed, structure
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


def _draw(scope: Scope, key: str) -> None:
    text = scope.text
    which = text.index(len(DRAWS))
    shape = text.pick(((), (2,), (3,), (2, 3)))
    dtype = {"f": text.float, "b": "bool", "perm": "int64"}.get(DRAWN[which], DRAWN[which])
    call = DRAWS[which].format(key=key, shape=shape, float=text.float)
    scope.assign(call, (5,) if DRAWN[which] == "perm" else shape, dtype)


@structure
def draw(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    seed = text.pick((0, 1, 42))
    if text.chance(60):
        number = scope.operand("i", 0, 0)
        key = text.fresh("key")
        scope.line(f"{key} = jax.random.fold_in(jax.random.key({seed}), {number.name})")
        _draw(scope, key)
        return
    if text.chance(15):
        number = scope.operand("i", 0, 0)
        key = text.fresh("key")
        scope.line(f"{key} = jax.random.fold_in(jax.random.PRNGKey({seed}), {number.name})")
        scope.line(f"{key} = jax.random.clone(jax.random.wrap_key_data({key}))")
        scope.assign(f"jax.random.key_data({key})", (2,), "uint32")
        _draw(scope, key)
        return
    if not text.chance(50):
        _draw(scope, f"jax.random.key({seed})")
        return
    # a key that a loop carries
    carried = scope.operand("f", 0, 1)
    (state,) = renamed(scope, "c", [carried])
    name, end = text.fresh("body"), text.fresh("v")
    with scope.function(f"def {name}(carry, _):", [state]) as body:
        body.line(f"key, {state.name} = carry")
        body.line("key, use = jax.random.split(key)")
        _draw(body, "use")
        write(body)
        body.line(f"return (key, {body.fit(state)}), None")
    old = "PRNGKey" if text.chance(20) else "key"
    scope.line(
        f"(_, {end}), _ = "
        f"lax.scan({name}, (jax.random.{old}({seed}), {carried.name}), None, length=2)"
    )
    scope.add(end, carried.shape, carried.dtype)
