"""Lets the tests import what lies in ``benchmarks/``, which is a folder of scripts."""

from __future__ import annotations

import sys
from pathlib import Path

# last, so that no script hides a package of the same name
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
