"""The examples in docstrings run, and every public function has one."""

from __future__ import annotations

import doctest
import inspect
import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import jax
import pytest

os.environ.setdefault("KERAS_BACKEND", "jax")

PACKAGES = ["ops", "transforms", "probe", "ledger", "keras", "figure"]
NEEDS = {"torch": "torch"}


def public(module: ModuleType) -> list[object]:
    """Return the functions and classes that a package exports."""
    exported = [getattr(module, name) for name in module.__all__]
    return [each for each in exported if inspect.isroutine(each) or inspect.isclass(each)]


@pytest.mark.parametrize("name", [*PACKAGES, "torch"])
def test_the_examples_of_a_package_run(name):
    if not find_spec(NEEDS.get(name, "jax")):
        pytest.skip("PyTorch is not installed here")
    package = import_module(f"scaleclip.{name}")
    objects = {f"{each.__module__}.{each.__qualname__}": each for each in public(package)}
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    without = []
    with jax.enable_x64(False):
        for where, each in {f"scaleclip.{name}": package, **objects}.items():
            found = [test for test in finder.find(each, where) if test.examples]
            if each is not package and not found:
                without.append(where)
            for test in found:
                assert runner.run(test).failed == 0, test.name
    assert not without
