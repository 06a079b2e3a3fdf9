"""Which cases of a test run when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some_now(cases: Iterable[Any], *now: Any) -> list[Any]:
    """Return the cases for a test that is ordinary for some of them, and else exhaustive."""
    return [
        case if case in now else pytest.param(case, marks=pytest.mark.exhaustive) for case in cases
    ]
