"""A tape of three steps: played forward, then backward, one application at a time."""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Choice, Integer, Part, Prediction, Preset, Range, Table
from explorax.figure.equation import muted, when
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Chain
from sccbook.models.examples import THETA, three_steps

STEPS, MOVES = 3, 7
"""Three applications; a move forward for each, and one back for each of the four states."""


def tape(x: Array, played: Array, stopped: Array) -> dict[str, Array]:
    """The tape of ``three_steps``, and the factors of the application that is being played.

    Args:
      x: float ``[]``; the first state, h_0.
      played: int ``[]`` from 1 to ``MOVES``; 3 moves compute the states, 4 more the cotangents.
      stopped: int ``[]``; the application in which theta passes ``stop_gradient``, 0 for none.

    Returns:
      What ``three_steps`` returns, with ``total`` the gradient of the one theta by ``jax.grad``,
      and ``slope_of_loss`` what it is where nothing is stopped;
      ``before``, ``after``, ``arrived`` ``[3]``, the state on either side of each application and
      the cotangent that arrives there;
      ``slope``, ``shared``, ``passed`` ``[3]``, the derivative of the application's tanh, the
      factor that both of its gradients have, and what it hands to the state before; ``sizes``
      ``[3]``, that without its sign, and ``falls``, whether what is handed to the present state
      has a minus; ``at``, the application that is played, and ``stops``, whether theta is stopped
      there; ``so_far``, what theta has received by now; ``combined``, what the gradient of theta
      is of the three received: 0 the last, 1 the largest, 2 their mean, 3 their sum, 4 none of
      these; ``loss``, ``case`` and ``heard_1`` to ``heard_3``, for the words.
    """
    back = jnp.maximum(played - STEPS, 0)
    at = jnp.where(back == 0, played, jnp.maximum(MOVES - played, 1))
    found = three_steps(x, 1 + jnp.minimum(played, STEPS), back, THETA, stopped)
    before, after = found["states"][:-1], found["states"][1:]
    received, arrived = found["received"], found["cotangents"][1:]

    def loss(theta: Array, stopped: Array | int) -> Array:
        return jnp.sum(three_steps(x, STEPS + 1, 0, theta, stopped)["losses"])

    theta = jnp.asarray(THETA)
    total, slope = jax.grad(loss)(theta, stopped), jax.grad(loss)(theta, 0)
    back_through_tanh = jax.vjp(jnp.tanh, THETA * before)[1]
    back_through_step = jax.vjp(lambda h: jnp.tanh(THETA * h), before)[1]
    passed = back_through_step(arrived)[0]
    guesses = (received[-1], jnp.max(received), jnp.mean(received), jnp.sum(received))
    fits = jnp.abs(jnp.stack(guesses) - total) < 1e-12
    nothing = jnp.all(received == 0)
    special = jnp.where(nothing, MOVES + 1, jnp.where(stopped > 0, MOVES, MOVES - 1))
    return found | {
        "total": total,
        "loss": loss(theta, 0),
        "slope_of_loss": slope,
        "before": before,
        "after": after,
        "arrived": arrived,
        "slope": back_through_tanh(jnp.ones(STEPS))[0],
        "shared": back_through_tanh(arrived)[0],
        "passed": passed,
        "sizes": jnp.abs(passed),
        "falls": passed[jnp.minimum(at, STEPS - 1)] < 0,
        "at": at,
        "heard_1": back >= 3,
        "heard_2": back >= 2,
        "heard_3": back >= 1,
        "so_far": jnp.sum(jnp.where(jnp.arange(STEPS) >= STEPS - back, received, 0.0)),
        "combined": jnp.where(jnp.any(fits), jnp.argmax(fits), len(guesses)),
        "stops": stopped == at,
        "case": jnp.where(played == MOVES, special, played - 1),
    }


ALL = "{received.0:,.2f}, {received.1:,.2f} and {received.2:,.2f}"

# ------------------------------------------------------------------------ the equation


def _number(result: str, k: int, lit: str, index: int) -> str:
    """Write a number of application k, which lights with its place in the picture."""
    return rf"\class{{{lit}.{index}}}{{\live{{{result}.{k - 1}:,.2f}}}}"


def _forward(k: int) -> str:
    return (
        rf"$h_{k} = \tanh(\theta \cdot h_{k - 1}) = \tanh({THETA} \cdot "
        rf"{_number('before', k, 'states', k)}) = {_number('after', k, 'states', k + 1)}$"
    )


def _arrives(k: int) -> str:
    arrived = _number("arrived", k, "cotangents", k + 1)
    own = rf"\bar h_{k} = \class{{losses.{k}}}"
    if k == STEPS:
        return rf"${own}{{h_{k} - 0.2}} = {arrived}$"
    passed = _number("sizes", k + 1, "passed", k + 1)
    plus, minus = (rf"${own}{{(h_{k} - 0.2)}} {sign} {passed} = {arrived}$" for sign in "+-")
    return when("!falls", plus) + when("falls", minus)


def _handed(k: int, symbol: str, number: str, result: str) -> str:
    """Write one of the two products that have the factor h-bar (1 - h^2) in common."""
    shared = rf"\class{{shared.{k}}}{{\bar h_{k} \cdot (1 - h_{k}^2)}}"
    factors = rf"{_number('arrived', k, 'cotangents', k + 1)} \cdot \live{{slope.{k - 1}:,.2f}}"
    return (
        rf"${shared} \cdot {symbol} = \class{{shared.{k}}}{{{factors}}} \cdot {number} "
        rf"= {_number(result, k, result, k)}$"
    )


def _line(words: Sequence[str], terms: Callable[[int], str], condition: str = "") -> str:
    """Write a line about the application that is played."""
    return "".join(
        when(f"at={k}{condition}", f"{muted(f'{words[k - 1]}:')} {terms(k)}") for k in (1, 2, 3)
    )


CHAINED = r"\;+\;"  # at the end of a group a plus would stand too close
_SUM = "".join(
    rf"\class{{?heard_{k}}}{{{_number('received', k, 'received', k)}{CHAINED if k < STEPS else ''}}}"
    for k in (1, 2, 3)
)


class Tape(Figure):
    """A tape of three steps, played forward and then backward.

    The unroll is h_k = tanh(theta h_{k-1}) with theta = 1.4, the loss of a step
    (h_k - 0.2)^2 / 2. Its numbers are those of ``jax.grad`` and ``jax.vjp``.

    Args:
      x: h_0, in [-1, 1], default 0.5.
      played: moves, from 1 to 7: 3 forward (default), then 4 backward.
      stopped: ``"nowhere"`` (default), or the application in which theta passes
        ``stop_gradient``: ``"1"``, ``"2"`` or ``"3"``.
    """

    spec = FigureSpec(
        function=tape,
        source=three_steps,
        controls=(
            Range("x", "input", "h₀", -1.0, 1.0, 0.5, 0.01),
            Integer("played", "moves played", "", 1, MOVES, STEPS, plays=True),
            Choice(
                "stopped",
                "stop θ",
                "",
                (("nowhere", "nowhere"), *((str(k), f"in application {k}") for k in (1, 2, 3))),
            ),
        ),
        view=Chain(
            "states",
            "cotangents",
            "received",
            "losses",
            total="total",
            passed="passed",
            uses=f"θ = {THETA}",
            stopped="stopped",
            widest=2.0,
            longest=2.0,
            drag="x",
            forward="forward",
            backward="backward",
        ),
        title="A parameter that is used three times",
        look="Play on from move 3: moves 4 to 7 go backward. Which product occurs in both lines, “handed to θ” and “handed to h”?",
        sentences=(
            "Forward, application 1: h₁ = {states.1:,.2f}, and its loss is {losses.0:,.2f}.",
            "Forward, application 2: h₂ = {states.2:,.2f}, and its loss is {losses.1:,.2f}.",
            "Forward, application 3: h₃ = {states.3:,.2f}. The three losses add up to {loss:,.2f}. "
            "Play on, and their gradients flow back.",
            "Backward, at h₃: its own loss sends {arrived.2:,.2f}. "
            "The share of θ from application 3 is {received.2:,.2f}.",
            "Backward, at h₂: {arrived.1:,.2f} has arrived. "
            "The share of θ from application 2 is {received.1:,.2f}.",
            "Backward, at h₁: {arrived.0:,.2f} has arrived. "
            "The share of θ from application 1 is {received.0:,.2f}.",
            f"The shares of θ from the three applications are {ALL}. "
            "Its gradient is their sum, {total:,.2f}.",
            f"With θ stopped in application {{stopped}}, its shares are {ALL}. Their sum, {{total:,.2f}}, is "
            "reported as the gradient, but the slope of the loss is {slope_of_loss:,.2f}: a surrogate.",
            "With h₀ = {x}, every state is 0, and changing θ changes nothing: its gradient is {total}. "
            "But changing h₀ changes the loss, with the slope {cotangents.0:,.2f}.",
        ),
        table=Table(
            columns=(
                ("state before", "before"),
                ("state after", "after"),
                ("cotangent after", "arrived"),
                ("share of θ", "received"),
            ),
            rows="application {n}",
            count=STEPS,
            caption="The whole tape, however far it has been played",
        ),
        stages=((("played", "x"), ("stopped",)),),
        presets=(
            Preset("the whole pass", {"x": 0.5, "played": MOVES, "stopped": "nowhere"}),
            Preset("from zero: h₀ = 0", {"x": 0.0, "played": MOVES, "stopped": "nowhere"}),
            Preset("θ stopped in application 2", {"x": 0.5, "played": MOVES, "stopped": "2"}),
        ),
        stills=({"played": 3}, {"played": 5}, {"played": MOVES}),
        parts={
            "states": Part("states", "h_{m} is {value:,.2f}."),
            "losses": Part("losses", "ℓ_{n}, the loss at h_{n}, is {value:,.2f}."),
            "cotangents": Part("cotangents", "At h_{m}, {value:,.2f} arrives."),
            "passed": Part("passed", "Application {n} hands {value:,.2f} to the state before it."),
            "received": Part("received", "The share of θ from application {n} is {value:,.2f}."),
            "total": Part("total", "The shares add up to {value:,.2f}."),
        },
        equation=(
            _line([f"application {k}, forward" for k in (1, 2, 3)], _forward, " !heard_3"),
            _line(
                [
                    "arriving at h₁, from ℓ₁ and application 2",
                    "arriving at h₂, from ℓ₂ and application 3",
                    "arriving at h₃, from ℓ₃",
                ],
                _arrives,
                " heard_3",
            ),
            _line(
                ["handed to θ"] * STEPS,
                lambda k: _handed(k, f"h_{k - 1}", _number("before", k, "states", k), "received"),
                " heard_3 !stops",
            )
            + when(
                "heard_3 stops",
                muted("handed to θ:") + " nothing, because θ is stopped in application {at}",
            ),
            _line(
                ["handed to h₀", "handed to h₁", "handed to h₂"],
                lambda k: _handed(k, r"\theta", str(THETA), "passed"),
                " heard_3",
            ),
            when(
                "heard_3",
                muted("the gradient of θ:")
                + rf" $\bar\theta = \class{{total}}{{{_SUM} \class{{?heard_2}}{{= \live{{so_far:,.2f}}}}}}$ "
                + '<span class="gl-muted" data-when="!heard_1">so far</span>',
            ),
        ),
        prediction=Prediction(
            "θ is used three times. Through one use at a time, the chain rule finds the derivatives "
            "0.32, 0.26 and 0.17. Which number is the gradient of θ?",
            answer="combined",
            how="choice",
            options=(
                "0.17, from the last use",
                "0.32, the largest",
                "0.25, their mean",
                "0.75, their sum",
            ),
            settings={"x": 0.5, "played": MOVES, "stopped": "nowhere"},
            conceals=("total", "so_far", "slope_of_loss"),
            reveal="It is their sum, {total:,.2f}: nudge θ, and the loss changes by {total:,.2f} times the nudge.",
        ),
        note=(
            r"Blue, from left to right: the states $h_k = \tanh(\theta h_{k-1})$ with "
            rf"$\theta = {THETA}$, and the losses $\ell_k = \frac{{1}}{{2}} (h_k - 0.2)^2$. "
            "Orange, from right to left: the cotangents, which say how fast the total loss changes with "
            "each state. They are drawn as wide as they are large, and hatched where they are negative; amber is a loss’s own share. "
            "Green: what each application hands θ, its share, as long as it is large, and below it all of them in one bar."
        ),
    )
