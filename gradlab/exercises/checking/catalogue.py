"""The exercises, one a file. To add one, write its ``EXERCISE`` and name its file here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from gradlab.exercises.checking.findings import Exercise

NAMES = (
    "backward_by_hand",
    "backward_products",
    "clip_by_global_norm",
    "clip_each",
    "clip_gradient_norm",
    "clipped_descent",
    "half_step_factor",
    "ledger_coefficients",
    "max_norm",
    "name_the_placement",
    "order_of_a_step",
    "report_and_differentiate",
    "scale_for_total",
    "scale_gradient",
    "scaled_unroll",
    "three_places",
    "turned_by_the_clip",
    "update_weights",
    "wrong_axis",
)


class _Exercises(Mapping[str, Exercise]):
    """The exercises by name. A file is imported when its exercise is first asked for."""

    def __getitem__(self, name: str) -> Exercise:
        if name not in NAMES:
            raise KeyError(name)
        exercise: Exercise = import_module(f"gradlab.exercises.{name}").EXERCISE
        return exercise

    def __contains__(self, name: object) -> bool:  # imports nothing
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


EXERCISES: Mapping[str, Exercise] = _Exercises()
