"""Loops."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import names, renamed, structure
from tests.compiler.fuzzing.writer import Scope, Var


@structure
def scan(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    length = text.pick((3, 2, 1, 4, 0))
    carried = [scope.operand(text.pick("fffib"), 0, 2) for _ in range(text.pick((1, 2)))]
    sequences = []
    for _ in range(text.pick((1, 0, 2))):
        sequences.append(
            scope.find(
                lambda v: 1 <= len(v.shape) <= 3 and v.shape[0] == length and v.dtype != "uint32",
                lambda: scope.made((length, *text.shape(text.pick((0, 1)))), scope.dtype("n")),
            )
        )
    name = text.fresh("body")
    carry, elements = renamed(scope, "c", carried), renamed(scope, "e", sequences, 1)
    stacked: list[Var] = []
    with scope.function(f"def {name}(carry, element):", [*carry, *elements]) as body:
        body.line(f"{names(carry)} = carry")
        if elements:
            body.line(f"{names(elements)} = element")
        for _ in range(text.pick((1, 1, 2))):
            write(body)
        for _ in range(text.pick((1, 0, 2))):
            stacked.append(text.pick(body.own[::-1]))
        following = ", ".join(body.fit(c) for c in carry)
        body.line(f"return ({following},), {names(stacked)}")
    ends, stacks = renamed(scope, "v", carried), renamed(scope, "v", stacked)
    xs = names(sequences) if sequences else "None"
    reverse = ", reverse=True" if text.chance(35) else ""
    unroll = ", unroll=2" if length > 1 and text.chance(8) else ""
    scope.line(
        f"{names(ends)}, {names(stacks)} = "
        f"lax.scan({name}, {names(carried)}, {xs}, length={length}{reverse}{unroll})"
    )
    scope.declare(ends)
    for stack in stacks:
        if length * math.prod(stack.shape) <= 300:
            scope.add(stack.name, (length, *stack.shape), stack.dtype)


@structure
def while_loop(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    carried = [scope.operand(text.pick("ffi"), 0, 2) for _ in range(text.pick((1, 2)))]
    test, body = text.fresh("test"), text.fresh("body")
    state = renamed(scope, "c", carried)
    turns = text.pick((3, 1, 5, 0))
    more = text.pick((
        "turn < {n}",
        "(turn < {n}) & jnp.any({c} < 4)",
        "jnp.logical_and(turn < {n}, jnp.sum({c}) < 10)",
    ))  # fmt: skip
    scope.line(f"def {test}(state):")
    scope.line(f"    turn, {names(state)} = state")
    scope.line(f"    return {more.format(n=turns, c=state[0].name)}")
    with scope.function(f"def {body}(state):", state) as inner:
        inner.line(f"turn, {names(state)} = state")
        for _ in range(text.pick((1, 2))):
            write(inner)
        following = ", ".join(inner.fit(c) for c in state)
        inner.line(f"return turn + 1, ({following},)")
    ends = renamed(scope, "v", carried)
    turn = text.fresh("v")
    scope.line(f"{turn}, {names(ends)} = lax.while_loop({test}, {body}, (0, {names(carried)}))")
    scope.add(turn, (), "int64")
    scope.declare(ends)


@structure
def fori_loop(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    carried = scope.operand(text.pick("ffi"), 0, 2)
    name, turn = text.fresh("body"), text.fresh("i")
    (state,) = renamed(scope, "c", [carried])
    low, high = text.pick(("0", "1", "-2")), text.pick(("3", "2", "1", "0"))
    kind = "int64"
    if not scope.smooth and text.chance(40):
        bound = scope.operand("i", 0, 0)
        high, kind = f"jnp.clip({bound.name}, 0, 4)", bound.dtype
        low = f"jnp.{kind}({low})"
    with scope.function(f"def {name}({turn}, {state.name}):", [Var(turn, (), kind), state]) as body:
        for _ in range(text.pick((1, 2))):
            write(body)
        body.line(f"return {body.fit(state)}")
    call = f"lax.fori_loop({low}, {high}, {name}, {carried.name})"
    scope.assign(call, carried.shape, carried.dtype)
