"""The exercises by name: every folder of ``exercises/`` is one, and is imported when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

import sccbook.exercises
from sccbook.checking.findings import Exercise


class _Exercises(Mapping[str, Exercise]):
    """The exercises by name."""

    def __getitem__(self, name: str) -> Exercise:
        if name not in self:
            raise KeyError(name)
        module = import_module(f"sccbook.exercises.{name}.exercise")
        exercise: Exercise | None = getattr(module, "EXERCISE", None)
        if exercise is None:
            raise TypeError(f"{module.__file__} has no EXERCISE. Write one, as its neighbours do.")
        return exercise

    def __contains__(self, name: object) -> bool:  # imports nothing
        return name in set(iter(self))

    def __iter__(self) -> Iterator[str]:
        files = iter_modules(sccbook.exercises.__path__)
        return iter(sorted(f.name for f in files if f.ispkg))

    def __len__(self) -> int:
        return sum(1 for _ in self)


EXERCISES: Mapping[str, Exercise] = _Exercises()


def find_exercise(name: str) -> Exercise:
    """Return the exercise of that name.

    Raises:
      ValueError: if there is none.
      TypeError: if its file has no ``EXERCISE``.
    """
    if name not in EXERCISES:
        raise ValueError(
            f"There is no exercise {name!r}. The exercises are: {', '.join(map(repr, EXERCISES))}."
        )
    return EXERCISES[name]
