"""What the river says and asks: sentences for each case, its equation, and the questions of its places."""

from collections.abc import Mapping
from typing import Any

from explorax import Prediction, Range
from explorax.figure.equation import each, muted, part, when


def sentences() -> tuple[str, ...]:
    """A template for every ``case``: the gain named or 1, scaled or not, by the weights, by the regime."""
    receives = "the weights θ receive as much gradient as {total:,.2f} losses would send"
    found = []
    for given, factor in (
        ("With s = {scale}, gain {gain} and K = {steps}", "sρ"),
        ("Without the line, at gain {gain} and K = {steps}", "ρ"),
        ("With s = {scale} and K = {steps}", "s"),
        ("Without the line, at K = {steps}", "ρ"),
    ):
        for reach, one in (
            ("With more steps this number approaches {bound}, but never reaches it.", "~f} loss"),
            ("That is less than {bound} for each of its {steps} losses.", "~f} losses"),
        ):
            found += [
                f"{given}, {receives}. {reach}",
                f"{given}, {receives.replace('.2f', '.2~f')}: each loss reaches only its own step.".replace(
                    "~f} losses", one
                ),
                f"{given}, {receives}. Every extra step adds to it: {factor}\u00a0=\u00a01 leaves no bound.",
                f"{given}, {receives}. It grows geometrically with K, because {factor}\u00a0=\u00a0{{product}} is above 1.",
                f"{given}, {receives}. The clip at {{limit}} keeps {{taken:,.2f}} from it.",
                f"{given}, the weights θ receive nothing.",
            ]
    return tuple(found)


def closed_form(*, plain: bool = False) -> str:
    """Write the gradient of theta as a double sum, for the placement; gone while a clip acts.

    Args:
      plain: whether a gain of 1 is left out.
    """
    first, scaled = r"\class{gate}{s}", r"(\class{gate}{s}\rho)^{k-j}"
    if plain:
        scaled = rf"\class{{?gain=1}}{{{first}^{{k-j}}}} \class{{?!gain=1}}{{{scaled}}}"
    factors = {
        "after_heads": ("", scaled),
        "every_input": ("", scaled),
        "before_heads": (first, scaled),
        "off": ("", r"\rho^{k-j}"),
    }
    return "".join(
        when(
            f"placement={placement} !acts",
            rf"$\bar\theta = \class{{?weighs}}{{\frac{{1}}{{K}}}} \sum_{{k=1}}^K \sum_{{j=1}}^k {before} {power}$",
        )
        for placement, (before, power) in factors.items()
    )


def sum_in_numbers(label: str, lit: str, result: str, spec: str = ".5~g") -> str:
    """Write the same with the numbers of the moment: a term for each loss, or each step."""
    terms = each(result, f"{{value:{spec}}}", part=lit, count="steps", between=" + ")
    return (
        rf"{muted(label + ':')} $\bar\theta = \class{{?weighs}}{{\frac{{1}}{{\live{{steps}}}}}}$ "
        f"({terms}) = {part('total', '{total:,.2f}')}"
    )


MUZERO: dict[str, Any] = {
    "scale": 0.5, "gain": 1.0, "placement": "after_heads", "weights": "1/K", "clip": False,
}  # fmt: skip


def _question(question: str, settings: Mapping[str, Any], reveal: str) -> Prediction:
    """Ask what theta receives, and tell no bound before."""
    return Prediction(
        question,
        answer="total",
        settings={**MUZERO, **settings},
        conceals=("bound", "line", "case"),
        guess=Range("guess", "guess", "", 0.0, 7.0, 3.5, 0.05),
        reveal=reveal,
    )


STEPS = _question(
    "With s = ½ and K = 5, θ receives as much gradient as 1.61 losses would send. How much is it at K = 12?",
    settings={"steps": 12},
    reveal="θ receives {total:,.2f}. A loss k steps back counts only ½ᵏ, so however many steps there are, θ stays "
    "below {bound}.",
)
STOP = _question(
    "With s = ½, θ receives as much gradient as 1.61 losses would send. With s = 0 the line lets no gradient through. How much does θ receive?",
    settings={"scale": 0.0, "steps": 5},
    reveal="θ still receives {total:,.2~f}: each loss still sends its 1 to its own step, because it gets there before it "
    "meets the line.",
)
GAIN = Prediction(
    "With s = ½ the bound is 2 at gain 1, and 4 at gain 1.5. What bound holds at gain 2?",
    answer="left",
    how="choice",
    options=(
        "the same, 2",
        "a larger one",
        "none: it grows steadily",
        "none: it doubles each step",
    ),
    settings={**MUZERO, "gain": 2.0},
    conceals=("bound", "line", "case"),
    reveal="No bound holds: what θ receives grows steadily, because each scale of ½ undoes the doubling.",
)
