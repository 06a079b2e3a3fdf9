"""What the listing of ``update_weights`` says: of the line in each place, and of each part."""

from __future__ import annotations

from collections.abc import Mapping

from gradlab.figure.equation import part
from gradlab.figure.spec import Part

_STAYS = " The loss stays {total:,.2f}."
_DYNAMICS = "The dynamics’ gradient has {ratio.1:,.2f} of its length"

SENTENCES = (
    "Without the line the loss is {total:,.2f}, and every application hears every later loss with the same "
    "weight.",
    "Before the root’s heads: all that the representation hears is multiplied by {s:,.2f}, step 0’s loss too, "
    "so only its length changes. The dynamics hear as without the line." + _STAYS,
    "Before the loop: what the steps send to the representation is multiplied by {s:,.2f}, once; step 0’s loss "
    "is not, and its gradient turns by {turn.0:,.0f}°. The dynamics hear as without the line."
    + _STAYS,
    "First in the loop, the paper’s prose read literally. "
    + _DYNAMICS
    + ", as in the pseudocode’s place; "
    "the representation’s turns by {turn.0:,.0f}°, as the root state is scaled too, so that it hears one s more of each step."
    + _STAYS,
    "Before the heads, as in several ports. "
    + _DYNAMICS
    + ": {s:,.2f} times what the pseudocode’s place "
    "leaves. The representation’s turns by {turn.0:,.0f}°." + _STAYS,
    "After the heads, in the loop: the pseudocode’s place. "
    + _DYNAMICS
    + " and turns by {turn.1:,.0f}°; the representation’s turns by {turn.0:,.0f}°."
    + _STAYS,
    "After the loop nobody reads h any more, so no gradient passes the line: each network’s gradient is what "
    "it is without it." + _STAYS,
    "A scale of 1 changes nothing, wherever it stands." + _STAYS,
)

PARTS = {
    "after": Part("after", "Gradient’s norm, network {n} of 3: {value:,.2f} with the line."),
    "before": Part("before", "Gradient’s norm, network {n} of 3: {value:,.2f} without the line."),
    "total": Part(
        "total", "The loss, as it is returned: {total:,.2f}. No place of the line changes it."
    ),
    "coefficients": Part("coefficients", "What is left of this loss here: {value:,.3f}."),
    "far": Part("far", "Of the last loss, the first application hears {far:,.4f}."),
    "root": Part("root", "Of the last loss, the representation hears {root:,.4f}."),
    "loss": Part("total", "A loss, and what is left of it on its way back."),
    "application": Part("total", "An application of the dynamics, and what it hears of each loss."),
}

_TO_DYNAMICS = {3: "s^{k-j}", 4: "s^{k-j+1}", 5: "s^{k-j}"}
_TO_ROOT = {1: "s", 2: "s", 3: "s^k", 4: "s^k", 5: "s^{k-1}"}


def _weighted(factors: Mapping[int, str]) -> str:
    """Write 1/K times what the line makes of it, place by place."""
    cases = (rf"\class{{?place={place}}}{{{factor}}}" for place, factor in factors.items())
    return rf"$\frac{{1}}{{K}} {' '.join(cases)}$"


EQUATION = (
    r"Of $\ell_k$, k ≥ 1, application $j$ hears "
    + part("far", _weighted(_TO_DYNAMICS))
    + ", and the representation "
    + part("root", _weighted(_TO_ROOT))
    + ".",
    "For k = {steps} and j = 1 these are "
    + part("far", "{far:,.4f}")
    + " and "
    + part("root", "{root:,.4f}")
    + ".",
)

NOTE = (
    "Real networks with random parameters: states of 4 numbers, min-max normalised, six hidden units, a "
    "batch of three, and random targets: a draw in which the line shows; in many it does less. <code>l</code> adds up the three losses; the root’s reward is 0, a constant. The norms "
    "depend on the draw; the triangle does not. The gradients are <code>jax.grad</code>’s. They are "
    "surrogates: line and weights act on them and not on the value that is returned. The weight decay, a "
    "term of its own in the loss, is left away."
)
