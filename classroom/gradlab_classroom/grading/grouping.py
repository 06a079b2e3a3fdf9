"""Folders of one student each, told from folders of several, such as of a week or a group."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from gradlab_classroom.grading.naming import Claim, only_version


def of_several(files: Sequence[Sequence[Claim]]) -> set[tuple[str, ...]]:
    """The folders that are no student's, such as of a week or a group, by what is in them.

    One student can put anything into their own folder. So it is decided for all folders side by
    side: they are of several students where at least half of them look so, and more than look as
    of one; else none of them is.

    Args:
      files: the claims of each.
    """
    chains = [_chain(claims) for claims in files]
    found: set[tuple[str, ...]] = {()}
    depth = 0
    while True:
        level: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
        for chain in chains:
            if len(chain) > depth + 1 and chain[:depth] in found:
                level[chain[: depth + 1]].append(chain[depth + 1 :])
        looks = Counter(_looks(folder[-1], inside) for folder, inside in level.items())
        if looks["several"] <= looks["one"] or 2 * looks["several"] < len(level):
            return found
        found |= level.keys()
        depth += 1


def _chain(claims: Sequence[Claim]) -> tuple[str, ...]:
    """A path's folders that no platform has named, as far as its first sure name, and that name."""
    n = next((n for n, one in enumerate(claims) if one.sure), len(claims) - 1)
    end = f":{claims[n].keys[0]}" if claims[n].sure else claims[n].own
    return (*(one.student for one in claims[:n]), end)


def _looks(folder: str, inside: Sequence[tuple[str, ...]]) -> str:
    """Tell whether a folder looks as of ``"several"``, of ``"one"`` or neither ("")."""
    names: set[str] = set()
    while len({chain[0] for chain in inside}) == 1 and all(len(chain) > 1 for chain in inside):
        names.add(inside[0][0])  # a folder in a folder may be a student's, or not
        inside = [chain[1:] for chain in inside]
    ends = {chain[0] for chain in inside}
    if len(_of_people(ends, folder)) > 1 or all(end.startswith(":") for end in ends):
        return "several"
    return "" if _of_people(names | ends, folder) else "one"


def _of_people(names: Collection[str], folder: str) -> set[str]:
    """Those that may be of people, and are not the folder's own again."""
    return {name.lower() for name in names if not only_version(name)} - {folder.lower()}
