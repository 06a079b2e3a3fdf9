"""Chapter NN: write ``zz_trial(a, x)``, which returns ... (one sentence)."""

from typing import Any

from sccbook.checking.parts import Case, Comparison, Misconception

# The runs of an answer, the plainest first: its arguments, and the same in words. They must tell
# the right answer and every misconception apart.
CASES = (
    Case((2.0, 3.0), "for a = 2 and x = 3"),
    Case((-1.0, 0.5), "for a = -1 and x = 0.5"),
)


def right(a: Any, x: Any) -> Any:
    """Return what a right answer returns."""
    return a * x


# Wrong answers, the most telling first: a short name, a message, and functions that make this
# mistake. The message says what is mistaken without giving the solution away; {run}, {given} and
# {expected} are replaced by the first run that goes wrong.
MISCONCEPTIONS = (
    Misconception(
        "adds",
        "the two are added: {run} it should be {expected}, but it is {given}.",
        lambda a, x: a + x,
    ),
    Misconception(
        "unchanged",
        "x comes back as it was, whatever a is.",
        lambda a, x: x,
    ),
)

EXERCISE = Comparison(
    probe="returned",  # how an answer is observed: see PROBES in sccbook/checking/probes.py
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed="each product is right, for numbers of either sign.",
    quantity="the product",  # what is compared, for the message where no misconception fits
).exercise(
    "zz_trial",
    partial={"adds": 0.5},  # the share of the points that a near miss keeps, where it is graded
)
