"""Derivatives of functions, and functions of many elements at once."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.compiler.fuzzing.structures.registry import names, renamed, structure
from tests.compiler.fuzzing.writer import Scope, Var, is_float

SMALL = 6  # elements of an argument that is differentiated twice


def write_function(
    scope: Scope, write: Callable[[Scope], None], parameters: list[Var], scalar: bool, mode: str
) -> tuple[str, Var]:
    """Write a function with a float for its result, of shape () where ``scalar``.

    ``mode`` is how it will be differentiated: ``"reverse"``, ``"forward"`` or ``"both"``.
    """
    text = scope.text
    name = text.fresh("f")
    head = f"def {name}({', '.join(p.name for p in parameters)}):"
    smooth, forward = mode != "forward", mode != "reverse"
    with scope.function(head, parameters, smooth=smooth, forward=forward) as body:
        for _ in range(text.pick((1, 1, 2))):
            write(body)
        floats = [v for v in body.own if is_float(v.dtype)]
        result = floats[-1]
        end = f"jnp.sum({result.name})" if scalar else result.name
        if scalar and result.name != parameters[0].name:
            end += f" + jnp.sum({parameters[0].name} ** 2)" if text.chance(30) else ""
            result = Var(result.name, (), result.dtype)
        elif scalar:
            end, result = f"jnp.sum(jnp.sin({result.name}))", Var("", (), result.dtype)
        body.line(f"return {end}")
    return name, result


def _floats(scope: Scope, most: int = 2) -> list[Var]:
    text = scope.text

    def own(v: Var) -> bool:
        return v.dtype == text.float and len(v.shape) <= most

    return [
        scope.find(own, lambda: scope.made(text.shape(text.pick((1, 0, 2))), text.float))
        for _ in range(text.pick((1, 1, 2)))
    ]


@structure
def grad(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = _floats(scope)
    name, _ = write_function(scope, write, renamed(scope, "p", given), True, "reverse")
    which = text.index(len(given))
    arguments = ", ".join(v.name for v in given)
    if text.chance(40):
        value, slope = text.fresh("v"), text.fresh("v")
        scope.line(f"{value}, {slope} = jax.value_and_grad({name}, argnums={which})({arguments})")
        # a sum may change its dtype where a conversion came before
        scope.add(value, (), _.dtype)
        scope.add(slope, given[which].shape, given[which].dtype)
    else:
        call = f"jax.grad({name}, argnums={which})({arguments})"
        scope.assign(call, given[which].shape, given[which].dtype)


@structure
def jvp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = _floats(scope)
    name, result = write_function(scope, write, renamed(scope, "p", given), False, "forward")
    tangents = [scope.like(v.shape, v.dtype) for v in given]
    value, tangent = text.fresh("v"), text.fresh("v")
    scope.line(f"{value}, {tangent} = jax.jvp({name}, {names(given)}, {names(tangents)})")
    scope.add(value, result.shape, result.dtype)
    scope.add(tangent, result.shape, result.dtype)


@structure
def vjp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = _floats(scope)
    name, result = write_function(scope, write, renamed(scope, "p", given), False, "reverse")
    pull, value = text.fresh("pull"), text.fresh("v")
    scope.line(f"{value}, {pull} = jax.vjp({name}, {', '.join(v.name for v in given)})")
    scope.add(value, result.shape, result.dtype)
    cotangent = scope.like(result.shape, result.dtype)
    slopes = renamed(scope, "v", given)
    scope.line(f"{names(slopes)} = {pull}({cotangent.name})")
    scope.declare(slopes)


@structure
def vmap(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    length = text.pick((*text.sizes, 2, 1))
    given = [
        scope.find(
            lambda v: 1 <= len(v.shape) <= 3 and v.shape[0] == length and v.dtype in KEPT,
            lambda: scope.made((length, *text.shape(text.pick((0, 1)))), scope.dtype("f")),
        )
        for _ in range(text.pick((1, 1, 2)))
    ]
    parameters = renamed(scope, "p", given, 1)
    name = text.fresh("f")
    head = f"def {name}({', '.join(p.name for p in parameters)}):"
    with scope.function(head, parameters) as body:
        for _ in range(text.pick((1, 1, 2))):
            write(body)
        result = body.own[-1]
        body.line(f"return {result.name}")
    arguments = ", ".join(v.name for v in given)
    if length * math.prod(result.shape) > 300 or result.dtype == "uint32":
        return
    if result.shape and text.chance(20):
        shape = (result.shape[0], length, *result.shape[1:])
        scope.assign(f"jax.vmap({name}, out_axes=1)({arguments})", shape, result.dtype)
    else:
        shape = (length, *result.shape)
        scope.assign(f"jax.vmap({name})({arguments})", shape, result.dtype)


KEPT = ("float64", "float32", "int64", "int32", "bool")


@structure
def jacobian(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    kind = text.pick(("jacrev", "jacfwd", "hessian"))

    def small(v: Var) -> bool:
        return v.dtype == text.float and len(v.shape) == 1 and v.shape[0] <= SMALL

    given = scope.find(small, lambda: scope.made(text.shape(1), text.float))
    (parameter,) = renamed(scope, "p", [given])
    mode = {"jacrev": "reverse", "jacfwd": "forward", "hessian": "both"}[kind]
    name, result = write_function(scope, write, [parameter], kind == "hessian", mode)
    shape = (*result.shape, *given.shape)
    shape = (*shape, *given.shape) if kind == "hessian" else shape
    if math.prod(shape) <= 400 and len(shape) <= 4:
        # a sum's derivative has the dtype of what it is by
        dtype = result.dtype if kind == "jacfwd" else given.dtype
        scope.assign(f"jax.{kind}({name})({given.name})", shape, dtype)
