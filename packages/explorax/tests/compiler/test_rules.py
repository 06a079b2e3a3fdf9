"""Every rule: Node and JAX on a table of cases for each family of primitives."""

import importlib
from collections import Counter, defaultdict
from pathlib import Path

import jax
import pytest
from tests.compiler.fuzzing.check import primitives
from tests.compiler.fuzzing.reference import nested

from explorax.compiler import compile
from explorax.compiler.graph import build
from explorax.compiler.rules import RULES
from explorax.compiler.substitution import FACTORISATIONS

FAMILIES = {
    path.stem: importlib.import_module(f"tests.compiler.cases.{path.stem}")
    for path in sorted(Path(__file__).with_name("cases").glob("*.py"))
}
TOGETHER = 10  # cases in one program: compiling each by itself takes longer


def programs():
    """Cases that are compared together: of one family, with the same precision and tolerance."""
    groups, counts = defaultdict(dict), Counter()
    for family, module in FAMILIES.items():
        for table in ("CASES", "EXACT"):
            for name, case in getattr(module, table, {}).items():
                later = table == "CASES" and name not in getattr(module, "NOW", module.CASES)
                key = family, table, "float32" in name, later
                groups[*key, counts[key] // TOGETHER][name] = case
                counts[key] += 1
    for (family, table, single, later, _), cases in groups.items():
        tolerance = getattr(FAMILIES[family], "RTOL", 1e-12)
        options = {
            "dtype": "float32" if single else "float64",
            "rtol": 0 if table == "EXACT" else 1e-6 if single else tolerance,
            "calls": [
                [dict.fromkeys(cases, call)] for call in getattr(FAMILIES[family], "CALLS", ())
            ],
        }
        marks = [pytest.mark.exhaustive] if later else []
        yield pytest.param(cases, options, marks=marks, id=f"{family}, from {next(iter(cases))}")


@pytest.mark.slow
@pytest.mark.parametrize(("cases", "options"), list(programs()))
def test_node_agrees_with_jax(cases, options, agree):
    def together(given):
        return {name: cases[name][0](*arguments) for name, arguments in given.items()}

    agree(together, {name: case[1:] for name, case in cases.items()}, **options)


@pytest.mark.exhaustive
def test_every_rule_has_a_case():
    missing = set(RULES)
    for module in FAMILIES.values():
        for function, *arguments in module.CASES.values():
            with jax.enable_x64(True):
                equations = jax.make_jaxpr(function)(*arguments).jaxpr.eqns
            traced = {inner.primitive.name for each in equations for inner in nested(each)}
            missing -= traced & FACTORISATIONS.keys()  # others stand in their place
            if missing & traced:
                missing -= set(primitives(build(compile(function, *arguments).jaxpr)))
    assert not missing
