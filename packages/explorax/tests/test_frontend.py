"""The built front end draws figures, and says what is missing or wrong where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from explorax import frontend
from explorax.node import NodeError


@pytest.fixture
def prerender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a script in the place of the one that draws: ``prerender(text)``."""
    monkeypatch.setattr(frontend, "DIST", tmp_path)
    return lambda text: (tmp_path / "prerender.mjs").write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("prerender")
def test_a_missing_front_end_is_named_with_the_way_to_build_it() -> None:
    with pytest.raises(FileNotFoundError, match=r"lacks prerender\.mjs.*node build\.mjs"):
        frontend.draw([])
    with pytest.raises(FileNotFoundError, match="lacks maths/fonts"):
        frontend.asset("maths", "fonts")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("console.log('drawn')", "printed no JSON"),
        ("console.log('[]')", "given 1 descriptions"),
        ("console.log('[1]')", "given 1 descriptions"),
    ],
)
def test_a_drawing_that_is_none_says_so(prerender: Any, script: str, message: str) -> None:
    prerender(script)
    with pytest.raises(NodeError, match=message):
        frontend.draw([{"title": "a"}])
