"""Eight operations of today on one plot: what comes in, what goes on, and where in a training step."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from jax import Array

from explorax import Choice, Part, Prediction, Range, Table
from explorax.figure.equation import when
from explorax.figure.spec import FigureSpec
from explorax.figure.widget import Figure
from explorax.views import Axis, Panels, Profile, Series, Threshold, View
from sccbook.figures._views import DIST

OPERATIONS = (
    # its name; in the menu; where it acts; what it reads: places from 0
    ("ppo", "PPO’s ratio clip", 2, (0, 1)),
    ("cispo", "CISPO’s weight", 2, (0, 1)),
    ("max_grad_norm", "max_grad_norm", 3, (3,)),
    ("agc", "adaptive clipping (AGC)", 3, (3, 5)),
    ("softcap", "logit softcap", 1, (1,)),
    ("qk_clip", "QK-clip", 5, (1,)),
    ("spectral", "spectral cap", 5, (5,)),
    ("muon", "Muon", 4, (4,)),
)
NAMES = tuple(name for name, *_ in OPERATIONS)
PLACES = (
    ("x", "inputs"),
    ("h", "state"),
    ("h̄", "cotangent"),
    ("w̄", "gradient"),
    ("Δw", "update"),
    ("w", "weights"),
)
MOST, LIMIT, SIZE = 3.0, 1.2, 1.5
GRID = np.linspace(0.0, MOST, 61)
JUMP = 1e-3
"""How wide a jump is drawn."""


def response(operation: Array, size: Array, limit: Array) -> Array:
    """Compute what each operation makes of a size.

    Args:
      operation: int ``[]``; the place in ``NAMES``.
      size: ``[n]``; a ratio, a length, a logit or a singular value.
      limit: float ``[]``; for PPO and CISPO it is 1 + epsilon.

    Returns:
      ``[n]``: for PPO and CISPO, at the advantage 1, the gradient of the logarithmic probability.
    """
    capped = jnp.minimum(size, limit)
    kinds = [operation == 0, operation == 4, operation == 7]
    stopped = jnp.where(size <= limit, size, 0.0)
    soft = limit * jnp.tanh(size / limit)
    return jnp.select(kinds, [stopped, soft, jnp.sign(size)], capped)


def same_three(operation: Array, size: Array, limit: Array) -> dict[str, Array]:
    """What one of the operations makes of every size, and of one.

    Returns:
      ``sizes``, ``curve``, ``as_it_was`` ``[64]``; ``out`` ``[]``; of the softcap ``slopes`` ``[64]``
      and ``slope`` ``[]``, what it multiplies a cotangent by, and ``softens``, whether it is that;
      ``acts``, ``looks`` ``[6]``: the place at which it acts, and whether it reads a place;
      ``which``, ``kind``, ``case``.
    """
    sizes = jnp.sort(
        jnp.concatenate(
            [jnp.asarray(GRID), limit + JUMP * jnp.array([-1.0, 1.0]), jnp.array([JUMP])]
        )
    )
    looks = np.array([[place in seen for place in range(6)] for *_, seen in OPERATIONS], int)
    acts = np.array([place for _, _, place, _ in OPERATIONS])
    return {
        "sizes": sizes,
        "curve": response(operation, sizes, limit),
        "as_it_was": sizes,
        "out": response(operation, size[None], limit)[0],
        "slopes": 1 - jnp.tanh(sizes / limit) ** 2,
        "slope": 1 - jnp.tanh(size / limit) ** 2,
        "softens": (operation == 4).astype(int),
        "acts": jnp.asarray(acts)[operation],
        "looks": jnp.asarray(looks)[operation],
        "which": operation,
        "kind": operation,
        "case": 2 * operation + (size > limit),
    }


@dataclass(frozen=True)
class Places(View):
    """Six places in a row: where an operation acts, and what it reads.

    Attributes:
      names: a symbol and a word for each.
    """

    names: Sequence[tuple[str, str]] = ()
    kind = "places"
    script = DIST / "places.js"
    style = DIST / "places.css"
    reads = ("acts", "looks")


_PASSES = "The ratio {size:.2f} is within {limit:.2f}, so log π receives r A = {out:.2f}, as without a clip."
_SOFT = "The logit {size:.2f} becomes {out:.2f}, and what comes back to it is multiplied by {slope:.2f}."
_POLAR = (
    "A singular value of the update is {size:.2f}, and becomes {out:.0f}. There is no limit: small ones are made "
    "larger."
)


def _row(asked: str, which: str, answers: Sequence[str]) -> str:
    said = "".join(when(f"{which}={n}", words) for n, words in enumerate(answers))
    return f'<span class="gl-asked">{asked}:</span> <b>{said}</b>'


class SameThree(Figure):
    """Eight operations: what comes in, what goes on, where each acts and what it reads.

    Args:
      operation: ``"ppo"`` (the default), ``"cispo"``, ``"max_grad_norm"``, ``"agc"``,
        ``"softcap"``, ``"qk_clip"``, ``"spectral"`` or ``"muon"``.
      size: what comes in, in [0, 3], default 1.5.
      limit: c, in [0.5, 2], default 1.2; for PPO and CISPO it is 1 + epsilon.
    """

    spec = FigureSpec(
        function=same_three,
        controls=(
            Choice(
                "operation",
                "operation",
                options=tuple((name, words) for name, words, *_ in OPERATIONS),
                idles=(("limit", ("muon",)),),
            ),
            Range("size", "what comes in", "", 0.0, MOST, SIZE, 0.05),
            Range("limit", "limit, or 1 + ε", "c", 0.5, 2.0, LIMIT, 0.05),
        ),
        view=Panels(
            (
                ("", Places(PLACES)),
                (
                    "",
                    Profile(
                        (
                            Series("as_it_was", "as it came", "muted", "line", behind=True),
                            Series(
                                "slopes", "× its cotangent", "cotangent", "line", when="softens"
                            ),
                            Series("curve", "what goes on", "parameter", "line"),
                        ),
                        y=Axis((0.0, MOST), label="what goes on"),
                        x=Axis((0.0, MOST), label="what comes in"),
                        at="sizes",
                        thresholds=(
                            Threshold(
                                "limit", "c = {limit:.2f}", drag="limit", axis="x", foot=True
                            ),
                            Threshold(
                                "size",
                                "{size:.2f}",
                                role="ink",
                                drag="size",
                                axis="x",
                                dots=(("out", "parameter"),),
                            ),
                        ),
                        level=True,
                        plot=130,
                    ),
                ),
            )
        ),
        title="Eight operations in use today",
        look="Choose an operation, and drag what comes in.",
        sentences=(
            _PASSES,
            "The ratio {size:.2f} is beyond {limit:.2f}, so nothing goes back to log π: the sample is stopped, not shortened.",
            _PASSES,
            "The ratio {size:.2f} counts as {limit:.2f}, so log π receives {out:.2f}: every sample keeps a gradient.",
            "The gradient of all parameters is {size:.2f} long, within {limit:.2f}, and stays as it is.",
            "The gradient of all parameters is {size:.2f} long, and is shortened to {out:.2f} as a whole.",
            "One unit’s gradient is {size:.2f} long, within {limit:.2f} (a share of its weights’ norm), and stays as it is.",
            "One unit’s gradient is {size:.2f} long, and is shortened to {out:.2f} (a share of its weights’ norm).",
            _SOFT,
            _SOFT,
            "The head’s largest logit is {size:.2f}, within {limit:.2f}, so its weights stay as they are.",
            "The head’s largest logit is {size:.2f}. After the step its weights are multiplied so that it becomes {out:.2f}.",
            "A singular value of the weights is {size:.2f}, within {limit:.2f}, and stays as it is.",
            "A singular value of the weights is {size:.2f}. After the step it is cut to {out:.2f}.",
            _POLAR,
            _POLAR,
        ),
        table=Table(
            columns=(("what comes in", "size"), ("limit", "limit"), ("what goes on", "out")),
            rows="now",
            count=1,
        ),
        labels={"acts": "acts", "looks": "read"},
        parts={
            "place": Part("looks", "Place {n} of the six of a training step."),
            "curve": Part("out", "What goes on is {value:.2f}."),
        },
        equation=(
            _row(
                "It reads",
                "which",
                (
                    "the ratio, and the sign of the advantage",
                    "the ratio",
                    "every parameter’s gradient",
                    "the unit’s gradient and its weights",
                    "that logit alone",
                    "all logits of a head, over a batch",
                    "the whole matrix",
                    "the whole matrix",
                ),
            ),
            _row(
                "So it is",
                "kind",
                (
                    "a scale of 1 or 0: a stop",
                    "a scale, with a clipped weight",
                    "a clip",
                    "a clip, one for each unit",
                    "part of the model: a new loss",
                    "a constraint that reads data",
                    "a constraint",
                    "none of the three: a normalisation",
                ),
            ),
        ),
        stills=({"operation": "ppo"}, {"operation": "cispo"}, {"operation": "muon"}),
        prediction=Prediction(
            "PPO maximises min(r A, clip(r, 1 − ε, 1 + ε) A). At the ratio r = 1.5, ε = 0.2 and the advantage "
            "A = 1, what gradient reaches log π? Drag the level.",
            answer="out",
            how="number",
            settings={"operation": "ppo", "size": 1.5, "limit": 1.2},
            conceals=("curve", "out", "kind", "case"),
            guess=Range("guess", "your guess", "", 0.0, MOST, 1.2, 0.05),
            reveal="It is {out:.0f}. Beyond 1 + ε the smaller of the two is a constant, and a constant has no gradient.",
        ),
        note=(
            "The places are those of <a href='02_three_places.html'>chapter 02</a>’s board. For PPO and CISPO the state "
            "is log π, and what goes on is the gradient that reaches it from one sample of advantage 1. For QK-clip both "
            "W<sub>q</sub> and W<sub>k</sub> are multiplied by the root of c over the largest logit."
        ),
        source=response,
    )
