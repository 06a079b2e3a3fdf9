"""Calls of functions, some with derivatives of their own."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import names, renamed, structure
from tests.compiler.fuzzing.writer import Scope, Var


@structure
def nested_jit(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = [scope.operand("a", 0, 2) for _ in range(text.pick((1, 2)))]
    name = text.fresh("f")
    parameters = renamed(scope, "p", given)
    scope.line(text.pick(("@jax.jit", "@jax.jit", "@jax.checkpoint")))
    with scope.function(f"def {name}{names(parameters)}:", parameters) as body:
        for _ in range(text.pick((1, 1, 2))):
            write(body)
        result = body.own[-1]
        body.line(f"return {result.name}")
    for _ in range(text.pick((1, 2))):
        again = [scope.like(v.shape, v.dtype) for v in given]
        scope.assign(f"{name}{names(again)}", result.shape, result.dtype)


def _decorated(scope: Scope, write: Callable[[Scope], None], decorator: str) -> tuple[str, Var]:
    """Write a function of one array under a decorator; its name, and what to call it with."""
    given = scope.operand("f", 0, 2)
    name = scope.text.fresh("f")
    (parameter,) = renamed(scope, "p", [given])
    scope.line(decorator)
    with scope.function(f"def {name}({parameter.name}):", [parameter], closed=True) as body:
        write(body)
        body.line(f"return {body.fit(parameter)}")
    return name, given


@structure
def custom_jvp(scope: Scope, write: Callable[[Scope], None]) -> None:
    name, given = _decorated(scope, write, "@jax.custom_jvp")
    if scope.text.chance(50):
        scope.line(f"{name}.defjvps(lambda t, y, x: jnp.where(x > 0, t, t * 0.1))")
    else:
        scope.line(f"@{name}.defjvp")
        scope.line("def _(primals, tangents):")
        scope.line(f"    y = {name}(*primals)")
        scope.line("    return y, tangents[0] * jnp.clip(y, -0.5, 0.5)")
    _called(scope, name, given)


@structure
def custom_vjp(scope: Scope, write: Callable[[Scope], None]) -> None:
    name, given = _decorated(scope, write, "@jax.custom_vjp")
    backward = scope.text.pick((
        "jnp.clip(g, -0.5, 0.5)",
        "g * 0.5",
        "g / jnp.maximum(1.0, jnp.sqrt(jnp.sum(g * g)))",
        "g * r",
    ))  # fmt: skip
    scope.line(f"{name}.defvjp(lambda x: ({name}(x), x), lambda r, g: ({backward},))")
    _called(scope, name, given)


def _called(scope: Scope, name: str, given: Var) -> None:
    """Call a function of one array with a custom derivative, or its derivative."""
    slope = scope.text.chance(50)
    call = f"jax.grad(lambda t: jnp.sum(jnp.sin({name}(t) * 2)))" if slope else name
    scope.assign(f"{call}({given.name})", given.shape, given.dtype)
