"""Check answers that are names, and make the mistakes that all such exercises share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sccbook.checking.comparisons import ALWAYS, Function, Misconception
from sccbook.checking.findings import Case, Mistake
from sccbook.checking.probes import Observations

First = Callable[[Observations], None]
"""What a ``Comparison`` calls first."""


def one_of(names: Sequence[str], cases: Sequence[Case]) -> First:
    """Refuse texts that aren't among these names."""

    def first(observations: Observations) -> None:
        for case, seen in zip(cases, observations.seen, strict=False):
            _require(names, names, seen.value, case)

    return first


def two_of(first_names: Sequence[str], second_names: Sequence[str], cases: Sequence[Case]) -> First:
    """Refuse pairs with a text that is a name of neither kind.

    Two names that have changed places are another mistake.
    """

    def first(observations: Observations) -> None:
        for case, seen in zip(cases, observations.seen, strict=False):
            if isinstance(seen.value, tuple | list) and len(seen.value) == 2:
                for names, given in zip((first_names, second_names), seen.value, strict=True):
                    _require(names, (*first_names, *second_names), given, case)

    return first


def _require(names: Sequence[str], accepted: Sequence[str], given: Any, case: Case) -> None:
    if isinstance(given, str) and given not in accepted:
        raise Mistake(
            "not_a_name",
            f"{case.words} your function returned {given[:40]!r}. The names are "
            f"{', '.join(map(repr, names))}.",
        )


def renamed(right: Function, /, **names: str) -> Function:
    """Return the right answer, with some names in place of others."""
    return lambda *given: names.get(right(*given), right(*given))


def always(answers: Iterable[Any], what: str, hint: str = "") -> list[Misconception]:
    """Return a misconception for each answer: to give it for every ``what``, such as a log."""
    return [
        Misconception(
            ALWAYS,
            f"it says {answer!r} of every {what}. {hint}".strip(),
            lambda *_, same=answer: same,
        )
        for answer in answers
    ]
