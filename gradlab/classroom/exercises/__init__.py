"""The exercises, one a file. To add one, write its ``examine`` and name it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradlab.classroom.exercises import scale_gradient
from gradlab.classroom.findings import Finding

EXERCISES: Mapping[str, Callable[[Any], Finding]] = {
    "scale_gradient": scale_gradient.examine,
}
