"""What the tests of the benchmarks' tables share: results with one value changed."""

from __future__ import annotations

import copy
from typing import Any


def changed(results: dict[str, Any], where: str, value: Any) -> dict[str, Any]:
    """A copy of the results with one value changed: ``rows,2,times,ledger``."""
    results = copy.deepcopy(results)
    *path, last = where.split(",")
    place: Any = results
    for step in path:
        place = place[int(step) if step.isdigit() else step]
    place[last] = value
    return results
