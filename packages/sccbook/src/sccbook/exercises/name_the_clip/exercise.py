"""Chapter 08: write ``my_test(clip)``, which finds out what a clip measures.

The clip is a black box: ``clip(grads)`` takes a dict of arrays and returns one like it. Its limit,
from 0.1 to 10, isn't given. One long gradient doesn't tell all five apart, and neither does any gradient of one array.
"""

from sccbook.checking.clips import CLIPS
from sccbook.checking.parts import (
    Case,
    Comparison,
    Misconception,
    always,
    one_of,
)

VALUE, NORM, GLOBAL, NORMALISE, SCALE = CLIPS
LIMITS = (2.0, 0.1, 10.0, 0.5)
"""No 1, which as a factor would change nothing."""

CASES = tuple(
    Case((CLIPS[(2 + i) % 5], limit), f"for clip {5 * row + i + 1}")
    for row, limit in enumerate(LIMITS)
    for i in range(5)
)


def right(kind: str, limit: float) -> str:
    """Return the kind: the reference probe gives it away."""
    return kind


_SOME = (
    (VALUE,),
    (NORM,),
    (GLOBAL,),
    (VALUE, NORM),
    (VALUE, GLOBAL),
    (NORM, GLOBAL),
    (VALUE, NORM, GLOBAL),
)


MISCONCEPTIONS = (
    *always(CLIPS, "clip"),
    Misconception("one_array_alone",
        "it looks at one array. With one array, its own norm and the norm of all arrays are the same. What happens to "
        "a small array beside a large one?",
        {"norm": GLOBAL}, {"global_norm": NORM},
        {"norm": GLOBAL, "normalise": GLOBAL}, {"global_norm": NORM, "normalise": NORM},
        {"norm": GLOBAL, "normalise": GLOBAL, "scale": GLOBAL},
        {"global_norm": NORM, "normalise": NORM, "scale": NORM}),
    Misconception("long_ones_alone",
        "it tries only large gradients. Two of these five change small ones as well, so they aren't clips.",
        {"normalise": GLOBAL}, {"scale": GLOBAL}, {"normalise": GLOBAL, "scale": GLOBAL}),
    Misconception("normalise_is_scale",
        "'normalise' and 'scale' are confused. Both change a small gradient. Which of them treats one that is twice "
        "as large alike?",
        {"normalise": SCALE}, {"scale": NORMALISE}, {"scale": NORMALISE, "normalise": SCALE}),
    Misconception("value_or_norm",
        "a clip by value is taken for one by norm, or the other way round. Which of them keeps the direction of an array?",
        {"value": NORM}, {"norm": VALUE}, {"value": NORM, "norm": VALUE}),
    Misconception("value_or_global",
        "a clip by value is taken for a global one, or the other way round. Which of them keeps every direction?",
        {"value": GLOBAL}, {"global_norm": VALUE}),
    Misconception("global_and_norm_swapped",
        "'norm' and 'global_norm' are swapped. Which of them leaves a small array alone beside a large one?",
        {"norm": GLOBAL, "global_norm": NORM}),
    Misconception("direction_alone",
        "it checks only whether the direction is kept. A global clip keeps it, and so do a normalisation and a scale.",
        {"value": NORM, "normalise": GLOBAL, "scale": GLOBAL},
        {"norm": VALUE, "normalise": GLOBAL, "scale": GLOBAL}),
    Misconception("not_short_enough",
        "its small gradient isn't small enough: a clip at 0.1 changes it too, and then looks like a normalisation.",
        *(lambda kind, limit, top=top, some=some, other=other: other if limit <= top and kind in some else kind
          for top in (0.1, 0.5, 2.0) for some in _SOME for other in (NORMALISE, SCALE))),
    Misconception("not_long_enough",
        "its large gradient isn't large enough: a clip at 10 leaves it alone, and then nothing shows what is "
        "measured.",
        *(lambda kind, limit, low=low, some=some, other=other: other if limit >= low and kind in some else kind
          for low in (2.0, 10.0) for some in _SOME for other in CLIPS if some != (other,))),
)  # fmt: skip


EXERCISE = Comparison(
    probe="of_clip",
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"your function identifies all {len(CASES)} clips.",
    reference_probe=lambda answer, kind, limit: answer(kind, limit),
    first=one_of(CASES, CLIPS),
    quantity="the answer",
).exercise(
    "name_the_clip",
    partial={
        "one_array_alone": 0.5,
        "long_ones_alone": 0.5,
        "normalise_is_scale": 0.75,
        "global_and_norm_swapped": 0.5,
        "direction_alone": 0.25,
        "not_short_enough": 0.75,
        "not_long_enough": 0.75,
    },
)
"""An answer is called as ``answer(clip)`` and returns one of ``CLIPS``."""
