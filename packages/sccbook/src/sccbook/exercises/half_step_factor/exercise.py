"""Assignment 2: find the factor that Adam can see, ``half_step_factor(gradient, epsilon)``.

A factor f on the loss multiplies the gradient g, a number that is not 0. Adam's first step, with its
bias corrections, is learning_rate f g / (f |g| + epsilon): half a learning rate where
f = epsilon / |g|.
"""

from functools import partial

from sccbook.checking.comparisons import Comparison, Misconception
from sccbook.checking.findings import Case
from sccbook.checking.forms import require_a_number

CASES = tuple(
    Case((gradient, epsilon), f"for a gradient of {gradient:g} and epsilon = {epsilon:g}")
    for gradient, epsilon in ((0.01, 1e-8), (2.0, 1e-3), (-0.5, 1e-8), (-40.0, 0.1), (1.0, 1e-6), (1e-4, 1e-7))
)  # fmt: skip


def right(gradient: float, epsilon: float) -> float:
    """Return the factor that makes the gradient as large as epsilon."""
    return epsilon / abs(gradient)


MISCONCEPTIONS = (
    Misconception("half",
        "one half is the answer for SGD, whose update is proportional to the gradient. Adam "
        "divides by the gradient's own size first.",
        lambda g, e: 0.5),
    Misconception("never",
        "a factor of 1 changes nothing. There is a factor at which Adam's update is half as "
        "large. Look at what is added to the root.",
        lambda g, e: 1.0),
    Misconception("zero",
        "at a factor of 0 there's no gradient, and no update at all.",
        lambda g, e: 0.0),
    Misconception("sign_lost",
        "it's right for positive gradients. For a negative gradient the factor must not turn the "
        "loss upside down: what counts is the gradient's size.",
        lambda g, e: e / g),
    Misconception("upside_down",
        "the factor is upside down: a large gradient has to be made smaller to come down to epsilon.",
        lambda g, e: abs(g) / e, lambda g, e: g / e),
    Misconception("gradient_ignored",
        "the factor doesn't depend on the gradient. It's the product of the two that has to "
        "become as small as epsilon.",
        lambda g, e: e),
    Misconception("epsilon_ignored",
        "the factor doesn't depend on epsilon, which Adam adds to the root.",
        lambda g, e: 1 / abs(g), lambda g, e: 0.5 / abs(g), lambda g, e: abs(g), lambda g, e: g),
    Misconception("twice_too_small",
        "at this factor the update is a third of the learning rate. Write the update down, and "
        "set it to one half of the rate.",
        lambda g, e: e / (2 * abs(g))),
    Misconception("twice_too_large",
        "at this factor the update is two thirds of the learning rate. Write the update down, and "
        "set it to one half of the rate.",
        lambda g, e: 2 * e / abs(g)),
    Misconception("under_the_root",
        "you put epsilon under the root. Adam adds it to the root.",
        lambda g, e: e**0.5 / abs(g), lambda g, e: (e / 3) ** 0.5 / abs(g)),
    Misconception("multiplied",
        "you multiply epsilon by the gradient's size, where you should divide: a larger gradient "
        "needs a smaller factor.",
        lambda g, e: e * abs(g), lambda g, e: e * g),
    Misconception("squared_gradient",
        "you divide epsilon by the gradient's square. Adam squares the gradient in its second "
        "moment, and then takes the root.",
        lambda g, e: e / g**2),
    Misconception("step_itself",
        "this is the size of the update without any factor, or what it lacks of a full one. We "
        "asked for a factor on the loss.",
        lambda g, e: e / (abs(g) + e), lambda g, e: abs(g) / (abs(g) + e)),
    Misconception("no_bias_correction",
        "you leave out the bias correction of the moments, which makes the first gradient count "
        "in full.",
        lambda g, e: 0.5 * e / (0.1 - 0.5 * 0.001**0.5) / abs(g)),
    Misconception("less_one",
        "you compare epsilon with the gradient, not with the factor times the gradient.",
        lambda g, e: abs(g) - e, lambda g, e: g - e, lambda g, e: e - abs(g)),
)  # fmt: skip

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="at this factor Adam's first step is half a learning rate, for gradients of either sign and for "
    "every epsilon tried.",
    read=partial(require_a_number, quantity="the factor"),
    quantity="the factor",
    draw=lambda random: {
        "gradient": random.choice((-40.0, -2.0, -0.5, -0.01, 0.02, 0.4, 5.0)),
        "epsilon": random.choice((1e-8, 1e-7, 1e-5, 1e-3)),
    },
).exercise(
    "half_step_factor",
    partial={
        "sign_lost": 0.67,
        "under_the_root": 0.33,
        "twice_too_small": 0.33,
        "twice_too_large": 0.33,
        "no_bias_correction": 0.67,
    },
)
