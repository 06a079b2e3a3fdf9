"""What is run: tasks, arms, and units of sixteen seeds, each of which is computed and stored as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import jax.numpy as jnp

from scaleclip import probe
from sccbook.models import catch
from sccbook.models.self_play import Settings

BLOCK = 16
"""Seeds of a unit."""

TUNING_SEED = 1000
CONFIRMATORY_SEEDS = (100, 116, 132, 148)
EXPLORATORY_SEED = 100
"""First seeds of the blocks: exploratory runs are paired with the first of the confirmatory blocks."""


NETWORKS = ("dynamics", "policy", "representation", "reward", "value")
"""In the order in which their parameters' norms are recorded."""


def by_network(path: str, _: Any) -> str:
    """Name the network of a parameter: a group of the probe."""
    return next(name for name in NETWORKS if name in path)


RECORDER = probe.clip_by_global_norm(
    jnp.inf, groups=by_network, keep=Settings().updates, spike=None, history=0
)
"""It clips nothing, and keeps the norms of an iteration's updates, and of no others."""


class Task(NamedTuple):
    """A game, how long it is trained on, and n of its targets."""

    rules: catch.Rules
    iterations: int
    bootstrap: int


TASKS = {"catch": Task(catch.CATCH, 250, 5), "long": Task(catch.LONG, 400, 10)}


class Arm(NamedTuple):
    """What differs between runs: s, and the settings that aren't the common ones.

    Attributes:
      scale: s; 1 is no scale.
      settings: of ``self_play.Settings``, as pairs.
      tuned_as: the arm whose tuned learning rate it takes, itself if that is "".
    """

    scale: float
    settings: tuple[tuple[str, Any], ...]
    tuned_as: str = ""


def _arm(scale: float, tuned_as: str = "", **settings: Any) -> Arm:
    return Arm(scale, tuple({"placement": "after_heads", **settings}.items()), tuned_as)


CONFIRMATORY = {
    "off": _arm(1.0),
    "P 1/2": _arm(0.5),
    "R 1/2": _arm(0.5, placement="before_heads"),
}
SGD = {f"{name}, SGD": _arm(arm.scale, **dict(arm.settings), optimizer="sgd") for name, arm in CONFIRMATORY.items()}  # fmt: skip
EXPLORATORY = {
    "P 0": _arm(0.0, "P 1/2"),
    "P 1/4": _arm(0.25, "P 1/2"),
    "P 3/4": _arm(0.75, "P 1/2"),
    "Q 1/2": _arm(0.5, "P 1/2", placement="every_input"),
    "off, not normalised": _arm(1.0, "off", normalise=False),
    "P 1/2, not normalised": _arm(0.5, "P 1/2", normalise=False),
    "K = 1": _arm(1.0, "off", steps=1),  # no scale acts on anything
    "off, K = 2": _arm(1.0, "off", steps=2),
    "P 1/2, K = 2": _arm(0.5, "P 1/2", steps=2),
    "off, K = 10": _arm(1.0, "off", steps=10),
    "P 1/2, K = 10": _arm(0.5, "P 1/2", steps=10),
}
ARMS: Mapping[str, Arm] = {**CONFIRMATORY, **EXPLORATORY, **SGD}

RATES = (0.004, 0.008, 0.016, 0.032)
RATES_OF_SGD = (0.02, 0.04, 0.08, 0.16)
"""To begin with: a best rate at an edge brings another one, twice or half as large."""

OPTIMIZERS: Mapping[str, Mapping[str, Any]] = {
    "Adam, epsilon 0": {"epsilon": 0.0},
    "Adam, epsilon 1e-8": {},
    "Adam, epsilon 1e-3": {"epsilon": 1e-3},
    "AdamW": {"decay": 1e-4, "decay_in": "decoupled"},
    "Adam, L2 in the loss": {"decay": 1e-3},
    "SGD": {"optimizer": "sgd"},
}
"""Of the comparison of P with R: what differs from the common settings."""

ROOT = {"": 1.0, ", without loss 0": 0.0}
INVISIBLE = {
    name + without: Arm(0.5, tuple({**own, "root_weight": weight}.items()))
    for name, own in OPTIMIZERS.items()
    for without, weight in ROOT.items()
}
INVISIBLE_ITERATIONS = 60


class Unit(NamedTuple):
    """Runs that are computed together, and stored in one file.

    Attributes:
      stage: "tuning", "confirmatory", "exploratory", "invisible" or "quick".
      task, arm: of ``TASKS``; and of ``ARMS``, or of ``INVISIBLE``.
      rate: the learning rate.
      first, seeds: seeds first to first + seeds - 1.
      iterations: how many.
    """

    stage: str
    task: str
    arm: str
    rate: float
    first: int
    seeds: int
    iterations: int

    @property
    def name(self) -> str:
        """Name the unit's file."""
        arm = self.arm.replace(" ", "_").replace(",", "").replace("/", "-").replace("=_", "")
        return f"{self.stage}/{self.task}-{arm}-{self.rate:g}-{self.first}"

    @property
    def scale(self) -> float:
        """Return s."""
        return self._arm.scale

    @property
    def settings(self) -> Settings:
        """Return what ``self_play`` is to run."""
        task = TASKS[self.task]
        settings = Settings(rules=task.rules, bootstrap=task.bootstrap, recorder=RECORDER)
        return settings._replace(**dict(self._arm.settings))

    @property
    def _arm(self) -> Arm:
        return (INVISIBLE if self.stage == "invisible" else ARMS)[self.arm]


def tuning() -> Iterator[Unit]:
    """Yield every confirmatory arm at every rate, on seeds of their own; SGD on Catch alone."""
    for task in TASKS:
        for rate in RATES:
            yield from (tuned_at(task, arm, rate) for arm in CONFIRMATORY)
    for rate in RATES_OF_SGD:
        yield from (tuned_at("catch", arm, rate) for arm in SGD)


def tuned_at(task: str, arm: str, rate: float) -> Unit:
    """Return the unit that tries a rate."""
    return _unit("tuning", task, arm, rate, TUNING_SEED)


def confirmatory(rates: Mapping[tuple[str, str], float]) -> Iterator[Unit]:
    """Yield the arms of the question, each at its rate, by blocks of seeds: all arms grow together."""
    for first in CONFIRMATORY_SEEDS:
        for task in TASKS:
            for arm in CONFIRMATORY:
                yield _unit("confirmatory", task, arm, rates[task, arm], first)


def exploratory(rates: Mapping[tuple[str, str], float]) -> Iterator[Unit]:
    """Yield the other arms, at the rate of the arm that they are a variant of."""
    for name, arm in EXPLORATORY.items():
        for task in TASKS:
            yield _unit("exploratory", task, name, rates[task, arm.tuned_as], EXPLORATORY_SEED)
    for name in SGD:
        yield _unit("exploratory", "catch", name, rates["catch", name], EXPLORATORY_SEED)


def invisible() -> Iterator[Unit]:
    """Yield P beside R, from the same seeds, for every optimizer, with the root's loss and without."""
    for name in INVISIBLE:
        rate = 0.08 if name.startswith("SGD") else 0.008
        yield Unit("invisible", "catch", name, rate, 0, BLOCK, INVISIBLE_ITERATIONS)


def quick() -> Iterator[Unit]:
    """Yield the question in three minutes, on Catch with eight seeds: for teaching, too few to conclude."""
    for arm in CONFIRMATORY:
        yield Unit("quick", "catch", arm, 0.016, 0, 8, 100)


def _unit(stage: str, task: str, arm: str, rate: float, first: int) -> Unit:
    return Unit(stage, task, arm, rate, first, BLOCK, TASKS[task].iterations)
