"""Observe an answer: call it, and record what it does.

A probe calls an answer, with plain data and with the small networks of this file, and returns
what it does: its values, and the cotangents that come back. It knows no solution and judges
nothing, so it is all of a check that runs beside an answer; the rest may run elsewhere.

All probes but ``returned`` and ``of_clip`` need JAX, and ``returned`` needs NumPy for its arrays alone.
"""

import dis
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sccbook.checking.clips import clip_of
from sccbook.checking.plain_data import describe_error, to_plain_data

try:  # here, and not where it is used: an answer could put something else in its place by then
    import jax
    import jax.numpy as jnp
    import numpy as np

    from sccbook.checking.muzero_ports import port
except ModuleNotFoundError:
    HAS_JAX = False
else:
    HAS_JAX = True

Answer = Callable[..., Any]


@dataclass(frozen=True)
class Observation:
    """One run of an answer: what came out, as plain data, or what was raised."""

    value: Any = None
    error: str | None = None


@dataclass(frozen=True)
class Observations:
    """Everything that was seen of an answer.

    Attributes:
      seen: one observation for each case.
      kind: the type of an answer that cannot be called, of which nothing is seen; else None.
    """

    seen: tuple[Observation, ...] = ()
    kind: str | None = None

    @property
    def first(self) -> Observation:
        """The first observation; an empty one where nothing was seen."""
        return self.seen[0] if self.seen else Observation()


def observe(probe: str, answer: Any, runs: Iterable[tuple[Any, ...]]) -> Observations:
    """Run an answer on each of several tuples of arguments.

    Args:
      probe: a name in ``PROBES``.
      answer: the function, from whomever.
      runs: the arguments of the probe, plain data.

    Raises:
      ModuleNotFoundError: if the probe needs JAX, and it isn't installed.
    """
    if not HAS_JAX and probe not in ("returned", "of_clip"):
        raise ModuleNotFoundError("This exercise runs your function in JAX: pip install jax.")
    if not callable(answer):
        return Observations(kind=type(answer).__name__)
    if _is_a_stub(answer):
        return Observations(tuple(Observation(error=NOT_ATTEMPTED) for _ in runs))
    return Observations(tuple(observe_one(probe, answer, arguments) for arguments in runs))


NOT_ATTEMPTED = "NotImplementedError"
"""The error of an answer that nobody has begun: the one that such a function raises, or would."""

NOTHING_DONE = {"RESUME", "NOP", "COPY_FREE_VARS", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
"""Instructions of a function that only returns a constant."""


def _is_a_stub(answer: Any) -> bool:
    """Tell whether a function's body is ``...``, ``pass``, or nothing but a docstring."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return False
    instructions = list(dis.get_instructions(code))
    does_nothing = {instruction.opname for instruction in instructions} <= NOTHING_DONE
    return does_nothing and all(
        instruction.argval is None for instruction in instructions if "CONST" in instruction.opname
    )


def observe_one(probe: str, answer: Answer, arguments: tuple[Any, ...]) -> Observation:
    """Run an answer once, and catch whatever it raises, even an exit."""
    try:
        return Observation(to_plain_data(PROBES[probe](answer, *arguments)))
    except (Exception, SystemExit) as error:
        return Observation(error=describe_error(error))


# --------------------------------------------------------------------- what it returns


def returned(answer: Answer, *arguments: Any) -> Any:
    """Call the answer with numbers, text and copies of NumPy's arrays."""
    return answer(*map_arrays(lambda array: array.copy(), arguments))


def returned_of_jax(answer: Answer, *arguments: Any) -> Any:
    """Call the answer with JAX's arrays in place of NumPy's."""
    return answer(*map_arrays(jnp.asarray, arguments))


def map_arrays(make: Answer, data: Any) -> Any:
    """Map a function over the arrays of plain data. Dicts keep the order of their keys."""
    if hasattr(data, "dtype"):
        return make(data)
    if isinstance(data, dict):
        return {key: map_arrays(make, part) for key, part in data.items()}
    if isinstance(data, tuple | list):
        return type(data)(map_arrays(make, part) for part in data)
    return data


# ------------------------------------------------------------------ an operator at a tensor

VALUE, TRACED, BACK, FAILED = "value", "value while differentiated", "cotangent", "failed"


def at_tensor(answer: Answer, x: Any, g: Any, *numbers: Any) -> Any:
    """Call ``answer(x, *numbers)``, and send the cotangent g back through it.

    Returns:
      A dict: ``VALUE``, what is returned; and, where that has x's shape, ``TRACED``, the same while
      JAX differentiates, and ``BACK``, the cotangent at x, or ``FAILED``, what was raised while JAX
      differentiated. Where its dtype is not x's, ``TRACED`` is left out.
    """
    x, g = jnp.asarray(x), jnp.asarray(g)
    value = answer(x, *numbers)
    if getattr(value, "shape", None) != x.shape or not hasattr(value, "dtype"):
        return {VALUE: value}  # no cotangent of g's shape can go in
    try:
        traced, pull = jax.vjp(lambda x: answer(x, *numbers), x)
        seen = {VALUE: value, TRACED: traced, BACK: pull(g.astype(value.dtype))[0]}
    except Exception as error:
        return {VALUE: value, FAILED: describe_error(error)}
    if value.dtype != x.dtype:
        del seen[TRACED]
    return seen


# ------------------------------------------------------------------------ unrolled networks

RETURNED = "returned"


def step(theta: Any, h: Any) -> Any:
    """The dynamics of ``unroll``: h' = tanh(theta h)."""
    return jnp.tanh(theta @ h)


def loss_of_state(theta: Any, h: Any) -> Any:
    """A head that reads the state only: |h - (0.3, -0.8)|^2."""
    return jnp.sum((h - jnp.array([0.3, -0.8])) ** 2)


def loss_of_both(theta: Any, h: Any) -> Any:
    """A head with parameters of its own in theta: it hears every loss in full."""
    return loss_of_state(theta, h) + 0.2 * jnp.sum(theta @ h)


LOSSES: Mapping[str, Answer] = {"state": loss_of_state, "both": loss_of_both}


def unroll(answer: Answer, loss: str, theta: Any, h: Any, steps: int, scale: float) -> Any:
    """Return the loss that ``answer(step, loss, theta, h, steps, scale)`` reports, and its gradients.

    Args:
      answer: unrolls ``steps`` applications of ``step`` and adds up their losses.
      loss: a name in ``LOSSES``.
      theta: ``[2, 2]``; h: ``[2]``.

    Returns:
      A dict: ``"loss"``, what it returns, and ``"theta"`` and ``"h"``, the gradients; or, where it
      returns something else than one number, that alone as ``RETURNED``.
    """

    def reported(theta: Any, h: Any) -> Any:
        return answer(step, LOSSES[loss], theta, h, steps, scale)

    return _loss_and_gradients(reported, {"theta": jnp.asarray(theta), "h": jnp.asarray(h)})


def step_with_action(theta: Any, h: Any, action: Any) -> Any:
    """The dynamics of ``update``: h' = tanh(W h + b action)."""
    return jnp.tanh(theta["step"] @ h + jnp.array([0.3, -0.5]) * action)


def head_with_target(theta: Any, h: Any, target: Any) -> Any:
    """One head for three: (v h - target)^2 and a term that only the state feels."""
    return (theta["head"] @ h - target) ** 2 + 0.1 * jnp.sum(h**2)


def update(answer: Answer, theta: Any, h: Any, actions: Any, targets: Any, scale: float) -> Any:
    """Return the loss that ``answer(step, head, theta, h, actions, targets, scale)`` reports.

    Args:
      answer: unrolls K applications on K actions, and adds up the losses of K + 1 targets.
      theta: ``{"step": [2, 2], "head": [2]}``; h: ``[2]``; actions: ``[K]``; targets: ``[K + 1]``.

    Returns:
      A dict: ``"loss"``, what it returns, and ``"step"``, ``"head"`` and ``"root"``, what the
      parameters and the root state receive; or, where it returns something else than one number,
      that alone as ``RETURNED``.
    """
    actions, targets = jnp.asarray(actions), jnp.asarray(targets)

    def reported(step: Any, head: Any, root: Any) -> Any:
        theta = {"step": step, "head": head}
        return answer(step_with_action, head_with_target, theta, root, actions, targets, scale)

    given = {name: jnp.asarray(array) for name, array in {**theta, "root": h}.items()}
    return _loss_and_gradients(reported, given)


def _loss_and_gradients(reported: Answer, given: Mapping[str, Any]) -> dict[str, Any]:
    called = reported(*given.values())
    if isinstance(called, tuple | list | dict) or called is None or np.shape(called) != ():
        return {RETURNED: called}  # as it is, a dict of the answer's own could pass for this one
    value, pull = jax.vjp(reported, *given.values())
    gradients = pull(jnp.ones_like(value))
    return {"loss": value, **dict(zip(given, gradients, strict=True))}


def of_port(answer: Answer, place: str, steps: int, seed: int) -> Any:
    """Call ``answer(loss, theta, h)`` with a port, which it can only run: see ``muzero_ports``."""
    return answer(*port(place, steps, seed))


def of_clip(answer: Answer, kind: str, limit: float) -> Any:
    """Call ``answer(clip)`` with a clip, which it can only call: see ``clips``."""
    return answer(clip_of(kind, limit))


PROBES: Mapping[str, Answer] = {
    "returned": returned,
    "returned_of_jax": returned_of_jax,
    "at_tensor": at_tensor,
    "unroll": unroll,
    "update": update,
    "of_port": of_port,
    "of_clip": of_clip,
}
