"""The built front end says what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorax import frontend


def test_a_missing_front_end_is_named_with_the_way_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frontend, "DIST", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"lacks prerender\.mjs.*node build\.mjs"):
        frontend.draw([])
    with pytest.raises(FileNotFoundError, match="lacks maths/fonts"):
        frontend.asset("maths", "fonts")
