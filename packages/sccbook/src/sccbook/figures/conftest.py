"""The figure that a file of tests is about, by the file's name: ``test_two_arms`` is of ``TwoArms``."""

from __future__ import annotations

from typing import Any

import pytest
from tests.book_figures import made, shown

from explorax.figure.widget import Figure


@pytest.fixture(scope="module")
def name(request: pytest.FixtureRequest) -> str:
    """The figure's name."""
    file = request.module.__name__.rpartition("test_")[2]
    return "".join(word.capitalize() for word in file.split("_"))


@pytest.fixture(scope="module")
def figure(name: str) -> Figure:
    """The figure itself, at the settings of whatever test was before."""
    return made(name)


@pytest.fixture(scope="module")
def at(name: str) -> Any:
    """The figure's results at some settings, the others as they start: ``at(scale=0.5)["total"]``."""
    return lambda **settings: shown(name, **settings).value
