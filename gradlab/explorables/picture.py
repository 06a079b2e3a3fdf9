"""A figure's first picture as an SVG file, drawn by the view that draws it in a page.

``python -m gradlab.explorables.picture`` renews the picture of the README.
"""

from __future__ import annotations

from pathlib import Path

from gradlab.explorables import export
from gradlab.explorables.figure import Figure
from gradlab.explorables.unrolled_flow import UnrolledFlow

README_PICTURE = Path("book", "river.svg")


def picture(figure: Figure) -> str:
    """The text of an SVG file that shows ``figure`` as it is set, in light and in dark.

    Raises:
      FileNotFoundError: where there is no Node to draw it.
    """
    return export.picture(figure.describe())


if __name__ == "__main__":
    README_PICTURE.write_text(picture(UnrolledFlow()), encoding="utf-8", newline="\n")
    print(f"{README_PICTURE} is written.")
