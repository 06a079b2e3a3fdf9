"""The document that follows one function through the compiler prints what it says."""

import doctest
from pathlib import Path

import explorax.compiler


def test_the_walk_prints_what_it_says():
    walk = Path(explorax.compiler.__file__).with_name("WALK.md")
    failed, attempted = doctest.testfile(str(walk), False, optionflags=doctest.ELLIPSIS)
    assert (failed, attempted > 15) == (0, True)
