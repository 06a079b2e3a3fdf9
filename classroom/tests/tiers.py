"""One of several cases in every run, and all of them in the exhaustive one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(cases: Iterable[Any]) -> list[Any]:
    """Return the cases for ``parametrize``, with all but the first marked as exhaustive."""
    first, *others = cases
    return [first, *(pytest.param(case, marks=pytest.mark.exhaustive) for case in others)]
