"""The examples in the package's docstrings run, and what a reader begins with has one."""

import doctest
import pkgutil
from importlib import import_module

import jax
import pytest

import explorax
from explorax.compiler import compile

MODULES = [
    found.name
    for found in pkgutil.walk_packages(explorax.__path__, "explorax.")
    if not found.name.endswith("frontend.building")
]


def test_the_examples_of_the_package_run():
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    with jax.enable_x64(False):
        for name in MODULES:
            for test in doctest.DocTestFinder().find(import_module(name)):
                assert runner.run(test).failed == 0, test.name
    assert runner.tries > 30


@pytest.mark.parametrize("name", [*explorax.__all__, "compile"])
def test_what_is_public_has_an_example(name):
    assert ">>>" in getattr(explorax, name, compile).__doc__
