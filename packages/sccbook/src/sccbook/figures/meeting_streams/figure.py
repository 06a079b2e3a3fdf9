"""Two cotangents meet at a state: their sum clipped by a hook, or one of them clipped on its branch."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from explorax import Part, Point, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Arc, Plane, Ring, Vector, View
from scaleclip.ops import clip_gradient_norm
from sccbook.figures._views import DIST

X, Y = (-1.15, 3.35), (-1.15, 2.25)
HEADS, NEXT = (0.2, 1.2), (2.0, -0.8)


def handed_on(heads: Array, following: Array, on_sum: Array, on_branch: Array) -> Array:
    """The gradient that a state h passes back, with a clip at h and one on the way to the next step.

    Args:
      heads: float ``[2]``; the gradient of the heads' loss with respect to h.
      following: float ``[2]``; that of the loss of all that follows.
      on_sum: float ``[]``; the limit at h, before anything reads it; inf for none.
      on_branch: float ``[]``; the limit between h and the next step; inf for none.

    Returns:
      float ``[2]``.
    """

    def loss(h: Array) -> Array:
        h = clip_gradient_norm(h, on_sum)
        branch = clip_gradient_norm(h, on_branch)
        return jnp.dot(heads, h) + jnp.dot(following, branch)

    handed: Array = jax.grad(loss)(jnp.zeros(2))
    return handed


def meeting(following: Array, c: Array, heads: Array) -> dict[str, Array]:
    """What h passes back with a hook that clips, and with a clip on the next step's branch.

    Args:
      following: float ``[2]``; the cotangent from the next step.
      c: float ``[]``, above 0; the limit.
      heads: float ``[2]``; the cotangent from the heads.

    Returns:
      ``whole``, ``hook``, ``branch`` ``[2]``: without a clip, with each; ``cut`` ``[2]``, the next
      step's part after its clip; their lengths and those of both cotangents, ``heads_length`` and so
      on; ``apart``, the degrees between hook and branch; whether they ``differ``, or are the ``same``;
      ``through``, whether the next step’s is within the limit;
      ``up``, where a name is from its head; ``around``, the radius of the branch's ring; ``case`` for the words.
    """
    none = jnp.asarray(jnp.inf)
    whole = handed_on(heads, following, none, none)
    hook = handed_on(heads, following, c, none)
    branch = handed_on(heads, following, none, c)
    cross = hook[0] * branch[1] - hook[1] * branch[0]
    apart = jnp.degrees(jnp.abs(jnp.arctan2(cross, jnp.dot(hook, branch))))
    parts = {"heads": heads, "following": following, "cut": branch - heads}
    parts |= {"whole": whole, "hook": hook, "branch": branch}
    lengths = {f"{name}_length": jnp.linalg.norm(part) for name, part in parts.items()}
    differ = jnp.linalg.norm(hook - branch) > 1e-9
    cut_sum = lengths["whole_length"] > c + 1e-9
    cut_branch = lengths["following_length"] > c + 1e-9
    both = jnp.where(apart < 0.5, 4, jnp.where(apart > 179.5, 5, 1))
    return {
        "whole": whole,
        "hook": hook,
        "branch": branch,
        "cut": branch - heads,
        **lengths,
        "apart": apart,
        "differ": differ,
        "same": ~differ,
        "through": ~cut_branch,
        "up": jnp.asarray([0.0, 1.0]),
        "around": jnp.where(cut_branch, c, 0.0),
        "case": jnp.where(cut_branch, jnp.where(cut_sum, both, 3), jnp.where(cut_sum, 2, 0)),
    }


@dataclass(frozen=True)
class Streams(View):
    """The gradients at h in a plane, and their ways to h with a clip on their sum and with one on a branch."""

    plane: Plane

    kind = "streams"
    script = DIST / "streams.js"
    reads = tuple(
        f"{name}_length" for name in ("heads", "following", "cut", "whole", "hook", "branch")
    )


_HOOK = "The hook adds first, and clips the sum from {whole_length:,.2f} to {hook_length:,.2f}. "
_BRANCH = (
    "The branch clip cuts the next step’s gradient first: the two add up to {branch_length:,.2f}"
)
_TURNED = ", turned by {apart:,.0f}° towards the heads."


class MeetingStreams(Figure):
    """The cotangents of the heads and of the next step at h, with a clip on their sum or on one.

    Args:
      following: what the next step sends, ``(x, y)``, default (2, -0.8).
      c: the limit of both clips, in [0.3, 2.3], default 1.
      heads: what the heads send, ``(x, y)``, default (0.2, 1.2).
    """

    spec = FigureSpec(
        function=meeting,
        controls=(
            Point("following", "from the next step", "", (-1.8, -2.2), (2.5, 1.0), NEXT, 0.05),
            Range("c", "limit", "c", 0.3, 2.3, 1.0, 0.01),
            Point("heads", "from the heads", "", (-1.1, -0.4), (1.3, 1.6), HEADS, 0.05),
        ),
        view=Streams(
            Plane(
                marks=(
                    Ring("c", label="limit: sum", drag="c", at=-25, filled=True),
                    Ring("around", center="heads", label="limit: next step", role="cotangent", at=40, when="around"),
                    Vector("whole", role="state", before=True, unless="hook", key="outlined: before the clip"),
                    Arc("branch", "hook", 0.6),
                    Vector("hook", "hook", "state", towards=(0.2, -1.0), when="differ"),
                    Vector("following", "next step", "cotangent", towards=(0.6, 1.0),
                           tail="heads", before=True, unless="cut", drag="following"),
                    Vector("cut", role="cotangent", tail="heads"),
                    Vector("cut", "next step", towards=(1.0, 0.6), tail="heads", when="through"),
                    Vector("branch", "branch", "parameter", towards=(-0.5, 1.0), at=0.6, when="differ"),
                    Vector("branch", "hook = branch", "parameter", towards=(0.2, -1.0), when="same"),
                    Vector("heads", "heads", "own", towards="up", drag="heads"),
                ),
                x=X,
                y=Y,
                x_label="along h₁",
                y_label="along h₂",
                ghosts=False,
            ),
        ),
        title="Add and clip, or clip and add?",
        look="Drag the grey ring, or the head of the outlined orange arrow. That arrow and its ring start at the tip of the heads’ "
        "gradient. The blue arrow and the green one are the sums that h sends back. A band is as wide as its gradient’s norm.",
        labels={
            "hook": "hook: add, then clip",
            "branch": "branch: clip, then add",
            "heads": "heads",
            "following": "next step",
        },
        sentences=(
            "Neither the sum nor the next step’s gradient is above c = {c}, so neither clip changes anything.",
            _HOOK + _BRANCH + _TURNED,
            _HOOK + "The next step’s gradient is within c = {c}, so the branch clip does nothing.",
            "The sum is within c = {c}, so the hook does nothing. " + _BRANCH + _TURNED,
            _HOOK + _BRANCH + ", in the same direction.",
            _HOOK + _BRANCH + ", pointing the other way.",
        ),
        table=Table(
            columns=(
                ("no clip", "whole"),
                ("next step, clipped", "cut"),
                ("hook", "hook"),
                ("branch", "branch"),
            ),
            rows="h_{n}",
            count=2,
        ),
        presets=(
            Preset("the heads oppose", {"following": (1.8, -0.6), "c": 1.0, "heads": (-1.1, 0.9)}),
            Preset("nearly reversed", {"following": (-1.8, -0.25), "c": 0.5, "heads": (1.2, 0.45)}),
            Preset("within the limit", {"following": (0.9, -0.4), "c": 1.5, "heads": HEADS}),
        ),
        stages=((("c",), ("following", "heads")),),
        stills=({"c": 2.3}, {"c": 1.0}, {"c": 0.5}),
        parts={
            "heads": Part("heads", "The heads send {heads}."),
            "cut": Part("cut", "After its clip the next step’s gradient is {cut:,.2f}."),
            "whole": Part("whole", "Without a clip the two add up to {whole:,.2f}."),
            "hook": Part("hook", "With the hook, h passes back {hook:,.2f}."),
            "branch": Part("branch", "With the clip on the branch, h passes back {branch:,.2f}."),
        },
        equation=(
            r"$\class{hook}{\mathrm{hook}} = \operatorname{clip}(\class{heads}{\mathrm{heads}} + "
            r"\class{following}{\text{next step}}) = \class{hook}{(\live{hook.0:,.2f}, \live{hook.1:,.2f})}$",
            r"$\class{branch}{\mathrm{branch}} = \class{heads}{\mathrm{heads}} + "
            r"\operatorname{clip}(\class{following}{\text{next step}}) = "
            r"\class{branch}{(\live{branch.0:,.2f}, \live{branch.1:,.2f})}$",
        ),
        prediction=Prediction(
            "At c = 1 the hook leaves a sum of 1.00, and the branch clip one of 1.40. At c = 0.5 the hook leaves 0.50. "
            "How large a sum does the branch clip leave?",
            answer="branch_length",
            settings={"following": NEXT, "c": 0.5, "heads": HEADS},
            conceals=("branch", "case"),
            guess=Range("guess", "size of the sum", "", 0.0, 2.3, 1.0, 0.05),
            reveal="{branch_length:,.2f}: the heads’ gradient, {heads_length:,.2f}, isn’t clipped, so the limit doesn’t "
            "bound the sum.",
        ),
        note=(
            "Two losses read a state h: the heads’ and the next step’s. What they send back is drawn head to tail. The hook "
            "is <code>clip_gradient_norm(h, c)</code> before anything reads h; the branch clip is the same on the way to "
            "the next step alone. Both results come from <code>jax.grad</code>."
        ),
    )  # fmt: skip
