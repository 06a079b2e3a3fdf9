"""Branches."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import names, renamed, structure
from tests.compiler.fuzzing.writer import Scope, Var


def _condition(scope: Scope) -> str:
    chosen = scope.operand("a", 0, 2)
    if chosen.dtype == "bool":
        return chosen.name if chosen.shape == () else f"jnp.any({chosen.name})"
    return f"jnp.sum({chosen.name}) > 0"


def _branches(scope: Scope, write: Callable[[Scope], None], count: int) -> tuple[str, list[Var]]:
    text = scope.text
    given = [scope.operand("n", 0, 2) for _ in range(text.pick((1, 2)))]
    made = []
    for _ in range(count):
        name = text.fresh("branch")
        parameters = renamed(scope, "p", given)
        with scope.function(f"def {name}{names(parameters)}:", parameters) as body:
            if not text.chance(20):
                write(body)
            body.line(f"return ({', '.join(body.fit(p) for p in parameters)},)")
        made.append(name)
    ends = renamed(scope, "v", given)
    arguments = ", ".join(v.name for v in given)
    functions = f"[{', '.join(made)}]" if count > 2 else ", ".join(made)
    return f"{functions}, {arguments}", ends


@structure
def cond(scope: Scope, write: Callable[[Scope], None]) -> None:
    test = _condition(scope)
    call, ends = _branches(scope, write, 2)
    scope.line(f"{names(ends)} = lax.cond({test}, {call})")
    scope.declare(ends)


@structure
def switch(scope: Scope, write: Callable[[Scope], None]) -> None:
    index = scope.operand("i", 0, 0)
    call, ends = _branches(scope, write, 3)
    scope.line(f"{names(ends)} = lax.switch({index.name}, {call})")
    scope.declare(ends)
