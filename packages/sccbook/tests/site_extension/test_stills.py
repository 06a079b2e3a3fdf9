"""Pictures that nobody sees in a page are not in it: stills are files, and what is far below is drawn later."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

from sccbook.site.stills import lightened

LIVE = '<svg class="gl-picture gl-wide" data-layout="wide" viewBox="0 0 688 340" width="688"><g class><path class d="M0 0"/></g></svg>'
STILLS = f'<div class="gl-stills"><p>A state.</p><div class="gl-still">{LIVE}</div></div>'
FIGURE = f'<figure class="gl-figure" id="gl-1"><div class="gl-root">{LIVE}</div>{STILLS}<script type="application/json" class="gl-description">{{}}</script></figure>'
PAGE = f"<main><p>One.</p>{FIGURE}<p>Two.</p>{FIGURE}<p>End.</p></main>"


def test_stills_are_files_for_readers_without_scripts() -> None:
    page, files = lightened(PAGE, ".gl-picture{color:red}", "../_images")
    ((name, text),) = files.items()  # both show the same
    assert page.count(f'src="../_images/{name}"') == 2
    assert page.count('<noscript><div class="gl-stills"><p>A state.</p>') == 2
    assert "<style>.gl-picture{color:red}</style>" in text
    picture = fromstring(text)  # XML, where an attribute without a value would be a fault
    assert picture.get("viewBox") == "0 0 688 340"
    assert [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")] == ["M0 0"]


def test_below_the_first_figure_a_picture_leaves_its_room_alone() -> None:
    page, _ = lightened(PAGE, "", "_images")
    first, second = page.split("Two.")
    assert LIVE in first
    assert "<path" not in second
    assert 'viewBox="0 0 688 340"' in second
    assert [page.count(words) for words in ("One.", "Two.", "End.", "gl-description")] == [
        1,
        1,
        1,
        2,
    ]


def test_a_second_time_changes_nothing() -> None:
    page, _ = lightened(PAGE, "", "_images")
    assert lightened(page, "", "_images") == (page, {})
