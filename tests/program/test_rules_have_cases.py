"""No rule without a test: what the cases of the tests beside this one are lowered to."""

import importlib
from pathlib import Path

import jax
import pytest

from gradlab.program.rules import RULES
from tests.program.fuzzing.check import lowered, primitives

NOT_IN_THE_OLDEST = {"stack", "tile", "unstack"} if jax.__version_info__ < (0, 10) else set()


@pytest.mark.slow
def test_every_rule_has_a_case():
    missing = set(RULES) - NOT_IN_THE_OLDEST
    for path in Path(__file__).parent.glob("test_*_rules.py"):
        for function, *arguments in importlib.import_module(
            f"tests.program.{path.stem}"
        ).CASES.values():
            missing -= set(primitives(lowered(function, arguments).graph))
    assert missing == set()
