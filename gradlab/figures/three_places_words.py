"""What the token board says: of each token at each place, and of what it does there."""

from __future__ import annotations

from gradlab.figure.equation import when
from gradlab.figure.spec import Part

LABELS = {
    "x": "x",
    "h": "h",
    "cotangent": "h̄",
    "gradient": "w̄",
    "update": "Δw",
    "w": "w",
    "x name": "inputs",
    "h name": "state",
    "cotangent name": "cotangent",
    "gradient name": "gradient",
    "update name": "update",
    "w name": "weights",
    "scale": "× {scale}",
    "clip": "clip {limit}",
    "cap": "cap {limit}",
    "stop": "stop",
    "batch_norm": "batch norm",
    "application": "f",
    "loss": "loss {loss_before:,.2f}",
    "loss after": "now {loss_after:,.2f}",
    "through": "through h",
    "direct": "directly",
    "sgd": "SGD",
    "adam": "Adam",
    "tray": "tokens to drag",
}

SENTENCES = (
    # × s
    "Multiplying the inputs: x itself shrinks, so the state, the loss and every gradient are "
    "others. No gradient was scaled.",
    "Multiplying the state: the next application starts from another h, so the loss changes. "
    "MuZero’s line names the state, but its value stays.",
    "MuZero’s place: state and loss stay. What comes back through h is multiplied by {scale}, "
    "what comes back directly is not, and so w̄ turns by {turn:,.0f}°.",
    "Multiplying the gradient of w: every path is scaled alike, so w̄ keeps its direction. With "
    "SGD this is another learning rate; Adam undoes it.",
    "Multiplying the update: another learning rate, whatever the optimizer.",
    "Multiplying the weights after the step: they shrink, whatever the gradient was. This is a "
    "decay of the weights.",
    # clip
    "Clipping the inputs: an x longer than {limit} is shortened, and the network sees other data. "
    "No gradient was clipped.",
    "Clipping the state: an h longer than {limit} is shortened, and the loss changes. Nothing "
    "bounds what comes back.",
    "Clipping at the state: each example’s cotangent is cut to {limit} where it is longer, and "
    "left alone where it is shorter. MuZero’s line halves both.",
    "The optimizer’s clipnorm: both paths are in the sum already. It is cut to {limit} where it is "
    "longer, and keeps its direction.",
    "Clipping the update: the step is bounded, after the optimizer; the gradient is not.",
    "Clipping the weights after the step: one norm for all of w. This is a constraint, though "
    "not MaxNorm, which takes each column by itself.",
    # cap
    "MaxNorm on the inputs: with axis 0 it caps each feature over the batch. The examples shorten "
    "each other, and the network sees other data.",
    "MaxNorm on the state, as the asker was told: with axis 0 it caps each feature over the "
    "batch. The loss changes, and one example’s state depends on the other’s.",
    "MaxNorm on the cotangent: with axis 0 it caps each feature over the batch. This is a clip that "
    "mixes the examples.",
    "MaxNorm on the gradient: each column of w̄ is clipped by itself, which can turn the whole. "
    "The weights have no bound.",
    "MaxNorm on the update: each column of the step is bounded. Many steps still add up to "
    "weights of any size.",
    "MaxNorm’s own place: after the step, each column of w longer than {limit} is cut to it. Loss, "
    "gradient and update stay.",
    # stop
    "Stopping at the inputs: nobody asks for their gradient, so nothing changes.",
    "Stopping at the state: its value passes and nothing comes back, so w̄ keeps its direct path "
    "alone.",
    "Stopping at the cotangent: the same as stopping at the state, and as × 0.",
    "Stopping at the gradient of w: the weights are frozen, by both paths.",
    "Stopping at the update: the weights are frozen, though a gradient was computed.",
    "Stopping at the weights: no gradient goes from one step to the next anyway, so nothing "
    "changes.",
    # batch norm
    "Normalising the inputs over a batch of two: each number becomes 1 or −1, all but for ε. The "
    "network sees other data.",
    "Normalising the state over a batch of two: each number becomes 1 or −1, all but for ε. The "
    "loss changes, and almost nothing comes back through h.",
    "Normalising the cotangents over a batch of two: each number becomes 1 or −1, so the long "
    "and the short one are equally long. All sizes are lost.",
    "Batch normalisation finds no batch here: the gradient is summed over the examples. Nothing "
    "changes.",
    "Batch normalisation finds no batch here: an update has no examples. Nothing changes.",
    "Batch normalisation finds no batch here: weights have no examples. Nothing changes.",
)

PARTS = {
    "x": Part("x", "Inputs of example {n}: {value:,.2f} long."),
    "h": Part("h", "State of example {n}: {value:,.2f} long."),
    "cotangent": Part("cotangent", "Cotangent at h of example {n}: {value:,.2f} long."),
    "gradient": Part("gradient", "Gradient of w, column {n}: {value:,.2f} long."),
    "update": Part("update", "Update, column {n}: {value:,.2f} long."),
    "w": Part("w", "Weights after the step, column {n}: {value:,.2f} long."),
}


def _row(question: str, *answers: tuple[str, str]) -> str:
    """A question, and an answer that is shown on its condition."""
    said = "".join(when(condition, words) for condition, words in answers)
    return f'<span class="gl-asked">{question}</span> <b>{said}</b>'


def _moved(what: str, turn: str, length: str) -> tuple[tuple[str, str], ...]:
    return (
        (f"{what}=0", "No."),
        (f"{what}=1", f"Its length alone: × {{{length}:,.2f}}."),
        (f"{what}=2", f"It turns by {{{turn}:,.0f}}°, and is {{{length}:,.2f}} times as long."),
        (f"{what}=3", "Nothing is left of it."),
    )


ROWS = (
    _row(
        "Does this step’s loss change?",
        ("!loss_changes", "No: {loss_after:,.2f}."),
        ("loss_changes", "From {loss_before:,.2f} to {loss_after:,.2f}."),
    ),
    _row("The gradient of w?", *_moved("gradient_moves", "turn", "length")),
    _row("The change of w, in the end?", *_moved("step_moves", "step_turn", "step_length")),
    _row("Does it act when everything is small?", ("acts_small", "Yes."), ("!acts_small", "No.")),
    _row(
        "What must it see?",
        *(
            (f"reads={n}", words)
            for n, words in enumerate(
                (
                    "Nothing.",
                    "One number at a time.",
                    "One example’s vector.",
                    "The whole batch.",
                    "The whole batch.",
                    "Nothing.",
                    "One number at a time.",
                    "One row.",
                    "One column of w.",
                    "All of it at once.",
                )
            )
        ),
    ),
)
