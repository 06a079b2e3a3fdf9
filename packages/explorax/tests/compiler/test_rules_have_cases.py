"""No rule without a test: what the cases of the tests beside this one are lowered to."""

import importlib
from pathlib import Path

import jax
import pytest
from tests.compiler.fuzzing.check import lowered, primitives
from tests.compiler.fuzzing.reference import nested

from explorax.compiler.rules import RULES
from explorax.compiler.substitution import FACTORISATIONS

NOT_IN_THE_OLDEST = {"stack", "tile", "unstack"} if jax.__version_info__ < (0, 10) else set()


@pytest.mark.slow
def test_every_rule_has_a_case():
    missing = set(RULES) - NOT_IN_THE_OLDEST
    for path in Path(__file__).parent.glob("test_*_rules.py"):
        for function, *arguments in importlib.import_module(
            f"tests.compiler.{path.stem}"
        ).CASES.values():
            with jax.enable_x64(True):
                equations = jax.make_jaxpr(function)(*arguments).jaxpr.eqns
            traced = {inner.primitive.name for each in equations for inner in nested(each)}
            if traced & FACTORISATIONS.keys():  # others stand in their place
                missing -= traced & FACTORISATIONS.keys()
            elif missing & traced:
                missing -= set(primitives(lowered(function, arguments).graph))
    assert missing == set()
