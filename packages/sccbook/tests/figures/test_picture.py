"""The README's picture is what the view draws today."""

from pathlib import Path

from sccbook.figures import UnrolledFlow

PICTURE = Path(__file__).parents[4] / "book" / "river.svg"


def test_the_picture_of_the_readme_is_up_to_date():
    assert PICTURE.read_text(encoding="utf-8") == UnrolledFlow(scale=1.0, steps=6).svg(), (
        "write it anew: Path('book/river.svg').write_text(UnrolledFlow(scale=1.0, steps=6).svg())"
    )
