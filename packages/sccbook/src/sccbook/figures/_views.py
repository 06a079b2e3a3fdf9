"""The views that only the book's figures have: a folder each, built into ``dist`` by explorax's ``bundle.mjs``."""

from pathlib import Path

DIST = Path(__file__).parents[1] / "dist"
