"""Statements with functions in them: loops, branches, calls, derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.compiler.fuzzing.writer import Scope, Var, Write, is_float

STRUCTURES: dict[str, Callable[[Scope, Write], None]] = {}
SMALL = 6  # elements of an argument that is differentiated twice


def structure(function: Callable[[Scope, Write], None]) -> Callable[[Scope, Write], None]:
    """Register ``function(scope, write)``; ``write`` writes a statement or more into a scope."""
    STRUCTURES[function.__name__] = function
    return function


def listed(variables: Sequence[Var]) -> str:
    """The names of some variables, as arguments."""
    return ", ".join(v.name for v in variables)


def cut(variables: Sequence[Var]) -> list[Var]:
    """What some variables are without their first axes."""
    return [Var("", v.shape[1:], v.dtype) for v in variables]


def sequence(scope: Scope, length: int, kind: str) -> Var:
    """A variable whose first axis has a length."""
    return scope.find(
        lambda v: 1 <= len(v.shape) <= 3 and v.shape[0] == length and v.dtype != "uint32",
        lambda: scope.made((length, *scope.text.shape(scope.text.pick((0, 1)))), scope.dtype(kind)),
    )


# ---------------------------------------------------------------------- branches


def branches(scope: Scope, write: Write, count: int) -> tuple[str, list[Var]]:
    """Write the functions to choose from; their names, and what to call them with."""
    given = [scope.operand("n", 0, 2) for _ in range(scope.text.pick((1, 2)))]
    made = []
    for _ in range(count):
        name, body = scope.function(write, given, turns=(1, 1, 1, 1, 0))
        body.line(f"return {body.fits(len(given))}")
        made.append(name)
    return ", ".join(made), given


@structure
def cond(scope: Scope, write: Write) -> None:
    chosen = scope.operand("a", 0, 2)
    test = f"jnp.any({chosen.name})" if chosen.dtype == "bool" else f"jnp.sum({chosen.name}) > 0"
    made, given = branches(scope, write, 2)
    scope.receive(f"lax.cond({test}, {made}, {listed(given)})", given)


@structure
def switch(scope: Scope, write: Write) -> None:
    index = scope.operand("i", 0, 0)
    made, given = branches(scope, write, 3)
    scope.receive(f"lax.switch({index.name}, [{made}], {listed(given)})", given)


# ---------------------------------------------------------------------- loops


@structure
def scan(scope: Scope, write: Write) -> None:
    text = scope.text
    length = text.pick((3, 2, 1, 4, 0))
    carried = [scope.operand(text.pick("fffib"), 0, 2) for _ in range(text.pick((1, 2)))]
    sequences = [sequence(scope, length, "n") for _ in range(text.pick((1, 0, 2)))]
    name, body = scope.function(write, [*carried, *cut(sequences)])
    stacked = [text.pick(body.own[::-1]) for _ in range(text.pick((1, 0, 2)))]
    body.line(f"return {body.fits(len(carried))}, [{listed(stacked)}]")
    unroll = 2 if length > 1 and text.chance(8) else 1
    options = f"length={length}, reverse={text.chance(35)}, unroll={unroll}"
    scope.receive(
        f"jax.tree.leaves(lax.scan(lambda c, e: {name}(*c, *e), ({listed(carried)},), "
        f"[{listed(sequences)}], {options}))",
        [*carried, *(Var("", (length, *v.shape), v.dtype) for v in stacked)],
    )


@structure
def while_loop(scope: Scope, write: Write) -> None:
    text = scope.text
    carried = [scope.operand(text.pick("ffi"), 0, 2) for _ in range(text.pick((1, 2)))]
    name, body = scope.function(write, carried, turns=(1, 2))
    body.line(f"return {body.fits(len(carried))}")
    more = text.pick((
        "s[0] < {n}",
        "(s[0] < {n}) & jnp.any(s[1] < 4)",
        "jnp.logical_and(s[0] < {n}, jnp.sum(s[1]) < 10)",
    )).format(n=text.pick((3, 1, 5, 0)))  # fmt: skip
    scope.receive(
        f"lax.while_loop(lambda s: {more}, lambda s: (s[0] + 1, *{name}(*s[1:])), "
        f"(0, {listed(carried)}))",
        [Var("", (), "int64"), *carried],
    )


@structure
def fori_loop(scope: Scope, write: Write) -> None:
    text = scope.text
    carried = scope.operand(text.pick("ffi"), 0, 2)
    low, high = text.pick(("0", "1", "-2")), text.pick(("3", "2", "1", "0"))
    kind = "int64"
    if not scope.smooth and text.chance(40):
        bound = scope.operand("i", 0, 0)
        high, kind = f"jnp.clip({bound.name}, 0, 4)", bound.dtype
        low = f"jnp.{kind}({low})"
    name, body = scope.function(write, [Var("", (), kind), carried], turns=(1, 2))
    body.line(f"return {body.fit(body.parameters[1])}")
    scope.assign(f"lax.fori_loop({low}, {high}, {name}, {carried.name})", carried)


# ---------------------------------------------------------------------- calls


@structure
def nested_jit(scope: Scope, write: Write) -> None:
    text = scope.text
    given = [scope.operand("a", 0, 2) for _ in range(text.pick((1, 2)))]
    decorator = text.pick(("@jax.jit", "@jax.jit", "@jax.checkpoint"))
    name, body = scope.function(write, given, decorator=decorator)
    body.line(f"return {body.own[-1].name}")
    for _ in range(text.pick((1, 2))):
        again = [scope.like(v.shape, v.dtype) for v in given]
        scope.assign(f"{name}({listed(again)})", body.own[-1])


def with_derivative(scope: Scope, write: Write, decorator: str, *lines: str) -> None:
    """Write a function of one array and, in lines with ``{f}``, its derivative; call one of them."""
    given = scope.operand("f", 0, 2)
    name, body = scope.function(write, [given], turns=(1,), decorator=decorator, closed=True)
    body.line(f"return {body.fit(body.parameters[0])}")
    for line in lines:
        scope.line(line.format(f=name))
    slope = f"jax.grad(lambda t: jnp.sum(jnp.sin({name}(t) * 2)))"
    scope.assign(f"{slope if scope.text.chance(50) else name}({given.name})", given)


@structure
def custom_jvp(scope: Scope, write: Write) -> None:
    of_arguments = "{f}.defjvps(lambda t, y, x: jnp.where(x > 0, t, t * 0.1))"
    of_results = "@{f}.defjvp", "def _(x, t):", "    return {f}(*x), t[0] * jnp.clip({f}(*x), -0.5, 0.5)"  # fmt: skip
    lines = (of_arguments,) if scope.text.chance(50) else of_results
    with_derivative(scope, write, "@jax.custom_jvp", *lines)


@structure
def custom_vjp(scope: Scope, write: Write) -> None:
    backward = scope.text.pick((
        "jnp.clip(g, -0.5, 0.5)",
        "g * 0.5",
        "g / jnp.maximum(1.0, jnp.sqrt(jnp.sum(g * g)))",
        "g * r",
    ))  # fmt: skip
    line = f"{{f}}.defvjp(lambda x: ({{f}}(x), x), lambda r, g: ({backward},))"
    with_derivative(scope, write, "@jax.custom_vjp", line)


# ---------------------------------------------------------------------- derivatives


def differentiable(
    scope: Scope, write: Write, given: Sequence[Var], mode: str, *, scalar: bool = False
) -> tuple[str, Var]:
    """Write a function with a float for its result, of shape () where ``scalar``.

    ``mode`` is how it will be differentiated: ``"reverse"``, ``"forward"`` or ``"both"``.
    """
    how = {"smooth": mode != "forward", "forward": mode != "reverse"}
    name, body = scope.function(write, given, **how)
    result = [v for v in body.own if is_float(v.dtype)][-1]
    ends = ("jnp.sum({0})", "jnp.sum(jnp.sin({0}))", "jnp.sum({0}) + jnp.sum({1} ** 2).astype({0}.dtype)")  # fmt: skip
    end = scope.text.pick(ends) if scalar else "{0}"
    body.line(f"return {end.format(result.name, body.parameters[0].name)}")
    return name, Var("", () if scalar else result.shape, result.dtype)


def floats(scope: Scope) -> list[Var]:
    """One or two arguments to differentiate by."""
    text = scope.text
    return [
        scope.find(
            lambda v: v.dtype == text.float and len(v.shape) <= 2,
            lambda: scope.made(text.shape(text.pick((1, 0, 2))), text.float),
        )
        for _ in range(text.pick((1, 1, 2)))
    ]


@structure
def grad(scope: Scope, write: Write) -> None:
    given = floats(scope)
    name, value = differentiable(scope, write, given, "reverse", scalar=True)
    which = scope.text.index(len(given))
    arguments = f"({name}, argnums={which})({listed(given)})"
    if scope.text.chance(40):
        scope.receive(f"jax.value_and_grad{arguments}", [value, given[which]])
    else:
        scope.assign(f"jax.grad{arguments}", given[which])


@structure
def jvp(scope: Scope, write: Write) -> None:
    given = floats(scope)
    name, result = differentiable(scope, write, given, "forward")
    tangents = [scope.like(v.shape, v.dtype) for v in given]
    call = f"jax.jvp({name}, [{listed(given)}], [{listed(tangents)}])"
    scope.receive(call, [result, result])


@structure
def vjp(scope: Scope, write: Write) -> None:
    given = floats(scope)
    name, result = differentiable(scope, write, given, "reverse")
    both = scope.text.fresh("both")
    scope.line(f"{both} = jax.vjp({name}, {listed(given)})")
    scope.assign(f"{both}[0]", result)
    scope.receive(f"{both}[1]({scope.like(result.shape, result.dtype).name})", given)


@structure
def vmap(scope: Scope, write: Write) -> None:
    text = scope.text
    length = text.pick((*text.sizes, 2, 1))
    given = [sequence(scope, length, "f") for _ in range(text.pick((1, 1, 2)))]
    name, body = scope.function(write, cut(given))
    result = body.own[-1]
    body.line(f"return {result.name}")
    if length * math.prod(result.shape) <= 300 and result.dtype != "uint32":
        out = 1 if result.shape and text.chance(20) else 0
        shape = (*result.shape[:out], length, *result.shape[out:])
        call = f"jax.vmap({name}, out_axes={out})({listed(given)})"
        scope.assign(call, Var("", shape, result.dtype))


@structure
def jacobian(scope: Scope, write: Write) -> None:
    text = scope.text
    kind, mode = text.pick((("jacrev", "reverse"), ("jacfwd", "forward"), ("hessian", "both")))
    given = scope.find(
        lambda v: v.dtype == text.float and len(v.shape) == 1 and v.shape[0] <= SMALL,
        lambda: scope.made(text.shape(1), text.float),
    )
    name, result = differentiable(scope, write, [given], mode, scalar=kind == "hessian")
    shape = (*result.shape, *given.shape * (1 + (kind == "hessian")))
    if math.prod(shape) <= 400 and len(shape) <= 4:
        # a sum's derivative has the dtype of what it is by
        dtype = result.dtype if kind == "jacfwd" else given.dtype
        scope.assign(f"jax.{kind}({name})({given.name})", Var("", shape, dtype))
