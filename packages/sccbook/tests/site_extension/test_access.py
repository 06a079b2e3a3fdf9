"""The theme's HTML is fixed, and nothing else."""

import pytest

from sccbook.site.access import fixed

SEARCH = (
    '<button class="btn search-button-field pst-js-only" title="Search"{} data-bs-toggle="tooltip">'
)
SIDEBAR = '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar"{}>'


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            SEARCH.format(' aria-label="Search"'),
            SEARCH.format(""),
        ),  # it isn't what is written there
        (SIDEBAR.format(""), SIDEBAR.format(' role="region" aria-label="The book"')),
        ('<div role="doc-biblioentry">', '<div role="listitem">'),
        ('<button aria-label="Search">', '<button aria-label="Search">'),
    ],
)
def test_labels_and_roles_that_do_not_fit_are_fixed_once(page: str, expected: str) -> None:
    assert fixed(page) == fixed(expected) == expected
