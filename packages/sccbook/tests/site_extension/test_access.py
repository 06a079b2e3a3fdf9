"""Mends of the theme's HTML, and of nothing else."""

from sccbook.site.access import mended

SEARCH = (
    '<button class="btn search-button-field pst-js-only" title="Search"{} data-bs-toggle="tooltip">'
)


def test_a_name_that_is_not_what_is_written_goes():
    assert mended(SEARCH.format(' aria-label="Search"')) == SEARCH.format("")


def test_the_sidebar_is_a_landmark_and_the_list_of_sources_has_items():
    sidebar = '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar">'
    assert 'role="region" aria-label="The book"' in mended(sidebar)
    assert mended('<div role="doc-biblioentry">') == '<div role="listitem">'


def test_mending_twice_is_mending_once_and_other_names_stay():
    page = SEARCH.format(' aria-label="Search"') + '<button aria-label="Search">'
    assert mended(mended(page)) == mended(page)
    assert mended(page).endswith('<button aria-label="Search">')
