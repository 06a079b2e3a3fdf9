"""Chapter 15: write ``surrogate(log_new, log_old, advantage, gradient)``, which names a policy-gradient loss.

Given are, for each sample of a batch, both logarithmic probabilities, the advantage, and the gradient that
the loss sends to ``log_new``. The limit, 1 + epsilon, was not recorded, and differs.
"""

from functools import partial

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Misconception,
    always,
    one_of,
)

NAMES = ("policy_gradient", "ratio", "ppo", "no_min", "cispo", "two_sided")
POLICY, RATIO, PPO, NO_MIN, CISPO, TWO_SIDED = NAMES
SAMPLES = 40


def gradient_of(kind: str, r: Array, advantage: Array, epsilon: float) -> Array:
    """Compute the gradient that reaches ``log_new`` from each sample.

    Args:
      kind: one of ``NAMES``: A log pi; r A; PPO's; the clipped ratio times A, differentiated, without
        a minimum; log pi with the weight r A, r being 1 + epsilon at most; the same with r limited
        from below too.
      r, advantage: ``[n]``.
      epsilon: the limits are 1 - epsilon and 1 + epsilon.
    """
    low, high = 1 - epsilon, 1 + epsilon
    if kind == PPO:
        past = np.where(advantage > 0, r > high, r < low)
        return np.where(past, 0.0, r * advantage)
    if kind == NO_MIN:
        return np.where((r > low) & (r < high), r * advantage, 0.0)
    weights: dict[str, Array] = {
        POLICY: np.ones_like(r),
        RATIO: r,
        CISPO: np.minimum(r, high),
        TWO_SIDED: np.clip(r, low, high),
    }
    found: Array = weights[kind] * advantage
    return found


def batch(kind: str, epsilon: float, spread: float, seed: int) -> tuple[Array, Array, Array, Array]:
    """Draw samples of which some are past either limit, with advantages of both signs."""
    source = np.random.default_rng(seed)
    log_old = np.log(source.uniform(0.05, 0.6, SAMPLES))
    log_r = spread * source.normal(size=SAMPLES)
    # every corner is there, well beyond the limits
    log_r[:8] = np.tile([1.0, -1.0], 4) * source.uniform(0.5, 0.9, 8)
    advantage = source.normal(size=SAMPLES)
    advantage[:8] = np.repeat([1.0, -1.0], 4) * source.uniform(0.4, 2.0, 8)
    gradient = gradient_of(kind, np.exp(log_r), advantage, epsilon)
    order = source.permutation(SAMPLES)
    return tuple(a[order] for a in (log_old + log_r, log_old, advantage, gradient))  # type: ignore[return-value]


CASES = tuple(
    Case(batch(NAMES[(2 + i) % 6], epsilon, spread, 10 * row + i), f"for batch {6 * row + i + 1}")
    for row, (epsilon, spread) in enumerate(((0.2, 0.3), (0.02, 0.05), (0.3, 0.5)))
    for i in range(6)
)


def right(log_new: Array, log_old: Array, advantage: Array, gradient: Array) -> str:
    """Name the loss by the weight of each sample, which is the gradient divided by the advantage."""
    r, weight = np.exp(log_new - log_old), gradient / advantage
    if np.allclose(weight, 1):
        return POLICY
    if np.allclose(weight, r):
        return RATIO
    stopped = weight == 0
    if np.any(stopped):
        against = stopped & ((r > 1) != (advantage > 0))
        return NO_MIN if np.any(against) else PPO
    return CISPO if np.isclose(np.min(weight), np.min(r)) else TWO_SIDED


def _assumed(
    epsilon: float, log_new: Array, log_old: Array, advantage: Array, gradient: Array
) -> str:
    """Name the loss whose gradients would be the nearest with this epsilon."""
    r = np.exp(log_new - log_old)
    return min(
        NAMES,
        key=lambda name: float(
            np.abs((gradient_of(name, r, advantage, epsilon) - gradient) / advantage).sum()
        ),
    )


MISCONCEPTIONS = (
    *always(NAMES, "batch"),
    Misconception("epsilon_assumed",
        "it assumes one epsilon, and compares with the gradients that it would give. It wasn't logged, and differs "
        "between batches. Which of the six can you tell apart without it?",
        *(partial(_assumed, epsilon) for epsilon in (0.2, 0.1, 0.3, 0.15, 0.25))),
    Misconception("ratio_upside_down",
        "the ratio is upside down: the old policy is divided by the new one.",
        lambda log_new, log_old, *others: right(log_old, log_new, *others)),
    Misconception("a_zero_is_ppo",
        "a gradient of 0 is taken as a sign of PPO. If the minimum is forgotten, some samples get 0 as well. Which "
        "ones: all beyond a limit, or only those that have gone as far as their advantage asks?",
        {"no_min": PPO}, {"ppo": NO_MIN}, {"no_min": PPO, "ppo": NO_MIN},
        {"no_min": PPO, "policy_gradient": RATIO}, {"no_min": PPO, "two_sided": CISPO},
        *({"no_min": PPO, "policy_gradient": other, "ratio": other, "two_sided": other, "cispo": other}
          for other in (CISPO, RATIO, POLICY))),
    Misconception("a_clip_is_ppo",
        "every loss that limits the ratio is called PPO. What happens to a sample beyond the limit: does it lose its "
        "gradient, or does it get a smaller weight?",
        {"cispo": PPO, "two_sided": PPO}, {"cispo": PPO},
        {"cispo": PPO, "two_sided": PPO, "no_min": PPO}),
    Misconception("above_alone",
        "it looks only above 1 + epsilon. Two of the losses agree there, and differ for ratios below 1 - epsilon.",
        {"two_sided": CISPO}, {"cispo": TWO_SIDED}, {"two_sided": CISPO, "cispo": TWO_SIDED}),
    Misconception("no_ratio",
        "the plain ratio and the policy gradient without one are confused. Divide the gradient by the advantage: do "
        "you get 1, or r?",
        {"ratio": POLICY}, {"policy_gradient": RATIO},
        {"ratio": POLICY, "policy_gradient": RATIO}),
    Misconception("stop_is_weight",
        "PPO and CISPO are swapped. One of them keeps a gradient for every sample.",
        {"ppo": CISPO, "cispo": PPO}, {"ppo": CISPO}),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} losses are identified. Divided by the advantage, a gradient shows the weight of its sample.",
    first=one_of(CASES, NAMES),
    quantity="the name",
).exercise(
    "name_the_surrogate",
    partial={
        "epsilon_assumed": 0.5,
        "a_zero_is_ppo": 0.5,
        "a_clip_is_ppo": 0.5,
        "above_alone": 0.75,
        "no_ratio": 0.5,
        "stop_is_weight": 0.5,
    },
)
"""An answer is called as ``answer(log_new, log_old, advantage, gradient)`` and returns one of ``NAMES``."""
