"""The made-up book, built once for the tests that read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.site_extension.made_up import PAGES, Book, build


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Build the book."""
    return Book(*build(tmp_path_factory.mktemp("made_up"), PAGES))


@pytest.fixture
def open_made_up(book: Book, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a page of the book in a browser."""
    return lambda name, **options: open_page(book.url(name), **options)
