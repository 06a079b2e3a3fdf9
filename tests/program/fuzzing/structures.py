"""Statements with functions in them: loops, branches, custom derivatives, derivatives, training."""

from __future__ import annotations

import math
from collections.abc import Callable

from fuzzing.writer import Scope, Var, is_float

Structure = Callable[[Scope, Callable[[Scope], None]], None]
STRUCTURES: dict[str, Structure] = {}

SMALL = 6  # elements of an argument that is differentiated twice


def structure(function: Structure) -> Structure:
    """Registers ``function(scope, write)``; ``write`` writes a statement or more into a scope."""
    STRUCTURES[function.__name__] = function
    return function


def names(variables: list[Var]) -> str:
    """A tuple of names."""
    return "(" + "".join(f"{v.name}, " for v in variables) + ")"


def renamed(scope: Scope, prefix: str, variables: list[Var], cut: int = 0) -> list[Var]:
    """Parameters like some variables, without their first axes where ``cut``."""
    return [Var(scope.text.fresh(prefix), v.shape[cut:], v.dtype) for v in variables]


# ------------------------------------------------------------------------- loops


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
        for _ in range(text.pick((1, 2, 3))):
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
    for end in ends:
        scope.add(end.name, end.shape, end.dtype)
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
    for end in ends:
        scope.add(end.name, end.shape, end.dtype)


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
    end = text.fresh("v")
    scope.line(f"{end} = lax.fori_loop({low}, {high}, {name}, {carried.name})")
    scope.add(end, carried.shape, carried.dtype)


# ---------------------------------------------------------------------- branches


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
    for end in ends:
        scope.add(end.name, end.shape, end.dtype)


@structure
def switch(scope: Scope, write: Callable[[Scope], None]) -> None:
    index = scope.operand("i", 0, 0)
    call, ends = _branches(scope, write, 3)
    scope.line(f"{names(ends)} = lax.switch({index.name}, {call})")
    for end in ends:
        scope.add(end.name, end.shape, end.dtype)


# ----------------------------------------------------------------- calls


@structure
def nested_jit(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = [scope.operand("a", 0, 2) for _ in range(text.pick((1, 2)))]
    name = text.fresh("f")
    parameters = renamed(scope, "p", given)
    scope.line(text.pick(("@jax.jit", "@jax.jit", "@jax.checkpoint")))
    with scope.function(f"def {name}{names(parameters)}:", parameters) as body:
        for _ in range(text.pick((1, 2, 3))):
            write(body)
        result = body.own[-1]
        body.line(f"return {result.name}")
    for _ in range(text.pick((1, 2))):
        again = [scope.like(v.shape, v.dtype) for v in given]
        end = text.fresh("v")
        scope.line(f"{end} = {name}{names(again)}")
        scope.add(end, result.shape, result.dtype)


@structure
def custom_jvp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = scope.operand("f", 0, 2)
    name = text.fresh("f")
    (parameter,) = renamed(scope, "p", [given])
    scope.line("@jax.custom_jvp")
    with scope.function(f"def {name}({parameter.name}):", [parameter], closed=True) as body:
        write(body)
        body.line(f"return {body.fit(parameter)}")
    if text.chance(50):
        scope.line(f"{name}.defjvps(lambda t, y, x: jnp.where(x > 0, t, t * 0.1))")
    else:
        scope.line(f"@{name}.defjvp")
        scope.line("def _(primals, tangents):")
        scope.line(f"    y = {name}(*primals)")
        scope.line("    return y, tangents[0] * jnp.clip(y, -0.5, 0.5)")
    _called(scope, name, given)


@structure
def custom_vjp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = scope.operand("f", 0, 2)
    name = text.fresh("f")
    (parameter,) = renamed(scope, "p", [given])
    scope.line("@jax.custom_vjp")
    with scope.function(f"def {name}({parameter.name}):", [parameter], closed=True) as body:
        write(body)
        body.line(f"return {body.fit(parameter)}")
    backward = text.pick((
        "jnp.clip(g, -0.5, 0.5)",
        "g * 0.5",
        "g / jnp.maximum(1.0, jnp.sqrt(jnp.sum(g * g)))",
        "g * r",
    ))  # fmt: skip
    scope.line(f"{name}.defvjp(lambda x: ({name}(x), x), lambda r, g: ({backward},))")
    _called(scope, name, given)


def _called(scope: Scope, name: str, given: Var) -> None:
    """Calls a function of one array with a custom derivative, or its derivative."""
    end = scope.text.fresh("v")
    if scope.text.chance(50):
        scope.line(f"{end} = jax.grad(lambda t: jnp.sum(jnp.sin({name}(t) * 2)))({given.name})")
    else:
        scope.line(f"{end} = {name}({given.name})")
    scope.add(end, given.shape, given.dtype)


# ----------------------------------------------------------------- derivatives


def _function(
    scope: Scope, write: Callable[[Scope], None], parameters: list[Var], scalar: bool, mode: str
) -> tuple[str, Var]:
    """Writes a function with a float for its result, of shape () where ``scalar``.

    ``mode`` is how it will be differentiated: ``"reverse"``, ``"forward"`` or ``"both"``.
    """
    text = scope.text
    name = text.fresh("f")
    head = f"def {name}({', '.join(p.name for p in parameters)}):"
    smooth, forward = mode != "forward", mode != "reverse"
    with scope.function(head, parameters, smooth=smooth, forward=forward) as body:
        for _ in range(text.pick((1, 2, 3))):
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
    name, _ = _function(scope, write, renamed(scope, "p", given), True, "reverse")
    which = text.index(len(given))
    arguments = ", ".join(v.name for v in given)
    if text.chance(40):
        value, slope = text.fresh("v"), text.fresh("v")
        scope.line(f"{value}, {slope} = jax.value_and_grad({name}, argnums={which})({arguments})")
        # a sum may change its dtype where a conversion came before
        scope.add(value, (), _.dtype)
    else:
        slope = text.fresh("v")
        scope.line(f"{slope} = jax.grad({name}, argnums={which})({arguments})")
    scope.add(slope, given[which].shape, given[which].dtype)


@structure
def jvp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = _floats(scope)
    name, result = _function(scope, write, renamed(scope, "p", given), False, "forward")
    tangents = [scope.like(v.shape, v.dtype) for v in given]
    value, tangent = text.fresh("v"), text.fresh("v")
    scope.line(f"{value}, {tangent} = jax.jvp({name}, {names(given)}, {names(tangents)})")
    scope.add(value, result.shape, result.dtype)
    scope.add(tangent, result.shape, result.dtype)


@structure
def vjp(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text
    given = _floats(scope)
    name, result = _function(scope, write, renamed(scope, "p", given), False, "reverse")
    pull, value = text.fresh("pull"), text.fresh("v")
    scope.line(f"{value}, {pull} = jax.vjp({name}, {', '.join(v.name for v in given)})")
    scope.add(value, result.shape, result.dtype)
    cotangent = scope.like(result.shape, result.dtype)
    slopes = renamed(scope, "v", given)
    scope.line(f"{names(slopes)} = {pull}({cotangent.name})")
    for slope in slopes:
        scope.add(slope.name, slope.shape, slope.dtype)


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
        for _ in range(text.pick((1, 2, 3))):
            write(body)
        result = body.own[-1]
        body.line(f"return {result.name}")
    end = text.fresh("v")
    arguments = ", ".join(v.name for v in given)
    if length * math.prod(result.shape) > 300 or result.dtype == "uint32":
        return
    if result.shape and text.chance(20):
        scope.line(f"{end} = jax.vmap({name}, out_axes=1)({arguments})")
        scope.add(end, (result.shape[0], length, *result.shape[1:]), result.dtype)
    else:
        scope.line(f"{end} = jax.vmap({name})({arguments})")
        scope.add(end, (length, *result.shape), result.dtype)


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
    name, result = _function(scope, write, [parameter], kind == "hessian", mode)
    shape = (*result.shape, *given.shape)
    shape = (*shape, *given.shape) if kind == "hessian" else shape
    if math.prod(shape) <= 400 and len(shape) <= 4:
        end = text.fresh("v")
        scope.line(f"{end} = jax.{kind}({name})({given.name})")
        # a sum's derivative has the dtype of what it is by
        scope.add(end, shape, result.dtype if kind == "jacfwd" else given.dtype)


# --------------------------------------------------------------------- training

OPTIMISERS = (
    "optax.sgd(0.1)",
    "optax.adam(0.1)",
    "optax.sgd(0.1, momentum=0.9)",
    "optax.sgd(0.1, momentum=0.9, nesterov=True)",
    "optax.adamw(0.1, weight_decay=0.01)",
    "optax.chain(optax.clip_by_global_norm(0.5), optax.adam(0.1))",
    "optax.chain(optax.clip(0.1), optax.sgd(0.5))",
    "optax.chain(optax.clip_by_block_rms(0.5), optax.sgd(0.1))",
    "optax.chain(optax.adaptive_grad_clip(0.1), optax.sgd(0.1))",
    "optax.sgd(optax.linear_schedule(0.5, 0.1, 3))",
    "optax.sgd(optax.cosine_decay_schedule(0.5, 4))",
    "optax.rmsprop(0.1)",
)


@structure
def training(scope: Scope, write: Callable[[Scope], None]) -> None:
    text = scope.text

    def weights(v: Var) -> bool:
        return v.dtype == text.float and len(v.shape) in (1, 2) and math.prod(v.shape) > 0

    sizes = [n for n in text.sizes if n] or [2]
    given = scope.find(
        weights, lambda: scope.made(tuple(text.pick(sizes) for _ in range(text.pick((1, 2)))), text.float)
    )  # fmt: skip
    (parameter,) = renamed(scope, "w", [given])
    loss, result = _function(scope, write, [parameter], True, "reverse")
    tx, step = text.fresh("tx"), text.fresh("step")
    if result.dtype != text.float:
        return
    scope.line(f"{tx} = {text.pick(OPTIMISERS)}")
    scope.line(f"def {step}(state, _):")
    scope.line("    w, s = state")
    scope.line(f"    value, slope = jax.value_and_grad({loss})(w)")
    scope.line(f"    update, s = {tx}.update(slope, s, w)")
    scope.line("    return (optax.apply_updates(w, update), s), value")
    length = text.pick((2, 1, 3))
    end, losses = text.fresh("v"), text.fresh("v")
    start = f"({given.name}, {tx}.init({given.name}))"
    scope.line(f"({end}, _), {losses} = lax.scan({step}, {start}, None, length={length})")
    scope.add(end, given.shape, given.dtype)
    scope.add(losses, (length,), text.float)


# --------------------------------------------------------------------- draws

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
    end = text.fresh("v")
    scope.line(f"{end} = " + DRAWS[which].format(key=key, shape=shape, float=text.float))
    if dtype == "int64" and which in (7,):
        dtype = "int64"
    scope.add(end, (5,) if DRAWN[which] == "perm" else shape, dtype)


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
        bits = text.fresh("v")
        scope.line(f"{bits} = jax.random.key_data({key})")
        scope.add(bits, (2,), "uint32")
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
