"""The theme's HTML is fixed, and nothing else."""

from sccbook.site.access import fixed

SEARCH = (
    '<button class="btn search-button-field pst-js-only" title="Search"{} data-bs-toggle="tooltip">'
)


def test_a_label_that_differs_from_the_text_is_removed():
    assert fixed(SEARCH.format(' aria-label="Search"')) == SEARCH.format("")


def test_the_sidebar_is_a_landmark_and_the_list_of_sources_has_items():
    sidebar = '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar">'
    assert 'role="region" aria-label="The book"' in fixed(sidebar)
    assert fixed('<div role="doc-biblioentry">') == '<div role="listitem">'


def test_fixing_twice_is_fixing_once_and_other_labels_stay():
    page = SEARCH.format(' aria-label="Search"') + '<button aria-label="Search">'
    assert fixed(fixed(page)) == fixed(page)
    assert fixed(page).endswith('<button aria-label="Search">')
