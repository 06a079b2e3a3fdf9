"""MuZero's loss as a dozen lines of code, the scale line in any of its slots, and what follows."""

from __future__ import annotations

from collections.abc import Mapping

from gradlab.figure.controls import Choice, Control, Integer, Range, Toggle
from gradlab.figure.equation import part
from gradlab.figure.prediction import Prediction
from gradlab.figure.spec import FigureSpec, Part, Preset, Table
from gradlab.figure.views import Axis, Line, Listing, Matrix, Panels, Profile, Series
from gradlab.figure.widget import Figure
from gradlab.unroll.muzero_slots import MOST, SLOTS, update_weights

LISTING = Listing(
    lines=(
        Line("def loss(theta, x, actions, y):"),
        Line("  h = represent(theta, x)", part="after", index=1),
        Line("  # before the root’s heads", slot="root_heads"),
        Line("  out = [(1, heads(theta, h))]", part="after", index=3),
        Line("  # before the loop", slot="before_loop"),
        Line("  for a in actions:"),
        Line("    # first in the loop", slot="every_input"),
        Line("    h = dynamics(theta, h, a)", part="after", index=2),
        Line("    # before the heads", slot="before_heads"),
        Line("    out += [(1/K, heads(theta, h))]", part="after", index=3),
        Line("    # after the heads", slot="after_heads"),
        Line("  # after the loop", slot="after_loop"),
        Line("  L = 0"),
        Line("  for (w, p), t in zip(out, y):"),
        Line("    L += scale_gradient(l(p, t), w)"),
        Line("  return L", part="total", note="# {total:,.2f}"),
        Line("  # never reached", slot="off"),
    ),
    moving="h = scale_gradient(h, {s:,.2f})",
    control="slot",
)

_STAYS = " The loss stays {total:,.2f}."
_DYNAMICS = "The dynamics’ gradient is × {ratio.1:,.2f}"

SENTENCES = (
    "Without the line the loss is {total:,.2f}, and every application receives its own loss and every later one "
    "with the same weight.",
    "Before the root’s heads: all that the representation receives is × {s:,.2f}, step 0’s loss too. "
    "The dynamics receive what they would without the line." + _STAYS,
    "Before the loop: what the steps send to the representation is × {s:,.2f}, and step 0’s loss is not, so "
    "its gradient turns by {turn.0:,.0f}°." + _STAYS,
    "First in the loop, the paper’s prose taken literally. The root is scaled too: the representation’s "
    "gradient turns by {turn.0:,.0f}°. " + _DYNAMICS + "." + _STAYS,
    "Before the heads, as in several ports. "
    + _DYNAMICS
    + ": {s:,.2f} times what the pseudocode’s place leaves."
    + _STAYS,
    "After the heads, in the loop: the pseudocode’s place. "
    + _DYNAMICS
    + " and turns by {turn.1:,.0f}°; the representation’s turns by {turn.0:,.0f}°."
    + _STAYS,
    "After the loop nobody reads h any more, so no gradient passes the line: each network’s gradient is what "
    "it is without it." + _STAYS,
    "A scale of 1 changes nothing, wherever it stands." + _STAYS,
    "With a single step nobody reads h after the heads, so no gradient passes the line and nothing changes."
    + _STAYS,
)

PARTS = {
    "after": Part("after", "The gradient’s norm with the line: {value:,.2f}."),
    "before": Part("before", "The gradient’s norm without the line: {value:,.2f}."),
    "total": Part(
        "total", "The loss, as it is returned: {total:,.2f}. No place of the line changes it."
    ),
    "coefficients": Part(
        "coefficients", "Factor on this loss when it reaches this application: {value:,.3f}."
    ),
    "far": Part("far", "Of the last loss, the first application receives {far:,.4f}."),
    "root": Part("root", "Of the last loss, the representation receives {root:,.4f}."),
    "loss": Part("total", "One loss, and the factor with which each application receives it."),
    "application": Part(
        "total", "One application, and the factor with which it receives each loss."
    ),
}

_TO_DYNAMICS = {3: "s^{k-j}", 4: "s^{k-j+1}", 5: "s^{k-j}"}
_TO_ROOT = {1: "s", 2: "s", 3: "s^k", 4: "s^k", 5: "s^{k-1}"}


def _weighted(factors: Mapping[int, str]) -> str:
    """Write 1/K times what the line makes of it, place by place."""
    cases = (rf"\class{{?place={place}}}{{{factor}}}" for place, factor in factors.items())
    return rf"$\frac{{1}}{{K}} {' '.join(cases)}$"


EQUATION = (
    r"Of $\ell_k$, k ≥ 1, application $j$ receives "
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
    "batch of three, and random targets. We chose a draw in which the line has a large effect; in most it has less. <code>l</code> adds up the three losses; the root’s reward is 0, a constant. The norms "
    "depend on the draw; the triangle does not. The gradients are <code>jax.grad</code>’s. They are "
    "surrogates: line and weights act on them and not on the value that is returned. The weight decay, a "
    "term of its own in the loss, is left out."
)

CONTROLS: tuple[Control, ...] = (
    Choice("slot", "the line stands", options=SLOTS),
    Range("s", "scale", "s", 0.0, 1.0, 0.5, 0.05),
    Integer("steps", "unroll steps", "K", minimum=1, maximum=MOST, default=MOST),
    Toggle("share", "1/K on step 0 too"),
)

SPEC = FigureSpec(
    function=update_weights,
    controls=CONTROLS,
    view=Panels(
        (
            ("", LISTING),
            (
                "",
                Panels(
                    (
                        (
                            "Gradient norms (outlined: no line)",
                            Profile(
                                (
                                    Series("before", "", "ink", "outline"),
                                    Series("after", "", "parameter"),
                                ),
                                y=Axis((0.0, 7.0)),
                                names=("represent", "dynamics", "heads"),
                                plot=84,
                            ),
                        ),
                        (
                            "The factor on each loss",
                            Matrix(
                                "coefficients",
                                decades=3,
                                rows="ℓ_{n}",
                                row_part="loss",
                                column_part="application",
                                column_label="at application (0 = representation)",
                                triangle=True,
                                count="rows",
                                digits=3,
                                start=0,
                                tallest=22,
                            ),
                        ),
                    ),
                ),
            ),
        ),
        wide="beside",
    ),
    title="One line, and six places for it",
    look=(
        "Drag the coloured line into another place. Point at a line of code, a bar or a number: what "
        "belongs to it lights up."
    ),
    sentences=SENTENCES,
    table=Table(
        columns=(
            ("representation", "representation"),
            ("dynamics", "dynamics"),
            ("heads", "heads"),
        ),
        rows=("norm without the line", "norm with it", "turned by, degrees"),
        count=3,
        caption="Gradients by network",
    ),
    parts=PARTS,
    presets=(
        Preset("the pseudocode", {"slot": "after_heads", "s": 0.5, "steps": MOST, "share": False}),
        Preset("several ports", {"slot": "before_heads", "s": 0.5, "steps": MOST, "share": False}),
        Preset("slipped out of the loop", {"slot": "after_loop", "s": 0.5, "steps": MOST, "share": False}),
    ),
    stages=((("slot", "s"), ("steps", "share")),),
    stills=({"slot": "after_heads"}, {"slot": "before_heads"}, {"slot": "after_loop"}),
    equation=EQUATION,
    prediction=Prediction(
        "Three of the six places are in the loop. Two of them give the dynamics the same gradient. Which is the odd "
        "one out?",
        answer="odd",
        how="choice",
        options=tuple(words for _, words in SLOTS[1:]),
        settings={"slot": "before_heads", "s": 0.5, "steps": MOST, "share": False},
        holds={"slot": "before_loop"},
        reveal=(
            "It is “before the heads”: a step’s own loss passes the line there too, so the dynamics’ gradient is "
            "× {ratio.1:,.2f}, half of what the other two leave."
        ),
    ),
    note=NOTE,
)  # fmt: skip


class UpdateWeights(Figure):
    """MuZero's loss as code with its scale line in one of seven places, and its gradients.

    Args:
      slot: ``"off"`` (default), ``"root_heads"``, ``"before_loop"``, ``"every_input"``,
        ``"before_heads"``, ``"after_heads"`` or ``"after_loop"``.
      s: the scale, in [0, 1], default 0.5.
      steps: K, from 1 to 5, default 5.
      share: whether step 0's loss has the weight 1/K too; default False.
    """

    spec = SPEC
