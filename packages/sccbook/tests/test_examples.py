"""The examples in docstrings run, and what chapters import from outside the figures has one."""

import doctest
from importlib import import_module

import pytest

PUBLIC = {
    "sccbook.exercises": ("Result", "check", "personal_numbers", "points", "variant"),
    "sccbook.records": ("load",),
    "sccbook.style": ("palette",),
}


@pytest.mark.parametrize("package", PUBLIC)
def test_the_examples_of_public_functions_run(package):
    runner = doctest.DocTestRunner()
    for name in PUBLIC[package]:
        public = getattr(import_module(package), name)
        (test,) = (t for t in doctest.DocTestFinder().find(public) if t.examples)
        assert runner.run(test).failed == 0
