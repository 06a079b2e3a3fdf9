"""Eight operations of today side by side: what each makes of the size that comes in."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Part, Prediction, Preset, Range, Table
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import View
from sccbook.figures._views import DIST

FAMILIES = (
    # a heading; of two operations the name, what comes in, the role of their family, and what else to know
    (
        "Scales act in the backward pass (advantage 1)",
        (
            ("PPO’s clip", "ratio → gradient", "cotangent", "stops some samples"),
            ("CISPO", "ratio → gradient", "cotangent", "keeps every sample"),
        ),
    ),
    (
        "Clips act on the parameters’ gradient",
        (
            ("max_grad_norm", "norm of all →", "parameter", "keeps the direction"),
            ("AGC", "unit’s norm →", "parameter", "turns the gradient"),
        ),
    ),
    (
        "Constraints act on the new weights",
        (
            ("QK-clip", "largest logit →", "state", "scales two matrices"),
            ("spectral cap", "singular value →", "state", "cuts only large values"),
        ),
    ),
    (
        "None of the three: they act on logits or updates",
        (
            ("logit softcap", "logit →", "ink", "bends every logit"),
            ("Muon", "singular value →", "ink", "makes all values 1"),
        ),
    ),
)
NAMES = tuple(name for _, pair in FAMILIES for name, *_ in pair)
MOST, LIMIT, SIZE = 3.0, 1.2, 2.4
GRID = np.linspace(0.0, MOST, 31)
JUMP = 1e-3
"""How wide a jump is drawn."""


def responses(size: Array, limit: Array) -> Array:
    """Compute what the eight operations make of a size.

    Args:
      size: ``[n]``; a ratio, a norm, a logit or a singular value.
      limit: float ``[]``; for PPO and CISPO it's 1 + epsilon.

    Returns:
      ``[8, n]`` in the order of ``NAMES``: for PPO and CISPO, at the advantage 1, the gradient of
      the logarithmic probability.
    """
    capped = jnp.minimum(size, limit)
    stopped = jnp.where(size <= limit, size, 0.0)
    soft = limit * jnp.tanh(size / limit)
    return jnp.stack([stopped, *[capped] * 5, soft, jnp.sign(size)])


def same_three(size: Array, limit: Array) -> dict[str, Array]:
    """What the operations make of every size, and of one.

    Returns:
      ``sizes`` ``[n]``, ``curves`` ``[8, n]``; ``out`` ``[8]``; ``soft`` and ``polar``, its last two;
      ``changed``, how many of the eight change the size; ``case`` for the words.
    """
    edges = limit + JUMP * jnp.array([-1.0, 1.0])
    sizes = jnp.sort(jnp.concatenate([jnp.asarray(GRID), edges, jnp.array([JUMP])]))
    out = responses(size[None], limit)[:, 0]
    return {
        "sizes": sizes,
        "curves": responses(sizes, limit),
        "out": out,
        "soft": out[-2],
        "polar": out[-1],
        "changed": jnp.sum(jnp.abs(out - size) > 1e-9),
        "case": jnp.where(size > limit, 0, jnp.where(size > 0, 1, 2)),
    }


@dataclass(frozen=True)
class Families(View):
    """Small plots in pairs, a heading over each pair: what comes in across, what comes out upwards.

    Attributes:
      families: a heading, and for each plot its title, what comes in and becomes what, a role, and a line below.
      most: where both axes end.
      unlimited: the title of the one that has no limit.
    """

    families: Sequence[tuple[str, Sequence[tuple[str, str, str, str]]]] = ()
    most: float = 1.0
    unlimited: str = ""
    kind = "families"
    script = DIST / "families.js"
    style = DIST / "families.css"
    reads = ("sizes", "curves", "out", "size", "limit")


class SameThree(Figure):
    """Eight operations: what comes in, and what comes out.

    Args:
      size: what comes in, in [0, 3], default 2.4.
      limit: c, in [0.5, 2], default 1.2; for PPO and CISPO it's 1 + epsilon.
    """

    spec = FigureSpec(
        function=same_three,
        controls=(
            Range("size", "what comes in", "", 0.0, MOST, SIZE, 0.05),
            Range("limit", "limit", "c", 0.5, 2.0, LIMIT, 0.05),
        ),
        view=Families(FAMILIES, MOST, unlimited=NAMES[-1]),
        title="Eight operations: what each lets through, above and below c",
        look="Drag the point in any of the eight plots, or its c.",
        sentences=(
            "{size:.3~g} comes in, above c = {limit:.3~g}. PPO’s clip sends nothing back, five operations let "
            "{limit:.3~g} through, the softcap {soft:.3~g}, and Muon {polar:.0f}.",
            "{size:.3~g} comes in, within c = {limit:.3~g}. The softcap lowers it to {soft:.3~g}, Muon makes it "
            "{polar:.0f}, and the other six leave it unchanged.",
            "0 comes in, and all eight let 0 through.",
        ),
        table=Table(columns=(("what comes out", "out"),), rows=NAMES, count=len(NAMES)),
        presets=(
            Preset("0.3 comes in", {"size": 0.3}),
            Preset("1.5 comes in", {"size": 1.5}),
        ),
        parts={"out": Part("out", "What comes out is {value:.2f}.")},
        stills=({"size": 2.4}, {"size": 0.5}),
        prediction=Prediction(
            "At c = 1.2 all eight operations change 2.4. If c is 2 and 1.5 comes in, how many of them change it?",
            answer="changed",
            settings={"size": 1.5, "limit": 2.0},
            conceals=("out", "curves", "case"),
            guess=Range("guess", "how many", "", 0.0, 8.0, 4.0, 1.0),
            reveal="It’s {changed:.0f}. A scale, clip or constraint of this kind acts only beyond its limit. The "
            "softcap bends every logit, and Muon has no limit.",
        ),
        note=(
            "A ratio’s limit c is 1 + ε, where ε is the clip range. For PPO and CISPO what comes out is the gradient that "
            "log π receives from one sample of advantage A = 1. AGC measures a norm as a share of the norm of the unit’s "
            "weights. For QK-clip both W<sub>q</sub> and W<sub>k</sub> are multiplied by the root of c over the largest "
            "logit. The places are those of <a href='02_three_places.html'>chapter 02</a>’s board."
        ),
        source=responses,
    )
