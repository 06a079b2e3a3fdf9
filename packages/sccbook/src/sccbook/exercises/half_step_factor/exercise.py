"""Assignment 2: find the factor that Adam can see, ``half_step_factor(gradient, epsilon)``.

A factor f on the loss multiplies the gradient g, a number that is not 0. Adam's first step, with its
bias corrections, is learning_rate f g / (f |g| + epsilon): half a learning rate long where
f = epsilon / |g|.
"""

from functools import partial
from typing import Any

import numpy as np

from sccbook.checking.parts import (
    Case,
    Comparison,
    Misconception,
    in_numpy,
    require_a_number,
)

CASES = tuple(
    Case((gradient, epsilon), f"for a gradient of {gradient:g} and epsilon = {epsilon:g}")
    for gradient, epsilon in ((0.01, 1e-8), (2.0, 1e-3), (-0.5, 1e-8), (-40.0, 0.1), (1.0, 1e-6), (1e-4, 1e-7))
)  # fmt: skip


def right(gradient: float, epsilon: float) -> Any:
    """Return the factor that makes the gradient as large as epsilon."""
    return epsilon / np.abs(gradient)


MISCONCEPTIONS = (
    Misconception("half",
        "one half is the answer for SGD, whose step is as long as its gradient. Adam divides by the "
        "gradient's own size first.",
        lambda g, e: 0.5),
    Misconception("never",
        "no factor and a factor of 1 are the same. There is one at which Adam's step is half as long: look "
        "at what is added to the root.",
        lambda g, e: 1.0),
    Misconception("zero",
        "at a factor of 0 there is no gradient, and no step at all.",
        lambda g, e: 0.0),
    Misconception("sign_lost",
        "it is right for positive gradients. For a negative one the factor should not turn the loss upside "
        "down: what counts is the gradient's size.",
        lambda g, e: e / g),
    Misconception("upside_down",
        "the factor is upside down: a large gradient has to be made smaller to come down to epsilon.",
        lambda g, e: abs(g) / e, lambda g, e: g / e),
    Misconception("gradient_ignored",
        "the factor does not depend on the gradient. What has to come down to a certain size is the product "
        "of the two.",
        lambda g, e: e),
    Misconception("epsilon_ignored",
        "the factor does not depend on epsilon, which is what Adam's step is held against.",
        lambda g, e: 1 / abs(g), lambda g, e: 0.5 / abs(g), lambda g, e: abs(g), lambda g, e: g),
    Misconception("twice_too_small",
        "at this factor the step is a third of a learning rate. Write the step down, and set it to one "
        "half.",
        lambda g, e: e / (2 * abs(g))),
    Misconception("twice_too_large",
        "at this factor the step is two thirds of a learning rate. Write the step down, and set it to one "
        "half.",
        lambda g, e: 2 * e / abs(g)),
    Misconception("under_the_root",
        "epsilon is taken to stand under the root. In Adam it is added to the root.",
        lambda g, e: np.sqrt(e) / abs(g), lambda g, e: np.sqrt(e / 3) / abs(g)),
    Misconception("multiplied",
        "the gradient's size multiplies epsilon, where it should divide it: a larger gradient needs a smaller "
        "factor.",
        lambda g, e: e * abs(g), lambda g, e: e * g),
    Misconception("squared_gradient",
        "epsilon is divided by the gradient's square. In Adam's second moment the gradient is squared, and "
        "then the root is taken.",
        lambda g, e: e / g**2),
    Misconception("step_itself",
        "this is how long the step is without any factor, or by how much it falls short, and not a factor on "
        "the loss.",
        lambda g, e: e / (abs(g) + e), lambda g, e: abs(g) / (abs(g) + e)),
    Misconception("no_bias_correction",
        "the moments are taken without their bias correction, which makes the first step's gradient count "
        "in full.",
        lambda g, e: 0.5 * e / (0.1 - 0.5 * np.sqrt(0.001)) / abs(g)),
    Misconception("less_one",
        "epsilon is held against the gradient, and not against the factor times the gradient.",
        lambda g, e: abs(g) - e, lambda g, e: g - e, lambda g, e: e - abs(g)),
)  # fmt: skip

EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="at this factor Adam's first step is half a learning rate, for gradients of either sign and for "
    "every epsilon tried.",
    reference_probe=in_numpy,
    read=partial(require_a_number, quantity="the factor"),
    quantity="the factor",
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
