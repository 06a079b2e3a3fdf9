"""What is run: arms, rates, and units of sixteen seeds, each of which is computed and stored as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from sccbook.models import catch
from sccbook.models.self_play import Settings
from sccbook.records.half_by_depth import FACTORS, LENGTHS

BLOCK = 16
"""Seeds of a unit."""

TUNING_SEED = 2000
CONFIRMATORY_SEEDS = tuple(range(3000, 3096, BLOCK))
BLIND_TUNING_SEED = 4000
BLIND_SEEDS = tuple(range(5000, 5048, BLOCK))
"""First seeds of the blocks."""

BLIND_LENGTHS = (2, 10)

ITERATIONS = 400
SCALES = {"off": 1.0, "P": 0.5}
"""s of each arm."""

Optimizer = Literal["sgd", "adam"]
DECAY: Mapping[Optimizer, float] = {"sgd": 1e-4, "adam": 0.0}
"""L2 in the loss: the pseudocode's, which takes SGD with momentum 0.9."""

RATES: Mapping[Optimizer, tuple[float, ...]] = {
    "sgd": (0.02, 0.04, 0.08, 0.16, 0.32),
    "adam": (0.002, 0.004, 0.008, 0.016, 0.032),
}
"""To begin with: a best rate at an edge brings another one, twice or half as large."""


class Unit(NamedTuple):
    """Runs that are computed together, and stored in one file.

    Attributes:
      stage: "tuning", "confirmatory", "blind_tuning" or "blind".
      optimizer: "sgd", with momentum 0.9, or "adam".
      arm: of ``SCALES``.
      steps: K.
      rate: the learning rate.
      first, seeds: seeds first to first + seeds - 1.
      measured: whether it's measured where gradients go.
      iterations: how many.
    """

    stage: str
    optimizer: Optimizer
    arm: str
    steps: int
    rate: float
    first: int
    seeds: int = BLOCK
    measured: bool = False
    iterations: int = ITERATIONS

    @property
    def name(self) -> str:
        """Name the unit's file."""
        return f"{self.stage}/{self.optimizer}-{self.arm}-{self.steps}-{self.rate:g}-{self.first}"

    @property
    def scale(self) -> float:
        """Return s."""
        return SCALES[self.arm]

    @property
    def settings(self) -> Settings:
        """Return what ``self_play`` is to run: the same for both arms, as s is an argument."""
        blind = self.stage.startswith("blind")
        return Settings(
            rules=catch.DRIFTING if blind else catch.LONG, blind=blind, bootstrap=10, placement="after_heads", steps=self.steps,
            optimizer=self.optimizer, reward_in="dynamics", decay=DECAY[self.optimizer],
        )  # fmt: skip


Arm = tuple[Optimizer, str, int]
"""Optimizer, arm and K."""


def tuning() -> Iterator[Unit]:
    """Yield every arm at every rate, on seeds of their own."""
    for optimizer, rates in RATES.items():
        for rate in rates:
            yield from (at for k in LENGTHS for at in tuned_at("tuning", optimizer, k, rate))


def blind_tuning() -> Iterator[Unit]:
    """Yield the same of the game that is played blind, under Adam."""
    for rate in RATES["adam"]:
        for steps in BLIND_LENGTHS:
            yield from tuned_at("blind_tuning", "adam", steps, rate)


def tuned_at(stage: str, optimizer: Optimizer, steps: int, rate: float) -> list[Unit]:
    """Return the units that try a rate: both arms always try the same."""
    first = TUNING_SEED if stage == "tuning" else BLIND_TUNING_SEED
    return [Unit(stage, optimizer, arm, steps, rate, first) for arm in SCALES]


def counted(stage: str, best: Mapping[Arm, float]) -> Iterator[Unit]:
    """Yield all arms at the best rate, measured, and at half and twice that; by blocks of seeds."""
    for first in CONFIRMATORY_SEEDS if stage == "confirmatory" else BLIND_SEEDS:
        for (optimizer, arm, steps), rate in best.items():
            for factor in FACTORS:
                unit = Unit(stage, optimizer, arm, steps, factor * rate, first)
                yield unit._replace(measured=factor == 1.0)
