"""A set: one exercise of each family, and a question. It is drawn once, and read many times."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gradlab_classroom.variants import heads, parts, placements, rotations, seeds
from gradlab_classroom.variants.family import NoSuchOperation, Variant

FAMILIES = {family.name: family for family in (
    parts.FAMILY, heads.FAMILY, placements.FAMILY, rotations.FAMILY
)}  # fmt: skip
FILE, FORM = "variants.json", 1
STEPS = (4, 5, 6)
"""Of the unroll in the written question."""


class NoSet(ValueError):
    """A folder that holds no set, and what to do."""


@dataclass(frozen=True)
class Set:
    """A set, as it was drawn.

    Attributes:
      fingerprint: of the seed.
      variants: one of each family.
      steps: of the unroll in the written question.
    """

    fingerprint: str
    variants: Sequence[Variant]
    steps: int

    def text(self) -> str:
        """Return what ``read`` reads: all that was drawn, and nothing of the seed."""
        return json.dumps(
            {
                "form": FORM,
                "fingerprint": self.fingerprint,
                "variants": {variant.family: variant.parameters for variant in self.variants},
                "written": {"steps": self.steps},
            },
            indent=2,
        ) + "\n"  # fmt: skip


def draw(seed: bytes) -> Set:
    """Draw a set. The same seed always draws the same one."""
    variants = [family.draw(seeds.generator(seed, name)) for name, family in FAMILIES.items()]
    steps = STEPS[int(seeds.generator(seed, "written").integers(len(STEPS)))]
    return Set(seeds.fingerprint(seed), variants, steps)


def read(folder: Path) -> Set:
    """Make a set again, from what stands in its folder.

    Raises:
      NoSet: if that is no set, or not in the form that this version reads.
    """
    path = folder / FILE
    try:
        return _made(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise NoSet(
            f"{folder} holds no {FILE} that can be read ({error}): name a folder that "
            "`python -m gradlab_classroom variants` has made."
        ) from error


@lru_cache(maxsize=8)
def _made(text: str, path: str) -> Set:
    """The same text gives the same exercises, whose judges remember what they have seen."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise _wrong(path, str(error)) from error
    match found:
        case {
            "form": int(form), "fingerprint": str(fingerprint), "variants": dict(variants),
            "written": {"steps": int(steps)},
        }:  # fmt: skip
            if form != FORM:
                raise _wrong(path, f"it has the form {form}, and this version reads {FORM}")
            return Set(fingerprint, _variants(variants, path), steps)
    raise _wrong(path, "it has not the keys form, fingerprint, variants and written")


def _variants(given: Mapping[str, Any], path: str) -> list[Variant]:
    if given.keys() != FAMILIES.keys():
        raise _wrong(
            path, f"its variants should be {', '.join(FAMILIES)}, and are {', '.join(given)}"
        )
    try:
        return [family.make(_mapping(given[name])) for name, family in FAMILIES.items()]
    except NoSuchOperation as error:
        raise _wrong(path, str(error)) from error


def _mapping(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise NoSuchOperation(f"parameters should be a mapping, and are {given!r}")
    return given


def _wrong(path: str, what: str) -> NoSet:
    return NoSet(
        f"{path} cannot be used: {what}. It should be as it was written. Make it again from the seed: "
        "python -m gradlab_classroom variants --seed-file FILE --out DIR"
    )
