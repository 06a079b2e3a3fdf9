"""Find the known mistake that explains most of an answer's wrong names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class NearMiss(NamedTuple):
    """A known mistake that explains a part of what is wrong.

    Attributes:
      mistake: which one.
      explained: the indices of the wrong names that it would give, too.
    """

    mistake: Any
    explained: list[int]


def nearest(
    given: Sequence[str], right: Sequence[str], mistakes: Iterable[tuple[Any, Sequence[str]]]
) -> NearMiss | None:
    """Find the mistake that explains most of the wrong names, or None where none is close.

    A mistake is close if the answer gives all of its wrong names; or two of three (or one of two), and they are
    at least half of what is wrong.

    Args:
      given: the answer's names.
      right: the right ones.
      mistakes: each with the names that it gives. Of two that are as close, the first counts.
    """
    found, most = None, 0
    wrong = sum(g != r for g, r in zip(given, right, strict=True))
    for mistake, said in mistakes:
        triples = list(zip(given, right, said, strict=True))
        explained = [i for i, (g, r, s) in enumerate(triples) if s == g != r]
        hits, missed = len(explained), sum(s != r and s != g for g, r, s in triples)
        mostly = hits >= 2 * missed or hits == missed == 1
        score = 2 * hits - missed
        if (missed == 0 or (mostly and 2 * hits >= wrong)) and score > most:
            found, most = NearMiss(mistake, explained), score
    return found


def never_said(given: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return the names that an answer never gives, if they explain at least half of its mistakes."""
    missing = [name for name in dict.fromkeys(right) if name not in given]
    wrong = sum(g != r for g, r in zip(given, right, strict=True))
    return missing if missing and 2 * sum(r in missing for r in right) >= wrong else []
