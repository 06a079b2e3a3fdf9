"""Chapter 11: write ``read(gradients, updates)``, which tells from a log what made the updates.

Given are the lengths of a weight's gradients, as backpropagation found them, and of its updates. The
learning rate was not recorded. One gradient is a spike. What is asked for: which optimizer it was, and
what was done about the spike.
"""

from itertools import product

import numpy as np

from sccbook.checking.parts import (
    Array,
    Case,
    Comparison,
    Function,
    Misconception,
    always,
    one_of,
)

OPTIMIZERS, DONE = ("sgd", "adam"), ("nothing", "clip", "skip", "clip_update")
START, AFTER = 20, 100
"""Steps that a reader may leave out at the start, and steps after the spike."""


def record(
    optimizer: str, done: str, *, at: int, size: float, rate: float, beta2: float, seed: int
) -> tuple[Array, Array]:
    """Run an optimizer on gradients near one length, with a spike among them.

    Args:
      optimizer: one of ``OPTIMIZERS``; Adam's beta1 is 0.9, and its epsilon 0.
      done: one of ``DONE``; the limit of a clip is twice the usual length, that of the update's clip a
        tenth more than the usual update, and a step is skipped where the gradient is longer than ten.
      at: the step of the spike.
      size: how many times as long as usual it is.
      rate: the learning rate.
      beta2: Adam's.
      seed: of the usual gradients, which are up to a quarter longer or shorter than their mean.

    Returns:
      The lengths of gradients and of updates, ``[at + 100]`` each.
    """
    usual = 10.0 ** np.random.default_rng(seed).uniform(-3, 1)
    gradients = np.random.default_rng(seed).uniform(0.75, 1.25, at + AFTER)
    gradients[at] = size
    m = v = 0.0
    steps, updates = 0, []
    for g in gradients:
        if done == "skip" and g > 10:
            updates.append(0.0)
            continue
        g = min(g, 2.0) if done == "clip" else g
        steps += 1
        m, v = 0.9 * m + 0.1 * g, beta2 * v + (1 - beta2) * g**2
        adam = m / (1 - 0.9**steps) / np.sqrt(v / (1 - beta2**steps))
        update = g * usual if optimizer == "sgd" else adam
        updates.append(min(update, 1.1) if done == "clip_update" else update)
    return usual * gradients, rate * np.array(updates)


CASES = tuple(
    Case(
        record(optimizer, done, at=at, size=size, rate=rate, beta2=beta2, seed=seed),
        f"for log {seed}",
    )
    for seed, (optimizer, done, at, size, rate, beta2) in enumerate(
        (
            ("sgd", "nothing", 120, 1000.0, 0.25, 0.999),
            ("adam", "nothing", 350, 1000.0, 0.001, 0.999),
            ("adam", "clip", 150, 1000.0, 0.01, 0.999),
            ("sgd", "clip", 90, 300.0, 0.1, 0.999),
            ("adam", "skip", 250, 2000.0, 0.003, 0.999),
            ("adam", "clip_update", 400, 1000.0, 0.001, 0.999),
            ("adam", "nothing", 160, 500.0, 0.002, 0.95),
            ("sgd", "skip", 110, 100.0, 1.0, 0.999),
            ("adam", "nothing", 140, 100.0, 0.3, 0.99),
            ("adam", "clip", 100, 4000.0, 0.0003, 0.95),
            ("adam", "clip_update", 300, 200.0, 0.02, 0.999),
            ("adam", "skip", 80, 150.0, 1.0, 0.95),
        ),
        start=1,
    )
)


def _shares(gradients: Array, updates: Array) -> tuple[float, float]:
    """Compare the spike's update, and those 30 to 60 steps later, with the updates before it."""
    spike = int(np.argmax(gradients))
    usual = np.median(updates[START:spike])
    later = np.median(updates[spike + 30 : spike + 60])
    return float(updates[spike] / usual), float(later / usual)


def _optimizer(gradients: Array, updates: Array) -> str:
    calm = slice(START, int(np.argmax(gradients)))
    rates = updates[calm] / gradients[calm]
    return "sgd" if np.allclose(rates, rates[0]) else "adam"


def _done(gradients: Array, updates: Array) -> str:
    own, later = _shares(gradients, updates)
    longest = np.sum(np.isclose(updates, np.max(updates)))
    if own == 0:
        return "skip"
    if _optimizer(gradients, updates) == "sgd":
        return "nothing" if own > 10 else "clip"
    return "clip" if later > 0.7 else "clip_update" if longest > 1 else "nothing"


def _by_the_spike(gradients: Array, updates: Array) -> str:
    """Decide only by the spike's own step what was done."""
    own, _ = _shares(gradients, updates)
    return "skip" if own == 0 else "nothing" if own > 2.5 else "clip"


def answer(
    *,
    optimizer: Function = _optimizer,
    done: Function = _done,
    join: Function = lambda a, b: (a, b),
) -> Function:
    """Make the right answer, or one with a half replaced."""
    return lambda gradients, updates: join(optimizer(gradients, updates), done(gradients, updates))


right = answer()


def _renamed(adam: dict[str, str], sgd: dict[str, str] | None = None) -> Function:
    """Give the right answer, with some of what was done under another name."""
    names = {"adam": adam, "sgd": sgd or {}}
    return answer(join=lambda a, b: (a, names[a].get(b, b)))


MISCONCEPTIONS = (
    *always(product(OPTIMIZERS, DONE), "log"),
    Misconception("swapped",
        "the two names are swapped: the optimizer comes first, then what was done.",
        answer(join=lambda a, b: (b, a))),
    Misconception("one_optimizer",
        "it names the same optimizer for every log. Look at the calm steps before the spike: under which of the two "
        "is an update always the same multiple of the gradient?",
        *(answer(optimizer=lambda g, u, name=name: name) for name in OPTIMIZERS)),
    Misconception("optimizer_by_the_spike",
        "it identifies the optimizer by the spike's own update. But SGD's is small as well where it's clipped or "
        "skipped. Look at the calm steps before the spike: which optimizer's updates are always the same multiple of "
        "the gradient?",
        *(answer(optimizer=lambda g, u, most=most: "sgd" if _shares(g, u)[0] > most else "adam")
          for most in (1.1, 2.0, 2.5, 3.0, 3.5, 5.0, 10.0)),
        answer(optimizer=lambda g, u: "sgd" if _shares(g, u)[0] > 10 else "adam", done=_by_the_spike)),
    Misconception("rate_assumed",
        "the updates are compared with a fixed multiple of the gradients. The learning rate wasn't recorded, so you "
        "can only compare the ratios of different steps.",
        *(answer(optimizer=lambda g, u, rate=rate: "sgd" if np.allclose(u[:50], rate * g[:50]) else "adam")
          for rate in (1.0, 0.25, 0.1))),
    Misconception("memory_overlooked",
        "it looks at the spike's own update and no further. Adam's updates in the steps after it show whether the "
        "spike has got into v.",
        answer(done=_by_the_spike),
        answer(done=lambda g, u: "clip_update" if _by_the_spike(g, u) == "clip" else _by_the_spike(g, u)),
        _renamed({"clip_update": "clip"})),
    Misconception("short_is_clipped",
        "it takes Adam's small updates after the spike for a clip. They come from the spike in v: a clip of the "
        "gradient would have kept the spike out.",
        _renamed({"nothing": "clip"}), _renamed({"nothing": "clip", "clip": "nothing"}),
        _renamed({"nothing": "clip", "clip_update": "clip"})),
    Misconception("update_clip_overlooked",
        "a clip of the update is taken for nothing at all, because small updates follow in both. But it leaves a "
        "mark: several of the largest updates have exactly the same size.",
        _renamed({"clip_update": "nothing"})),
    Misconception("nothing_overlooked",
        "every Adam whose updates are small after the spike is said to clip its updates. Then several would have "
        "exactly the same size, that of the limit.",
        _renamed({"nothing": "clip_update"})),
    Misconception("skip_is_a_clip",
        "a step that was skipped is taken for a clipped one. How large is the spike's own update?",
        _renamed({"skip": "clip"}, {"skip": "clip"}), _renamed({"skip": "clip_update"}, {"skip": "clip"})),
    Misconception("clip_is_a_skip",
        "a clipped step is taken for a skipped one. Where a step is skipped, the update is 0.",
        _renamed({"clip": "skip"}, {"clip": "skip"})),
    Misconception("sgd_never_clipped",
        "a clip under SGD is overlooked: without one, SGD's step at the spike would be as many times larger as the "
        "gradient.",
        _renamed({}, {"clip": "nothing"}), _renamed({}, {"clip": "clip_update"})),
    Misconception("clip_overlooked",
        "a clip under Adam is taken for nothing at all. If the spike had got into v, what would the next hundred "
        "updates look like?",
        _renamed({"clip": "nothing"}), _renamed({"clip": "nothing"}, {"clip": "nothing"})),
    Misconception("small_is_skipped",
        "every small update at the spike is taken for a skip. Where a step is skipped, the update is 0.",
        *(answer(done=lambda g, u, most=most: "skip" if _shares(g, u)[0] < most else _done(g, u))
          for most in (0.5, 0.8, 1.0, 1.2, 1.5))),
)  # fmt: skip


EXERCISE = Comparison(
    cases=CASES,
    right=right,
    misconceptions=MISCONCEPTIONS,
    passed=f"all {len(CASES)} logs are right. The calm steps tell you the optimizer, the spike's own update shows "
    "a skip, and the updates after it show whether the spike got into Adam's v.",
    first=one_of(CASES, OPTIMIZERS, DONE),
    read=lambda value, case: tuple(value) if isinstance(value, list) else value,
    quantity="the answer",
).exercise(
    "read_the_updates",
    partial={
        "swapped": 0.75,
        "optimizer_by_the_spike": 0.5,
        "rate_assumed": 0.25,
        "memory_overlooked": 0.5,
        "short_is_clipped": 0.25,
        "update_clip_overlooked": 0.75,
        "nothing_overlooked": 0.75,
        "skip_is_a_clip": 0.75,
        "clip_is_a_skip": 0.5,
        "sgd_never_clipped": 0.75,
        "clip_overlooked": 0.5,
        "small_is_skipped": 0.5,
    },
)
"""An answer is called as ``answer(gradients, updates)`` and returns two names, one of ``OPTIMIZERS`` and
one of ``DONE``."""
