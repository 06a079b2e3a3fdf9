"""Small training runs, by Optax in a scan."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.compiler.fuzzing.structures.derivatives import write_function
from tests.compiler.fuzzing.structures.registry import renamed, structure
from tests.compiler.fuzzing.writer import Scope, Var

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
    loss, result = write_function(scope, write, [parameter], True, "reverse")
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
