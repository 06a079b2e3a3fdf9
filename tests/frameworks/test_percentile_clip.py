"""A clip at a percentile of the norms so far does the same in every library, and leaves out 0 and what isn't finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.frameworks.adaptive import NORMS, PERCENT
from tests.frameworks.run import LIBRARIES

SNIPPET_OF = [name for name, library in LIBRARIES.items() if library.snippet]


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_a_clip_at_a_percentile_clips_at_that_of_the_norms_that_count_so_far(
    told: Callable[[str, str], Any], library: str
) -> None:
    found, counted = told(library, "percentile_clip"), list[float]()
    for norm, length in zip(NORMS, found, strict=True):
        if not np.isfinite(norm):
            assert not np.isfinite(length)
            continue
        if norm == 0:
            assert length == 0
            continue
        counted.append(norm)
        if len(counted) % 2:  # else it depends on how a library takes a percentile
            limit = np.percentile(counted, PERCENT)
            assert length == pytest.approx(min(norm, limit), rel=1e-5)
        else:
            ordered = sorted(counted)
            around = ordered[len(ordered) // 2 - 1 : len(ordered) // 2 + 1]
            assert min(norm, around[0]) * 0.9999 <= length <= min(norm, around[1]) * 1.0001
