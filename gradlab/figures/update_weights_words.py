"""What the listing of ``update_weights`` says: of the line in each place, and of each part."""

from __future__ import annotations

from gradlab.figure.spec import Part

_STAYS = " The loss stays {total:2}."
_DYNAMICS = "The dynamics’ gradient has {ratio.1:2} of its length"

SENTENCES = (
    "Without the line the loss is {total:2}, and every application hears every later loss with the same "
    "weight.",
    "Before the root’s heads: all that the representation hears is multiplied by {s:2}, step 0’s loss too, "
    "so only its length changes. The dynamics hear as without the line." + _STAYS,
    "Before the loop: what the steps send to the representation is multiplied by {s:2}, once; step 0’s loss "
    "is not, and its gradient turns by {turn.0:0}°. The dynamics hear as without the line."
    + _STAYS,
    "First in the loop, the paper’s prose read literally. "
    + _DYNAMICS
    + ", as in the pseudocode’s place; "
    "the representation’s turns by {turn.0:0}°, as the root state is scaled too, so that it hears one s more of each step."
    + _STAYS,
    "Before the heads, as in several ports. "
    + _DYNAMICS
    + ": {s:2} times what the pseudocode’s place "
    "leaves. The representation’s turns by {turn.0:0}°." + _STAYS,
    "After the heads, in the loop: the pseudocode’s place. "
    + _DYNAMICS
    + " and turns by {turn.1:0}°; the representation’s turns by {turn.0:0}°."
    + _STAYS,
    "After the loop nobody reads h any more, so no gradient passes the line: each network’s gradient is what "
    "it is without it." + _STAYS,
    "A scale of 1 changes nothing, wherever it stands." + _STAYS,
)

PARTS = {
    "after": Part("after", "Gradient’s norm, network {n} of 3: {value:2} with the line."),
    "before": Part("before", "Gradient’s norm, network {n} of 3: {value:2} without the line."),
    "total": Part(
        "total", "The loss, as it is returned: {total:2}. No place of the line changes it."
    ),
    "coefficients": Part("coefficients", "What is left of this loss here: {value:3}."),
    "far": Part("far", "Of the last loss, the first application hears {far:4}."),
    "root": Part("root", "Of the last loss, the representation hears {root:4}."),
    "loss": Part("total", "A loss, and what is left of it on its way back."),
    "application": Part("total", "An application of the dynamics, and what it hears of each loss."),
}

_K = "<mfrac><mn>1</mn><mi>K</mi></mfrac>"
_S = "<mi>s</mi>"


def _power(exponent: str) -> str:
    return f"<msup>{_S}<mrow>{exponent}</mrow></msup>"


_KJ = "<mi>k</mi><mo>−</mo><mi>j</mi>"
_ONE = "<mo>+</mo><mn>1</mn>"
_K1 = "<mi>k</mi><mo>−</mo><mn>1</mn>"


def _cases(factors: tuple[str, ...]) -> str:
    """What stands at 1/K, place by place."""
    return "".join(
        f'<mrow data-when="place={case}">{factor}</mrow>'
        for case, factor in enumerate(factors)
        if factor
    )


_TO_DYNAMICS = _cases(("", "", "", _power(_KJ), _power(_KJ + _ONE), _power(_KJ), ""))
_TO_ROOT = _cases(("", _S, _S, _power("<mi>k</mi>"), _power("<mi>k</mi>"), _power(_K1), ""))

EQUATION = (
    "Of <math><msub><mi>ℓ</mi><mi>k</mi></msub></math>, k ≥ 1, application <math><mi>j</mi></math> hears "
    f'<span data-part="far"><math>{_K}{_TO_DYNAMICS}</math></span>, and the representation '
    f'<span data-part="root"><math>{_K}{_TO_ROOT}</math></span>.',
    'For k = {steps} and j = 1 these are <span data-part="far">{far:4}</span> and '
    '<span data-part="root">{root:4}</span>.',
)

NOTE = (
    "Real networks with random parameters: states of 4 numbers, min-max normalised, six hidden units, a "
    "batch of three, and random targets: a draw in which the line shows; in many it does less. <code>l</code> adds up the three losses; the root’s reward is 0, a constant. The norms "
    "depend on the draw; the triangle does not. The gradients are <code>jax.grad</code>’s. They are "
    "surrogates: line and weights act on them and not on the value that is returned. The weight decay, a "
    "term of its own in the loss, is left away."
)
