"""A page carries no pictures that nobody sees: stills are files, and later figures are drawn later."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

from sccbook.site.stills import lightened

LIVE = '<svg class="gl-picture gl-wide" data-layout="wide" viewBox="0 0 688 340" width="688"><g class><path class d="M0 0"/></g></svg>'
STILLS = f'<div class="gl-stills"><p>A state.</p><div class="gl-still">{LIVE}</div></div>'
FIGURE = f'<figure class="gl-figure" id="gl-1"><div class="gl-root">{LIVE}</div>{STILLS}<script type="application/json" class="gl-description">{{}}</script></figure>'


def test_stills_are_files_for_readers_without_scripts() -> None:
    light, files = lightened(FIGURE, ".gl-picture{color:red}", "../_images")
    ((name, text),) = files.items()
    assert f'src="../_images/{name}"' in light
    assert '<noscript><div class="gl-stills"><p>A state.</p>' in light
    assert LIVE in light
    assert "<style>.gl-picture{color:red}</style>" in text
    picture = fromstring(text)  # XML, where an attribute without a value would be a fault
    assert picture.get("viewBox") == "0 0 688 340"
    assert [path.get("d") for path in picture.iter("{http://www.w3.org/2000/svg}path")] == ["M0 0"]


def test_later_figures_keep_only_the_space_of_their_picture() -> None:
    light, _ = lightened(FIGURE, "", "_images", first=False)
    assert "<path" not in light
    assert 'viewBox="0 0 688 340"' in light
    assert "gl-description" in light
