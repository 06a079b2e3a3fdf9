"""The README's picture is what the view draws today."""

from __future__ import annotations

from pathlib import Path

from sccbook.figures import UnrolledFlow

PICTURE = Path(__file__).parents[4] / "book" / "river.svg"


def test_the_picture_of_the_readme_is_up_to_date() -> None:
    assert PICTURE.read_text(encoding="utf-8") == UnrolledFlow().svg(), (
        "write it anew: Path('book/river.svg').write_text(UnrolledFlow().svg())"
    )


def test_a_picture_shows_the_present_settings_and_asks_for_nothing() -> None:
    text = UnrolledFlow(scale=0.25).svg()
    assert "With s = 0.25 and K = 6" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
