"""A tape of three steps: played forward, then backward, one step at a time."""

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
"""Three steps; a move forward for each, and one back for each of the four states."""


def tape(x: Array, played: Array, stopped: Array) -> dict[str, Array]:
    """The tape of ``three_steps``, and the factors of the step that is being played.

    Args:
      x: float ``[]``; the first state, h_0.
      played: int ``[]`` from 1 to ``MOVES``; 3 moves compute the states, 4 more the cotangents.
      stopped: int ``[]``; the step in which theta passes ``stop_gradient``, 0 for none.

    Returns:
      What ``three_steps`` returns, with ``total`` the gradient of the one theta by ``jax.grad``,
      and ``slope_of_loss`` what it is where nothing is stopped;
      ``before``, ``after``, ``arrived`` ``[3]``, the state on either side of each step and
      the cotangent that arrives there; ``passed`` ``[3]``, what it hands to the state before;
      ``at``, the step that is played, ``stops``, whether theta is stopped there, and ``now``
      ``[5]``, the factors of what it sends back: what arrives, the derivative of the tanh, the state
      before, and the two products; ``zeros``, which gradient is 0: 0 that of theta, 1 that of h_0,
      2 both, 3 neither; ``loss`` and ``case``, for the words.
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
    slopes = jax.vjp(jnp.tanh, THETA * before)[1](jnp.ones(STEPS))[0]
    passed = jax.vjp(lambda h: jnp.tanh(THETA * h), before)[1](arrived)[0]
    nothing, still = jnp.all(received == 0), jnp.int32(found["cotangents"][0] == 0)
    special = jnp.where(nothing, MOVES + 1, jnp.where(stopped > 0, MOVES, MOVES - 1))
    return found | {
        "total": total,
        "loss": loss(theta, 0),
        "slope_of_loss": slope,
        "before": before,
        "after": after,
        "arrived": arrived,
        "passed": passed,
        "at": at,
        "now": jnp.stack([arrived, slopes, before, received, passed])[:, at - 1],
        "zeros": jnp.where(total == 0, 2 * still, 3 - 2 * still),
        "stops": stopped == at,
        "case": jnp.where(played == MOVES, special, played - 1),
    }


ALL = "{received.0:,.2f}, {received.1:,.2f} and {received.2:,.2f}"


class Tape(Figure):
    """A tape of three steps, played forward and then backward.

    The unroll is h_k = tanh(theta h_{k-1}) with theta = 1.4, the loss of a step
    (h_k - 0.2)^2 / 2. Its numbers are those of ``jax.grad`` and ``jax.vjp``.

    Args:
      x: h_0, in [-1, 1], default 0.5.
      played: moves, from 1 to 7: 3 forward, then 4 backward; default 7.
      stopped: ``"nowhere"`` (default), or the step in which theta passes
        ``stop_gradient``: ``"1"``, ``"2"`` or ``"3"``.
    """

    spec = FigureSpec(
        function=tape,
        source=three_steps,
        controls=(
            Range("x", "input", "h₀", -1.0, 1.0, 0.5, 0.01),
            Integer("played", f"move (1–{MOVES})", "", 1, MOVES, MOVES, plays=True),
            Choice(
                "stopped",
                "stop θ",
                "",
                (("nowhere", "nowhere"), *((str(k), f"in step {k}") for k in (1, 2, 3))),
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
            widest=2.1,
            longest=2.05,
            drag="x",
            forward="forward",
            backward="backward",
        ),
        title="A parameter that is used three times",
        look="Moves 1 to 3 go forward, moves 4 to 7 back. Which factors appear in both lines below?",
        sentences=(
            "Move 1, forward: step 1 computes h₁ = {states.1:,.2f}. Its loss is {losses.0:,.2f}.",
            "Move 2, forward: step 2 computes h₂ = {states.2:,.2f}. Its loss is {losses.1:,.2f}.",
            "Move 3, forward: step 3 computes h₃ = {states.3:,.2f}. The three losses add up to {loss:,.2f}. "
            "Play on, and their gradients fill the boxes below.",
            "Move 4, back: h₃ gets a gradient of {arrived.2:,.2f} from its own loss, and step 3 gives θ a share of {received.2:,.2f}.",
            "Move 5, back: h₂ gets a gradient of {passed.2:,.2f} from h₃ and the rest from its own loss. Step 2 gives θ a share of {received.1:,.2f}.",
            "Move 6, back: h₁ gets a gradient of {passed.1:,.2f} from h₂ and the rest from its own loss. Step 1 gives θ a share of {received.0:,.2f}.",
            f"Each f is tanh(θh); × marks its slope with respect to h. The shares of θ are {ALL}. Its gradient is their sum, {{total:,.2f}}.",
            f"With θ stopped in step {{stopped}}, its shares are {ALL}. Autodiff reports their sum, {{total:,.2f}}, "
            "as the gradient. It’s a surrogate: the slope of the loss is still {slope_of_loss:,.2f}.",
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
            rows="step {n}",
            count=STEPS,
            caption="The whole tape, however far it has been played",
        ),
        stages=((("played", "x"), ("stopped",)),),
        presets=(
            Preset("forward only", {"x": 0.5, "played": STEPS, "stopped": "nowhere"}),
            Preset("from zero: h₀ = 0", {"x": 0.0, "played": MOVES, "stopped": "nowhere"}),
            Preset("θ stopped in step 2", {"x": 0.5, "played": MOVES, "stopped": "2"}),
        ),
        stills=({"played": 3}, {"played": 5}, {"played": MOVES}),
        parts={
            "states": Part("states", "h_{m} is {value:,.2f}."),
            "losses": Part("losses", "ℓ_{n}, the loss at h_{n}, is {value:,.2f}."),
            "cotangents": Part("cotangents", "At h_{m}, {value:,.2f} arrives."),
            "passed": Part("passed", "Step {n} sends {value:,.2f} to the state before it."),
            "received": Part("received", "The share of θ from step {n} is {value:,.2f}."),
            "total": Part("total", "The shares add up to {value:,.2f}."),
        },
        equation=(
            rf"$h_k = \tanh(\theta \cdot h_{{k-1}}), \quad \theta = {THETA}$",
            when(
                "backward !stops",
                muted("step {at} gives θ:")
                + r" $\bar h_k \cdot (1 - h_k^2) \cdot h_{k-1} = \live{now.0:,.2f} \cdot \live{now.1:,.2f} "
                r"\cdot \live{now.2:,.2f} = \live{now.3:,.2f}$",
            ),
            when(
                "backward",
                muted("and the state before it:")
                + r" $\bar h_k \cdot (1 - h_k^2) \cdot \theta = \live{now.0:,.2f} \cdot \live{now.1:,.2f} "
                rf"\cdot {THETA} = \live{{now.4:,.2f}}$",
            ),
            r"$\bar\theta = \class{received.1}{\live{received.0:,.2f}} + \class{received.2}{\live{received.1:,.2f}} "
            r"+ \class{received.3}{\live{received.2:,.2f}} = \class{total}{\live{total:,.2f}}$",
        ),
        prediction=Prediction(
            "Set h₀ = 0, and every state is 0. Which gradient is 0 as well?",
            answer="zeros",
            how="choice",
            options=("that of θ", "that of h₀", "both", "neither"),
            settings={"x": 0.0, "played": MOVES, "stopped": "nowhere"},
            conceals=("total", "case"),
            reveal="Only that of θ: each of its shares has the state before as a factor. The cotangents "
            "remain, because each state misses its target.",
        ),
        note=(
            r"Blue, from left to right: the states $h_k = \tanh(\theta h_{k-1})$ with "
            rf"$\theta = {THETA}$, and the losses $\ell_k = \frac{{1}}{{2}} (h_k - 0.2)^2$. "
            "Orange, from right to left: the cotangents, which say how fast the total loss changes with "
            "each state. Width shows an arrow’s size, and hatching a negative number; amber comes from the state’s own loss. "
            "Green: each step’s share of θ, drawn in proportion, and all shares in one bar below."
        ),
    )
