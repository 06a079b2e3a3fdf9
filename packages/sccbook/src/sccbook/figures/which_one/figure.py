"""From a symptom and what the record says to a first remedy, with its code: three boxes to press."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Prediction, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST

SCALE, CLIP, CONSTRAIN, NONE = range(4)
KINDS = ("a scale", "a clip", "a constraint", "none of the three")


class Row(NamedTuple):
    """What a record may say, with a sketch of it, and what to try then: a heading, the reason and code.

    A sketch has one line or two: a name, and a digit for each step; ``x`` is NaN, and what is between ``.`` has a ring.
    """

    record: str
    sketch: str
    kind: int
    remedy: str
    why: str
    code: str


SYMPTOMS: Mapping[str, tuple[str, Mapping[str, Row]]] = {
    "spikes": ("The loss spikes", {
        "norms": Row("A few norms are far above the median", "norm 2232923222832223922", CLIP,
            "Clip the gradient before the optimizer",
            "A few gradients stand out: clip them before the optimizer stores them. Start with the 99th percentile of a "
            "calm stretch after the warm-up.",
            "calm = slice(start, stop)  # no spikes\n"
            "c = np.percentile(rec.norms[calm], 99)\n"
            "tx = optax.chain(\n"
            "    optax.clip_by_global_norm(c),\n"
            "    optax.adam(1e-3))"),
        "updates": Row("Ordinary norms, but some updates are 5 times as large", "update 4454494454445494454, norm 0010100110010100100", CLIP,
            "Clip the update after Adam, or lower β₂",
            "The gradients are ordinary, so Adam’s v must be too small: clip the update at a root mean square of 1, or lower β₂.",
            "tx = optax.chain(\n"
            "    optax.scale_by_adam(b2=0.95),\n"
            "    optax.clip_by_block_rms(1.0),\n"
            "    optax.scale_by_learning_rate(1e-3))"),
        "batch": Row("It’s the same minibatch each time", "norm 2232222722322272223222272, #417 .......7......7........7.", NONE,
            "Fix the data, and skip that minibatch until then",
            "Fix the data and skip that minibatch until then: a clip would still step along a gradient that means nothing.",
            "for number, batch in enumerate(data):\n"
            "    if number in bad:  # such as {417}\n"
            "        continue\n"
            "    params, state = step(\n"
            "        params, state, batch)"),
    }),
    "nan": ("The loss is NaN", {
        "loss": Row("The loss is NaN first, and the norms before it are ordinary", "loss 9888787767x, norm 2132123122132", NONE,
            "Fix the forward pass: log 0, 0/0 or an overflow",
            "Look in the forward pass for log 0, 0/0 or an overflow: the loss broke before any gradient did, and a clip passes NaN on.",
            "with jax.debug_nans(True):\n"
            "    loss(params, batch)  # raises there\n"
            "# then guard it, such as a logarithm:\n"
            "log_p = jnp.log(jnp.maximum(p, 1e-12))"),
        "gradient": Row("The loss is finite, but one gradient is NaN", "loss 988877877667777, norm 2132123122x", NONE,
            "Fix the backward pass: guard what goes into where",
            "Look in the backward pass: often a where picks the right value, but the slope of its other branch is infinite, and "
            "0 × ∞ is NaN.",
            "safe = jnp.where(x > 0, x, 1.0)\n"
            "root = jnp.sqrt(safe)\n"
            "y = jnp.where(x > 0, root, 0.0)"),
        "growth": Row("The norms grew for hundreds of steps before", "norm 1112122232334455678", NONE,
            "Halve the rate, and go back to before the norms grew",
            "Halve the rate and go back to before the norms grew: a clip would act at nearly every step, as a lower rate does.",
            "rate = rate / 2\n"
            "tx = optax.sgd(rate)\n"
            "params = saved  # before the norms grew\n"
            "state = tx.init(params)"),
    }),
    "unroll": ("Worse with longer unrolls", {
        "growth": Row("Each step back multiplies the norm at the state", "norm 11111222334569", SCALE,
            "Scale the gradient at the state by ½, after the heads",
            "Scale by ½ at the state if every step has a loss of its own. If only the last has one, clip there.",
            "from scaleclip.ops import scale_gradient\n"
            "for action in actions:\n"
            "    h = dynamics(h, action)\n"
            "    losses += head(h)\n"
            "    h = scale_gradient(h, 0.5)"),
        "matrix": Row("The recurrent matrix stretches more and more", "stretch 11222333445566778899", CONSTRAIN,
            "Cap its singular values after each step",
            "Cap its singular values after each step. Start with the largest of them at initialisation.",
            "cap = jnp.linalg.norm(w_start, 2)\n"
            "# after each step:\n"
            "u, s, vt = jnp.linalg.svd(w, False)\n"
            "w = (u * jnp.minimum(s, cap)) @ vt"),
        "sum": Row("With K steps, the norm is K times as large", "norm 123456789", NONE,
            "Divide the loss by K",
            "Divide the loss by K: it’s a sum and should be a mean, so the norm grows with K even if the state passes nothing back.",
            "losses = [head(h) for h in states]\n"
            "loss = sum(losses) / len(losses)"),
    }),
    "weights": ("The weights grow", {
        "columns": Row("Columns grow, and the loss doesn’t improve", "norm 12233445566778899, loss 44343434434343434", CONSTRAIN,
            "Cap the columns’ norm after each step",
            "Cap the columns’ norm after each step. Start with twice the largest norm at initialisation.",
            "from scaleclip.ops import max_norm\n"
            "norms = jnp.linalg.norm(w_start, axis=0)\n"
            "cap = 2 * norms.max()\n"
            "w = max_norm(w, cap)  # after each step"),
        "logits": Row("Queries and keys grow, and the largest logit with them", "logit 11112222333445678", CONSTRAIN,
            "Shrink the query and key weights after the step",
            "Shrink query and key weights after the step where a head’s largest logit is above 100, or bound the logit in the model.",
            "largest = jnp.abs(logits).max()\n"
            "s = jnp.minimum(1, 100 / largest)\n"
            "w_query = w_query * jnp.sqrt(s)\n"
            "w_key = w_key * jnp.sqrt(s)"),
        "normalised": Row("A normalisation follows, and its outputs don’t change", "weight 3344455556667788899, output 3232323332323332323", NONE,
            "Leave them, or add weight decay",
            "The normalisation divides by the weights’ size, so leave them. Or add weight decay, because larger weights "
            "turn more slowly.",
            "matrices = jax.tree.map(\n"
            "    lambda w: w.ndim > 1, params)\n"
            "tx = optax.adamw(\n"
            "    1e-3, weight_decay=0.1,\n"
            "    mask=matrices)"),
    }),
    "policy": ("The policy collapses", {
        "ratios": Row("A few ratios far from 1 make up the gradient", "ratio 3343293234330323334", SCALE,
            "Clip the ratio in the loss, as PPO does",
            "Clip the ratio in the loss: samples beyond 1 ± 0.2, to start with, no longer pull the policy farther away: their gradient is scaled to 0.",
            "ratio = jnp.exp(log_p - old_log_p)\n"
            "near = jnp.clip(ratio, 0.8, 1.2)\n"
            "least = jnp.minimum(\n"
            "    ratio * advantage, near * advantage)\n"
            "loss = -least.mean()"),
        "value": Row("The value’s loss makes up 99 % of the shared layers’ norm²", "value 8878988898887, policy 1121112111211", SCALE,
            "Scale the value’s gradient where it joins",
            "The value’s gradient drowns out the policy’s: scale it where it joins, by the ratio of the policy’s norm to its own.",
            "from scaleclip.ops import scale_gradient\n"
            "h = shared(x)\n"
            "logits = policy_head(h)\n"
            "value = value_head(scale_gradient(h, s))"),
        "entropy": Row("The entropy is near 0, and most norms are 0", "entropy 998876543211000, norm 654654300100400", NONE,
            "An entropy bonus or a lower rate",
            "A policy that is certain has no gradient left: add an entropy bonus or lower the rate, and restart from before the collapse.",
            "p = jax.nn.softmax(logits)\n"
            "log_p = jax.nn.log_softmax(logits)\n"
            "entropy = -(p * log_p).sum(axis=-1)\n"
            "loss = loss - 0.01 * entropy.mean()"),
    }),
    "stuck": ("The loss hardly falls", {
        "tiny": Row("Every norm is tiny, from the start", "norm 00100000100000", NONE,
            "Another initialisation, gates or shorter paths",
            "Change the initialisation, add gates or shorten the paths: a clip never makes a gradient larger.",
            "init = jax.nn.initializers.orthogonal()\n"
            "w = init(key, (n, n))\n"
            "h = h + jnp.tanh(h @ w)  # a short path"),
        "noise": Row("No norm stands out, and the loss goes up and down", "loss 8697868797868, norm 2323232323232", NONE,
            "Halve the learning rate",
            "Halve the rate, record again and compare: no norm is rare enough for a clip to help.",
            "rate = rate / 2\n"
            "tx = optax.chain(  # inf only records\n"
            "    probe.clip_by_global_norm(jnp.inf),\n"
            "    optax.sgd(rate))"),
        "clipped": Row("9 steps in 10 are clipped, and the loss falls slowly", "norm 7877878177887878, limit 2222222222222222", CLIP,
            "Raise the limit to the 95th percentile after the warm-up",
            "Under SGD a clipped step is rate × c, so raise the limit or the rate. Under Adam raise the rate.",
            "c = np.percentile(rec.norms[start:], 95)\n"
            "tx = optax.chain(\n"
            "    optax.clip_by_global_norm(c),\n"
            "    optax.sgd(rate))"),
    }),
}  # fmt: skip
RECORDS = {
    f"{symptom}_{name}": row
    for symptom, (_, rows) in SYMPTOMS.items()
    for name, row in rows.items()
}
KIND_OF = np.array([row.kind for row in RECORDS.values()])


def decide(record: Array) -> dict[str, Array]:
    """Look up what to try.

    Args:
      record: int ``[]``; a place in ``RECORDS``.

    Returns:
      ``case``, ``kind`` ``[]``, that place and its remedy's kind; ``counts`` ``[4]``, how many of the 18 remedies are of each kind.
    """
    counts = [jnp.sum(jnp.asarray(kind == KIND_OF)) for kind in range(len(KINDS))]
    return {"case": record, "kind": jnp.asarray(KIND_OF)[record], "counts": jnp.stack(counts)}


@dataclass(frozen=True)
class Chooser(View):
    """Symptoms, three records for the chosen one, and the chosen one's remedy with its code.

    Attributes:
      symptoms: their names.
      rows: a record, its sketch, its kind, its remedy and its code, three for each symptom.
    """

    symptoms: Sequence[str] = ()
    rows: Sequence[tuple[str, str, int, str, str]] = ()
    kind = "chooser"
    script = DIST / "chooser.js"
    style = DIST / "chooser.css"
    reads = ("case",)


class WhichOne(Figure):
    """A symptom, what the record says of it, and the remedy to try first.

    Args:
      record: a symptom, and what its record says: ``"spikes_norms"`` (the default), ...
    """

    spec = FigureSpec(
        function=decide,
        controls=(
            Choice(
                "record",
                "or choose from a list",
                options=tuple(
                    (f"{symptom}_{name}", f"{words}: {row.record[0].lower()}{row.record[1:]}")
                    for symptom, (words, rows) in SYMPTOMS.items()
                    for name, row in rows.items()
                ),
            ),
        ),
        view=Chooser(
            symptoms=[words for words, _ in SYMPTOMS.values()],
            rows=[(r.record, r.sketch, r.kind, r.remedy, r.code) for r in RECORDS.values()],
        ),
        title="From a symptom to a remedy",
        look="Press what you see in your run, and then what its record says.",
        sentences=[row.why for row in RECORDS.values()],
        table=Table(
            columns=(("of 18 remedies", "counts"),),
            rows=KINDS,
            count=len(KINDS),
            general=True,
        ),
        stills=(
            {"record": "spikes_norms"},
            {"record": "nan_gradient"},
            {"record": "policy_value"},
        ),
        labels={
            **{f"kind {n}": name for n, name in enumerate(KINDS)},
            "symptom": "1. What you see",
            "record": "2. What the record says (sketch)",
            "remedy": "3. What to try first",
            "copy": "Copy code",
            "copied": "Copied",
        },
        prediction=Prediction(
            "The loss is NaN, and the norms grew for hundreds of steps before. What do you try first?",
            answer="kind",
            how="choice",
            settings={"record": "nan_growth"},
            options=KINDS,
            reveal="None of the three: halve the learning rate. A clip would act at nearly every step, as a lower "
            "rate does.",
        ),
        note=(
            "Each is a first remedy to try, with a first limit, not a proof: change one thing, run again, and compare the "
            "records. The sketches are invented. <code>rec</code> is a record made by <code>scaleclip.probe</code>. The "
            "half is in chapter 06, clips in 08 and 09, caps in 10, updates in 11, singular values in 12, ratios and logits "
            "in 15."
        ),
    )
