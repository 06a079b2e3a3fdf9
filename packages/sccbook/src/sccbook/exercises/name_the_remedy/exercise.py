"""Chapter 12: write ``remedy(loss, norm, step)``, which reads a training log and names what to do.

Given are, for each step of SGD, the loss of the minibatch, the length of the gradient before any clip,
and how far the weights went. Neither the learning rate nor the limit was recorded.
"""

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
    renamed,
)

NAMES = ("keep", "clip", "slow_down", "speed_up", "elsewhere")
KEEP, CLIP, SLOW_DOWN, SPEED_UP, ELSEWHERE = NAMES
STEPS, SIZE = 200, 10
INFINITE = float("inf")


def record(
    rate: float, limit: float, away: float, spike: float, at: int, noise: float, seed: int
) -> tuple[Array, Array, Array]:
    """Run SGD with a clip on a loss that is a bowl near 0 and flat far from it: q / (1 + q), q = |w|^2 / 2.

    Args:
      rate: the learning rate; the bowl's curvature is 1.
      limit: of the clip; infinite for none.
      away: how far from 0 the weights start.
      spike: one gradient is this many times as long, and points elsewhere; none where it is 0.
      at: the step of the spike.
      noise: the length of what a minibatch adds to a gradient, about.
      seed: of the start and of the noise.

    Returns:
      ``loss``, ``norm`` and ``step``, ``[200]`` each.
    """
    source = np.random.default_rng(seed)
    w = source.normal(size=SIZE)
    w *= away / np.linalg.norm(w)
    rows = []
    for n in range(STEPS):
        q = w @ w / 2
        g = w / (1 + q) ** 2 + noise * source.normal(size=SIZE) / np.sqrt(SIZE)
        if n == at and spike:
            other = source.normal(size=SIZE)
            g = spike * np.linalg.norm(g) * other / np.linalg.norm(other)
        norm = np.linalg.norm(g)
        step = rate * g * min(1.0, limit / norm)
        rows.append((q / (1 + q) + noise * abs(source.normal()) / 10, norm, np.linalg.norm(step)))
        w = w - step
    loss, lengths, steps = np.array(rows).T
    return loss, lengths, steps


CASES = tuple(
    Case(record(rate, limit, away, spike, at, noise, number), f"for log {number}")
    for number, (rate, limit, away, spike, at, noise) in enumerate(
        (
            (0.1, INFINITE, 1.5, 0.0, 0, 0.0),
            (0.5, INFINITE, 1.5, 2000.0, 60, 0.05),
            (4.0, INFINITE, 1.0, 0.0, 0, 0.02),
            (0.1, 0.01, 2.0, 0.0, 0, 0.05),
            (0.5, INFINITE, 300.0, 0.0, 0, 0.0),
            (0.5, 0.5, 1.5, 2000.0, 60, 0.05),
            (0.5, 0.1, 2.5, 0.0, 0, 0.05),
            (0.03, INFINITE, 0.5, 60.0, 30, 0.02),
            (0.3, 80.0, 1.2, 5000.0, 120, 0.1),
            (20.0, 0.1, 1.0, 0.0, 0, 0.02),
            (1.0, 0.001, 1.5, 300.0, 90, 0.02),
            (0.3, INFINITE, 2000.0, 50.0, 40, 0.0),
            (5.0, 0.6, 1.2, 0.0, 0, 0.05),
            (1.0, 0.02, 2.0, 0.0, 0, 0.1),
        ),
        start=1,
    )
)


def _fell(loss: Array) -> float:
    """Return the final loss as a fraction of the first."""
    return float(np.mean(loss[-20:]) / np.mean(loss[:20]))


def right(loss: Array, norm: Array, step: Array) -> str:
    """Name the remedy: first by the loss, then by what kept it up."""
    return KEEP if _fell(loss) < 0.7 else _why(loss, norm, step)


def _why(loss: Array, norm: Array, step: Array, falls: float = 0.995) -> str:
    """Name what helps a run whose loss hasn't come down; below ``falls`` times the first half it is falling."""
    longest = int(np.argmax(step))
    if step[longest] > 20 * np.median(step) and np.mean(loss[longest + 1 :]) > 1.5 * np.mean(
        loss[max(0, longest - 20) : longest]
    ):
        return CLIP
    if norm[0] < 1e-3:
        return ELSEWHERE
    half = len(loss) // 2
    return SPEED_UP if np.mean(loss[half:]) < falls * np.mean(loss[:half]) else SLOW_DOWN


def _shorter_steps(norm: Array, step: Array) -> float:
    """Return the share of gradients that were clipped."""
    rates = step / norm
    return float(np.mean(rates < 0.99 * np.max(rates)))


def _long(rows: Array, times: float) -> bool:
    return bool(np.max(rows) > times * np.median(rows))


def _if_clipped(share: float, then: Function) -> Function:
    """Ignore the loss: where this share is clipped the limit is too low."""
    return lambda loss, norm, step: (
        SPEED_UP if _shorter_steps(norm, step) > share else then(loss, norm, step)
    )


def _by_same_length(loss: Array, norm: Array, step: Array, spread: float) -> str:
    """Where the rate is wrong, take steps of one length for too short, and others for too long."""
    found = right(loss, norm, step)
    same = np.std(step) < spread * np.mean(step)
    return (SPEED_UP if same else SLOW_DOWN) if found in (SPEED_UP, SLOW_DOWN) else found


MISCONCEPTIONS = (
    *always(NAMES, "log"),
    Misconception("long_is_thrown",
        "your function blames any large gradient. But some are clipped, and some are multiplied by a small "
        "learning rate. How far did the weights move, and what did the loss do then?",
        *(lambda loss, norm, step, times=times: CLIP if _long(norm, times) else right(loss, norm, step)
          for times in (20, 100)),
        *(lambda loss, norm, step, times=times: CLIP if _long(norm, times) else KEEP for times in (20, 100))),
    Misconception("long_step_is_thrown",
        "a large step alone is taken for the trouble. After some large steps the loss goes on falling, or stays as "
        "flat as it was before. What did the loss do here?",
        *(lambda loss, norm, step, times=times: CLIP if _long(step, times) else right(loss, norm, step)
          for times in (5, 8, 10, 20, 40))),
    Misconception("clipped_is_too_slow",
        "a limit that acts at nearly every step is taken for the trouble. Such a run takes steps of one size, which "
        "can be too large, too small or just right: what does the loss show?",
        *(_if_clipped(share, right) for share in (0.2, 0.9)),
        lambda loss, norm, step: _by_same_length(loss, norm, step, 0.1)),
    Misconception("noise_is_falling",
        "a run whose steps have one size, and whose loss goes up and down, is given larger steps. Does its loss fall "
        "by more than the minibatches' noise?",
        lambda loss, norm, step: KEEP if _fell(loss) < 0.7 else _why(loss, norm, step, falls=1.0)),
    Misconception("arrived_is_vanished",
        "a run that has arrived is taken for one whose gradients have vanished: small gradients at the end are a good "
        "sign. How large were the first ones?",
        *(lambda loss, norm, step, of=of, least=least: ELSEWHERE if of(norm) < least else right(loss, norm, step)
          for of in (np.min, np.median, lambda norm: norm[-1], lambda norm: np.median(norm[-20:]))
          for least in (1e-3, 1e-2, 0.1)),
        *(lambda loss, norm, step, of=of: (
            ELSEWHERE if of(norm) < 1e-3 else renamed(right, {ELSEWHERE: KEEP})(loss, norm, step))
          for of in (np.min, np.median, lambda norm: norm[-1]))),
    Misconception("clip_helps_vanishing",
        "a run whose gradients are tiny from the start is given a clip. A clip never makes a gradient larger.",
        {"elsewhere": CLIP}),
    Misconception("vanished_is_too_slow",
        "a run whose gradients are tiny from the start is given larger steps. How much larger would they have to be? "
        "The rate that would do it is far too large where the gradient isn't tiny.",
        {"elsewhere": SPEED_UP}),
    Misconception("stuck_is_too_fast",
        "a loss that doesn't move is put down to steps that are too large. It can also stay for the opposite reason. "
        "How large are the gradients, from the start?",
        {"elsewhere": SLOW_DOWN}, {"elsewhere": SLOW_DOWN, "speed_up": SLOW_DOWN}),
    Misconception("thrown_is_too_fast",
        "a run that one step threw off is given smaller steps throughout. Its other steps were fine: it was nearly "
        "done before.",
        {"clip": SLOW_DOWN}),
    Misconception("too_fast_is_thrown",
        "a run in which every step is too large is given a clip. None of its steps stands out: which limit would cut "
        "one and leave the others?",
        {"slow_down": CLIP}),
    Misconception("falling_is_fine",
        "a run whose loss falls is left alone, however slowly it falls. How far has it fallen in 200 steps? What "
        "keeps the steps so small?",
        {"speed_up": KEEP}, {"speed_up": KEEP, "elsewhere": KEEP}),
    Misconception("speeds_swapped",
        "'slow_down' and 'speed_up' are swapped. Does the loss fall evenly, or go up and down?",
        {"slow_down": SPEED_UP, "speed_up": SLOW_DOWN}),
    Misconception("too_fast_is_too_slow",
        "a run whose loss goes up and down is given larger steps.",
        {"slow_down": SPEED_UP}),
    Misconception("too_slow_is_too_fast",
        "a run whose loss falls evenly, if slowly, is given smaller steps.",
        {"speed_up": SLOW_DOWN}),
    Misconception("end_alone",
        "a loss that is high at the end can have several causes, but all get one remedy here. What did the loss do "
        "before?",
        *(lambda loss, norm, step, name=name: right(loss, norm, step) if _fell(loss) < 0.7 else name
          for name in NAMES[1:])),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} logs are read right. The loss shows whether anything is wrong; the gradients and "
    "the steps together show what.",
    first=one_of(CASES, NAMES),
    quantity="the remedy",
).exercise(
    "name_the_remedy",
    partial={
        "long_step_is_thrown": 0.75,
        "clipped_is_too_slow": 0.5,
        "arrived_is_vanished": 0.75,
        "clip_helps_vanishing": 0.5,
        "vanished_is_too_slow": 0.75,
        "stuck_is_too_fast": 0.5,
        "thrown_is_too_fast": 0.5,
        "too_fast_is_thrown": 0.5,
        "falling_is_fine": 0.5,
        "speeds_swapped": 0.5,
        "too_fast_is_too_slow": 0.5,
        "too_slow_is_too_fast": 0.5,
    },
)
"""An answer is called as ``answer(loss, norm, step)`` and returns one of ``NAMES``."""
