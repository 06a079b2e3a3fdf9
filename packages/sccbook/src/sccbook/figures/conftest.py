"""The figure that a file of tests is about, by the file's name: ``test_two_paths`` is of ``TwoPaths``."""

import pytest
from tests.book_figures import made, shown


@pytest.fixture(scope="module")
def name(request):
    """The figure's name."""
    file = request.module.__name__.rpartition("test_")[2]
    return "".join(word.capitalize() for word in file.split("_"))


@pytest.fixture(scope="module")
def figure(name):
    """The figure itself, at the settings of whatever test was before."""
    return made(name)


@pytest.fixture(scope="module")
def at(name):
    """The figure's results at some settings, the others as they start: ``at(scale=0.5)["total"]``."""
    return lambda **settings: shown(name, **settings).value
