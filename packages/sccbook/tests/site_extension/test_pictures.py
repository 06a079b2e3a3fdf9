"""Pictures of pages: stills are files, plots are light."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from sccbook import style
from sccbook.site.gallery import told
from sccbook.site.plots import lighter
from sccbook.site.stills import lightened, without_repeats

LIVE = '<svg class="gl-picture gl-wide" data-layout="wide" viewBox="0 0 688 340" width="688"><g class><path class d="M0 0"/></g></svg>'
STILLS = f'<div class="gl-stills"><p>A state.</p><div class="gl-still">{LIVE}</div></div>'
DRAWN = f'<figure class="gl-figure" id="gl-1"><div class="gl-root">{LIVE}</div>{STILLS}<script type="application/json" class="gl-description">{{}}</script></figure>'


def test_stills_are_files_for_readers_without_scripts() -> None:
    light, files = lightened(DRAWN, ".gl-picture{color:red}", "../_images")
    ((name, text),) = files.items()
    assert f'src="../_images/{name}"' in light
    assert '<noscript><div class="gl-stills"><p>A state.</p>' in light
    assert LIVE in light
    assert "<style>.gl-picture{color:red}</style>" in text
    picture = fromstring(text)  # XML, where an attribute without a value would be a fault
    assert picture.get("viewBox") == "0 0 688 340"
    assert [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")] == ["M0 0"]


def test_later_figures_keep_only_the_space_of_their_picture() -> None:
    light, _ = lightened(DRAWN, "", "_images", first=False)
    assert "<path" not in light
    assert 'viewBox="0 0 688 340"' in light
    assert "gl-description" in light


def test_what_an_earlier_figure_of_the_page_has_is_sent_once() -> None:
    first, second, other = (
        {"name": name, "program": program * 2000, "settings": settings}
        for name, program, settings in (("F", "<", 1), ("G", "<", 1), ("H", ">", 2))
    )
    seen: dict[tuple[str, str], int] = {}
    sent = [
        without_repeats(json.dumps(each), n, seen) for n, each in enumerate((first, second, other))
    ]
    assert sent[0] == json.dumps(first)
    assert json.loads(sent[1]) == {"name": "G", "settings": 1, "same": {"program": 0}}
    assert sent[2] == json.dumps(other)


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=int)


def test_a_plot_is_a_third_as_heavy_and_looks_the_same(tmp_path: Path) -> None:
    plot = tmp_path / "plot.png"
    with mpl.rc_context():
        style.use()
        figure, axes = plt.subplots()
        axes.plot(np.sin(np.linspace(0, 9, 90)[:, None] + np.arange(6)), label=list("abcdef"))
        axes.legend()
        figure.savefig(plot, dpi=100)
        plt.close(figure)
    before, stored = pixels(plot), lighter(plot)
    off = np.abs(pixels(stored) - before)
    assert stored.stat().st_size < plot.stat().st_size / 3
    assert off.max() <= 40  # of 255, at the rims of lines: a thin line keeps its hue
    assert off.mean() < 0.6
    assert not off[np.all(before == before[0, 0], axis=2)].any(), "the paper keeps its colour"


def test_transparent_pictures_and_photos_are_left_alone(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (200, 200, 3), dtype=np.uint8)
    glass = np.zeros((20, 20, 4), dtype=np.uint8)
    for name, data in (("photo", noise), ("glass", glass)):
        path = tmp_path / f"{name}.png"
        Image.fromarray(data).save(path)
        assert lighter(path) == path


CHAPTER = """<section><h1>Clipping<a>#</a></h1>
<p><strong>How long may a gradient be?</strong></p>
<details class="objectives"><summary>What you will learn · 45 minutes</summary></details>"""
LINK = '<a class="reference internal" href="{}"><span>08 Clipping</span></a>'
PAGE = '<div class="gallery docutils container"><ul><li><p>{}</p></li></ul></div><p>{}</p>'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    for folder in ("book", "notebooks"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notebooks" / "08_clipping.html").write_text(CHAPTER, encoding="utf-8")
    return tmp_path


def test_a_link_in_a_gallery_has_its_chapters_question_and_minutes(book: Path) -> None:
    link = LINK.format("../notebooks/08_clipping.html")
    made = told(PAGE.format(link, link), book / "book", book)
    gallery, rest = made.split("</div>")
    assert "How long may a gradient be?" in gallery
    assert "45 min" in gallery
    assert rest == f"<p>{link}</p>", "a link elsewhere stays as it is"
    assert told(made, book / "book", book) == made, "built again, nothing comes twice"


@pytest.mark.parametrize("to", ["../notebooks/99_missing.html", "../../elsewhere.html"])
def test_a_link_to_no_page_of_the_book_stays_as_it_is(book: Path, to: str) -> None:
    (book.parent / "elsewhere.html").write_text(CHAPTER, encoding="utf-8")
    page = PAGE.format(LINK.format(to), "")
    assert told(page, book / "book", book) == page
