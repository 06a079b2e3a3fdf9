"""MuZero's loss as a dozen lines of code, the scale line in any of its slots, and what follows."""

from collections.abc import Mapping

from explorax import Choice, Integer, Part, Prediction, Preset, Range, Table
from explorax.figure.equation import part
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Line, Listing, Matrix, Panels
from sccbook.models.muzero_slots import MOST, SLOTS, update_weights

LISTING = Listing(
    lines=(
        Line("def loss(theta, x, actions, y):"),
        Line("  h = represent(theta, x)", part="columns", index=1),
        Line("  # before the root’s heads", slot="root_heads"),
        Line("  L = l(heads(theta, h), y[0])"),
        Line("  # before the loop", slot="before_loop"),
        Line("  for a, t in zip(actions, y[1:]):"),
        Line("    # first in the loop", slot="every_input"),
        Line("    h = dynamics(theta, h, a)", part="dynamics"),
        Line("    # before the heads", slot="before_heads"),
        Line("    d = l(heads(theta, h), t)"),
        Line("    L += scale_gradient(d, 1/K)"),
        Line("    # after the heads", slot="after_heads"),
        Line("  # after the loop", slot="after_loop"),
        Line("  return L", part="total", note="# the loss: {total:,.0f}"),
        Line(""),
        Line("  # never reached", slot="off"),
    ),
    moving="h = scale_gradient(h, {s:,.2f})",
    control="slot",
    values="kept",
    each="{value:.0f} %",
    heading="dynamics get",
)

_STAYS = " The loss stays {total:,.0f}."
_GET = "if all losses pull alike, the dynamics get {share:.0f} % of the gradient"
_BEFORE_HEADS = "Before the heads, as in several ports, a step’s own loss passes the line too: "
_AS_WITHOUT = " The dynamics get the same as without it." + _STAYS


_TO_DYNAMICS = {3: "s^{k-j}", 4: "s^{k-j+1}", 5: "s^{k-j}"}
_TO_ROOT = {1: "s", 2: "s", 3: "s^k", 4: "s^k", 5: "s^{k-1}"}


def _weighted(factors: Mapping[int, str]) -> str:
    """Write 1/K times what the line makes of it, place by place."""
    cases = (rf"\class{{?place={place}}}{{{factor}}}" for place, factor in factors.items())
    return rf"$\frac{{1}}{{K}} {' '.join(cases)}$"


class UpdateWeights(Figure):
    """MuZero's loss as code with its scale line in one of seven places, and what its gradients get.

    Args:
      slot: ``"off"`` (default), ``"root_heads"``, ``"before_loop"``, ``"every_input"``,
        ``"before_heads"``, ``"after_heads"`` or ``"after_loop"``.
      s: the scale, in [0, 1], default 0.5.
      steps: K, from 1 to 5, default 5.
    """

    spec = FigureSpec(
        function=update_weights,
        controls=(
        Choice("slot", "the line is", options=SLOTS),
        Range("s", "scale", "s", 0.0, 1.0, 0.5, 0.05),
        Integer("steps", "unroll steps", "K", minimum=1, maximum=MOST, default=MOST),
    ),
        view=Panels(
            (
                ("", LISTING),
                (
                    "How much of each loss arrives",
                    Matrix(
                        "coefficients",
                        full=0.4,
                        rows="ℓ_{n}",
                        row_part="loss",
                        column_part="columns",
                        column_label="0: representation, 1–5: dynamics",
                        triangle=True,
                        count="rows",
                        digits=3,
                        start=0,
                        apart=1,
                        total="sum {here:,.2f}, or {share:.0f} % of {whole:,.2f}",
                        tallest=28,
                    ),
                ),
            ),
            wide="beside",
        ),
        title="One line in six places, or in none",
        look=(
            "Drag the coloured line elsewhere, or press a place. The number at a place says what the dynamics get with "
            "the line there, as a percentage of what they get without it."
        ),
        sentences=(
    "Without the line, each loss from ℓ₁ on reaches every step up to its own, weighted 1/K. The percentages say how much of "
    "that gradient is left with the line in each place.",
    "Before the root’s heads, the line scales all that reaches the representation, step 0’s loss too." + _AS_WITHOUT,
    "Before the loop, the line scales what the steps send to the representation, but not step 0’s loss." + _AS_WITHOUT,
    "First in the loop, as the paper’s prose says: " + _GET + ", loss by loss the same as after the heads." + _STAYS,
    _BEFORE_HEADS + _GET
    + ", {s:,.2f} times as much as in the pseudocode." + _STAYS,
    "After the heads, as in the pseudocode, each loss is scaled again at each step back: " + _GET + "." + _STAYS,
    "After the loop nothing reads h any more, so no gradient passes the line." + _AS_WITHOUT,
    "A scale of 1 changes nothing, wherever the line is." + _STAYS,
    "With a single step nothing reads h after the heads, so no gradient passes the line." + _AS_WITHOUT,
    _BEFORE_HEADS + _GET + ", half as much as in the pseudocode." + _STAYS,
    _BEFORE_HEADS + "with a scale of 0, the dynamics get nothing." + _STAYS,
),
        table=Table(
            columns=(("the dynamics get", "dynamics"), ("the representation gets", "representation")),
            rows=tuple(words for _, words in SLOTS),
            count=len(SLOTS),
            caption="Sums of the factors, by the line’s place",
        ),
        parts={
    "kept": Part("kept", "With the line in this place the dynamics get {value:.0f} % of the gradient."),
    "total": Part(
        "total", "The loss, as it is returned: {total:,.0f}. No place of the line changes it."
    ),
    "coefficients": Part(
        "coefficients", "Factor on this loss when it reaches this step: {value:,.3f}."
    ),
    "far": Part("far", "The first step gets {far:,.4f} of the last loss."),
    "root": Part("root", "The representation gets {root:,.4f} of the last loss."),
    "loss": Part("total", "One loss, and the factor with which it reaches each step."),
    "columns": Part("columns", "What this step gets from all losses: {value:,.3f}."),
},
        presets=(
            Preset("the pseudocode", {"slot": "after_heads", "s": 0.5, "steps": MOST}),
            Preset("several ports", {"slot": "before_heads", "s": 0.5, "steps": MOST}),
            Preset("slipped out of the loop", {"slot": "after_loop", "s": 0.5, "steps": MOST}),
        ),
        stages=((("slot", "s"), ("steps",)),),
        stills=({"slot": "after_heads"}, {"slot": "before_heads"}, {"slot": "after_loop"}),
        equation=(
    r"Loss $\ell_k$, k ≥ 1, reaches step $j$ with the factor "
    + part("far", _weighted(_TO_DYNAMICS))
    + ", and the representation with "
    + part("root", _weighted(_TO_ROOT))
    + ".",
    "For k = {steps} and j = 1 these are "
    + part("far", "{far:,.4f}")
    + " and "
    + part("root", "{root:,.4f}")
    + ".",
),
        prediction=Prediction(
            "With s = ½ after the heads, the dynamics get 54 % of the gradient if all losses pull alike. How much do "
            "they get with s = 0, when nothing passes the line?",
            answer="share",
            settings={"slot": "after_heads", "s": 0.0, "steps": MOST},
            guess=Range("guess", "guess, in %", "", 0.0, 100.0, 50.0, 1.0),
            conceals=("kept", "here", "share", "case"),
            reveal="They still get {share:.0f} %: each step gets its own loss, which doesn’t pass the line. Before the heads "
            "that loss passes it too, so nothing would be left.",
        ),
        note="The loss adds up the losses of all steps; its gradient follows their weighted sum. What the dynamics "
    "get is the sum of columns 1 to K; 1 is what a loss of weight 1 sends to one step if nothing scales it. The page differentiates the loop with the smallest networks: <code>represent</code> gives 1, "
    "<code>dynamics</code> add 1, and the loss of a state is the state. With other networks there are Jacobians "
    "in between, and the powers of s are the same. The norm of a gradient then tells you little, because losses may pull "
    "against each other.",
    )  # fmt: skip
