"""``make pictures`` reports each picture that changed, and by how much."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tools.compared import BEFORE, DIFFERENCE, NOW, STORED, compare, keep, pictures


def draw(file: Path, size: tuple[int, int] = (40, 20), dot: tuple[int, int] | None = None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", size, "white")
    if dot:
        image.paste("black", (*dot, dot[0] + 4, dot[1] + 2))
    image.save(file)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    for name in ("same", "dotted", "grown", "gone", "elsewhere"):
        draw(tmp_path / STORED / f"page/{name}.png")
    draw(tmp_path / NOW / "page/same.png")
    draw(tmp_path / NOW / "page/dotted.png", dot=(10, 5))
    draw(tmp_path / NOW / "page/grown.png", size=(40, 30))
    draw(tmp_path / NOW / "page/new.png")
    return tmp_path


def test_changed_pictures_are_reported_with_their_share_and_sizes(out: Path) -> None:
    found = compare(out, lambda name: "elsewhere" not in name)
    assert str(found) == "2 changed, 1 new, 1 gone, 1 unchanged"
    assert {name: str(change) for name, change in found.changed.items()} == {
        "page/grown.png": "33.33%, 400 pixels, 40 × 20 is now 40 × 30",
        "page/dotted.png": "1.00%, 8 pixels",
    }
    assert [*found.changed] == ["page/grown.png", "page/dotted.png"], "most changed first"
    assert pictures(out / DIFFERENCE) == {*found.changed}
    red = Image.open(out / DIFFERENCE / "page/dotted.png").getcolors()
    assert (8, (255, 0, 0)) in (red or ())
    sheet = (out / "index.html").read_text(encoding="utf-8")
    order = [f"{BEFORE}/page/grown", f"{DIFFERENCE}/page/dotted", f"{NOW}/page/new"]
    places = [sheet.index(each) for each in (*order, f"{BEFORE}/page/gone", f"{NOW}/page/same")]
    assert places == sorted(places)


def test_what_was_taken_is_kept_and_then_nothing_has_changed(out: Path) -> None:
    def concerns(name: str) -> bool:
        return "elsewhere" not in name

    keep(out, compare(out, concerns))
    assert str(compare(out, concerns)) == "0 changed, 0 new, 0 gone, 4 unchanged"
    assert "page/elsewhere.png" in pictures(out / STORED), "what was not taken again stays"
