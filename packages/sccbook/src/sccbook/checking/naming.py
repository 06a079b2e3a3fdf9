"""Check answers that are names, and make the mistakes that all such exercises share."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from sccbook.checking.comparisons import ALWAYS, Misconception
from sccbook.checking.findings import Case, Mistake
from sccbook.checking.probes import Observations


def one_of(cases: Sequence[Case], *names: Sequence[str]) -> Callable[[Observations], None]:
    """Refuse texts that aren't among these names: what a ``Comparison`` calls first.

    Args:
      cases: of the exercise.
      names: those of the answer; for an answer of several names, those of each place. Names that have
        changed places are another mistake, and pass.
    """

    def first(observations: Observations) -> None:
        for case, seen in zip(cases, observations.seen, strict=False):
            given = (seen.value,) if len(names) == 1 else seen.value
            if isinstance(given, tuple | list) and len(given) == len(names):
                for own, name in zip(names, given, strict=True):
                    if isinstance(name, str) and name not in chain(*names):
                        raise Mistake(
                            "not_a_name",
                            f"{case.words} your function returned {name[:40]!r}. The names are "
                            f"{', '.join(map(repr, own))}.",
                        )

    return first


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
