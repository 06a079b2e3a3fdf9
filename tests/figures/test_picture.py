"""The README's picture is what the view draws today."""

from pathlib import Path

from gradlab.figure.picture import README_PICTURE, picture

from gradlab.figures import UnrolledFlow

ROOT = Path(__file__).parents[2]


def test_the_picture_of_the_readme_is_up_to_date():
    stored = (ROOT / README_PICTURE).read_text(encoding="utf-8")
    assert stored == picture(UnrolledFlow()), "run: python -m gradlab.figure.picture"


def test_a_picture_shows_the_present_settings_and_asks_for_nothing():
    text = picture(UnrolledFlow(scale=0.25))
    assert "With s = 0.25, gain 1 and K = 6" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
