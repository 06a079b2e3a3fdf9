"""From a symptom and what the record says to an operation, its place and a first limit, or to none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST

NONE, SCALE, CLIP, CONSTRAIN = range(4)
KINDS = ("none of the three", "scale", "clip", "constrain")


class Row(NamedTuple):
    """What a record may say, and what then: lines that fit into a box, and a sentence."""

    record: Sequence[str]
    kind: int
    remedy: Sequence[str]
    sentence: str


SYMPTOMS: dict[str, tuple[Sequence[str], Sequence[Row]]] = {
    "nan": (("NaN at step 3,000",), (
        Row(("The loss is NaN first;", "the norms before it are short"), NONE,
            ("Mend the forward pass:", "log 0, 0/0, an overflow"),
            "The loss was NaN first: look in the forward pass for log 0, 0/0 or an overflow. A clip passes NaN on."),
        Row(("The loss is finite,", "one gradient is NaN"), NONE,
            ("Mend the backward pass:", "guard the input of the where"),
            "The loss is finite and a gradient is NaN: often a where chose the right value, but the slope of its other "
            "branch is infinite. Guard that branch’s input."),
        Row(("The norms grew for", "hundreds of steps before"), NONE,
            ("Halve the rate,", "go on from before the growth"),
            "The norms grew for hundreds of steps: halve the rate. A clip would act at each, as a lower rate does."),
    )),
    "spikes": (("The loss spikes",), (
        Row(("A few norms are far above", "the median, the rest are calm"), CLIP,
            ("Clip before the optimizer", "at the 99th percentile"),
            "A few norms stand out: clip the gradient before the optimizer sees it, first at the 99th percentile of a "
            "calm stretch."),
        Row(("Norms as usual, some updates", "are 5 times as long"), CLIP,
            ("Clip the update after Adam", "at RMS 1, or lower β₂"),
            "The gradients are as usual but updates are long, so v is too small: clip the update at a root mean square of 1, "
            "or lower β₂."),
        Row(("The same minibatch", "each time"), NONE,
            ("Mend the data,", "until then skip the batch"),
            "It is the same minibatch each time: mend it, and skip it until then. A clip would still step along it."),
    )),
    "unroll": (("Worse as the unroll", "grows longer"), (
        Row(("Each step back multiplies", "the norm at the state"), SCALE,
            ("Scale at the state", "by ½, after the heads"),
            "Each step back multiplies the norm: scale it at the state, by ½ where each step has its own loss. Where "
            "only the last has one, clip there."),
        Row(("The recurrent matrix stretches", "more and more"), CONSTRAIN,
            ("Cap its singular values", "after the step, at their start"),
            "The recurrent matrix stretches more and more: cap its singular values after each step, first at the "
            "largest of them at the start."),
        Row(("K steps, and a norm", "K times as long"), NONE,
            ("Divide the loss by K:", "a sum stands for a mean"),
            "The norm grows with K itself, even where the state passes nothing on: the loss is a sum and should be a mean."),
    )),
    "weights": (("The weights grow",), (
        Row(("Columns grow,", "and the loss gains nothing"), CONSTRAIN,
            ("MaxNorm after the step,", "at twice the norm at the start"),
            "Columns grow and the loss gains nothing: cap them after the step, first at twice their norm at the start."),
        Row(("Queries and keys grow,", "the largest logit with them"), CONSTRAIN,
            ("Cap query and key weights", "after the step, logit 100"),
            "The attention’s logits grow: shrink query and key weights after the step where the largest logit is "
            "above 100, or bound the logit in the graph."),
        Row(("They feed a normalisation,", "the outputs stay"), NONE,
            ("Leave them, or", "add weight decay"),
            "The normalisation takes their length away: leave them, or add weight decay, because longer weights turn "
            "more slowly."),
    )),
    "policy": (("The policy collapses",), (
        Row(("A few ratios far from 1", "carry the gradient"), CLIP,
            ("Clip the ratio in the loss", "at 1 ± 0.2"),
            "A few ratios carry the gradient: clip the ratio in the loss, as PPO does, first at 1 ± 0.2."),
        Row(("The value’s loss is 99 %", "of the shared layers’ norm²"), SCALE,
            ("Scale the value’s branch", "where it joins"),
            "The value’s loss drowns the policy’s: scale its gradient where it joins the shared layers, first so that "
            "both are equally long."),
        Row(("The entropy is near 0,", "most norms are 0"), NONE,
            ("An entropy bonus,", "a lower rate"),
            "The policy is certain, so its gradient is 0: an entropy bonus or a lower rate, from before the collapse."),
    )),
    "stuck": (("The loss hardly falls",), (
        Row(("Every norm is tiny,", "from the start"), NONE,
            ("Another initialisation,", "gates, shorter paths"),
            "Every norm is tiny: change the initialisation, add gates or shorten the paths. A clip never lengthens a gradient."),
        Row(("No norm stands out,", "the loss goes up and down"), NONE,
            ("Halve the rate",),
            "No norm stands out and the loss goes up and down: halve the rate."),
        Row(("9 steps in 10 are clipped,", "the loss falls, but slowly"), CLIP,
            ("Raise the limit", "to the 95th percentile"),
            "9 steps in 10 are clipped. Under SGD each is rate × c long, so raise either; under Adam raise the rate."),
    )),
}  # fmt: skip
NAMES = tuple(SYMPTOMS)
ROWS = 3
KIND_OF = np.array([[row.kind for row in rows] for _, rows in SYMPTOMS.values()])


def decide(symptom: Array, says: Array) -> dict[str, Array]:
    """Look up what helps.

    Args:
      symptom: int ``[]``; a place in ``NAMES``.
      says: int ``[]``; which of three things the record says, 0 to 2.

    Returns:
      ``kinds`` ``[6, 3]``, a place in ``KINDS`` for each symptom and record; ``row``, ``chosen``
      ``[]``, the symptom and the record; ``counts`` ``[4]``, how many of the 18 are of each kind;
      ``none`` ``[]``, of those how many are none of the three; ``case`` ``[]``.
    """
    kinds = jnp.asarray(KIND_OF)
    counts = jnp.stack([jnp.sum(kinds == kind) for kind in range(len(KINDS))])
    return {
        "kinds": kinds,
        "row": symptom,
        "chosen": says,
        "counts": counts,
        "none": counts[NONE],
        "case": ROWS * symptom + says,
    }


@dataclass(frozen=True)
class Decision(View):
    """Symptoms, three records for the chosen one, and what each leads to; the chosen path is lit.

    Attributes:
      symptoms: for each its lines.
      records, remedies: by symptom, for each of three its lines.
    """

    symptoms: Sequence[Sequence[str]] = ()
    records: Sequence[Sequence[Sequence[str]]] = ()
    remedies: Sequence[Sequence[Sequence[str]]] = ()
    kind = "decision"
    script = DIST / "decision.js"
    reads = ("kinds", "row", "chosen", "symptom", "says")


class WhichOne(Figure):
    """A symptom, what the record says of it, and the remedy to try first.

    Args:
      symptom: ``"nan"``, ``"spikes"``, ``"unroll"``, ``"weights"``, ``"policy"`` or ``"stuck"``.
      says: ``"first"``, ``"second"`` or ``"third"`` of the three that are drawn.
    """

    spec = FigureSpec(
        function=decide,
        controls=(
            Choice(
                "symptom",
                "symptom",
                options=tuple((name, " ".join(lines)) for name, (lines, _) in SYMPTOMS.items()),
            ),
            Choice(
                "says",
                "the record says",
                options=(("first", "the first"), ("second", "the second"), ("third", "the third")),
            ),
        ),
        view=Decision(
            symptoms=[lines for lines, _ in SYMPTOMS.values()],
            records=[[row.record for row in rows] for _, rows in SYMPTOMS.values()],
            remedies=[[row.remedy for row in rows] for _, rows in SYMPTOMS.values()],
        ),
        title="From a symptom to a remedy",
        look="Choose your symptom, then what your record says: press a box, or use the menus.",
        sentences=[row.sentence for _, rows in SYMPTOMS.values() for row in rows],
        table=Table(
            columns=(("of 18 records", "counts"),),
            rows=KINDS,
            count=len(KINDS),
            general=True,
        ),
        presets=(
            Preset("a NaN", {"symptom": "nan", "says": "first"}),
            Preset("spikes", {"symptom": "spikes", "says": "first"}),
            Preset("unroll", {"symptom": "unroll", "says": "first"}),
            Preset("policy", {"symptom": "policy", "says": "first"}),
        ),
        stills=(
            {"symptom": "spikes", "says": "first"},
            {"symptom": "nan", "says": "first"},
            {"symptom": "policy", "says": "second"},
        ),
        labels=dict(
            zip(("none", "scale", "clip", "constrain"), KINDS, strict=True),
            symptom="symptom",
            record="the record says",
            remedy="first remedy to try",
        ),
        parts={"row": Part("none", "{value:,.0f} of 18 records call for none of the three.")},
        prediction=Prediction(
            "The figure has six symptoms, and for each three things that a record of the run may say. For how "
            "many of the 18 is the first remedy neither a scale nor a clip nor a constraint?",
            answer="none",
            settings={"symptom": "nan", "says": "first"},
            conceals=("kinds", "counts", "none", "case"),
            guess=Range("guess", "how many", "", 0.0, 18.0, 3.0, 1.0),
            reveal="{none:,.0f} of 18: a lower rate, other data, a corrected line. The symptom doesn’t "
            "say which: the record does.",
        ),
        note=(
            "Each is a first remedy to try, with a first limit, and not a proof: change one thing, run again, and "
            "compare the records. The half is in chapter 06, clips in 08 and 09, caps in 10, updates in 11, "
            "singular values in 12, ratios and logits in 15."
        ),
    )
