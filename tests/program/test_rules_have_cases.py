"""No rule without a test: what the cases of the tests beside this one trace."""

import importlib.util
from pathlib import Path

import jax
import pytest

from gradlab.program.graph import Graph, build
from gradlab.program.rules import RULES
from gradlab.program.trace import trace

FAMILIES = {
    "conversions": "test_integer_rules",
    "cumulative": "test_ordering_rules",
    "elementwise": "test_elementwise_rules",
    "dynamic": "test_indexing_rules",
    "gathering": "test_indexing_rules",
    "indexing": "test_indexing_rules",
    "linear": "test_linear_rules",
    "integers": "test_integer_rules",
    "ordering": "test_ordering_rules",
    "parts": "test_indexing_rules",
    "random": "test_random_rules",
    "reductions": "test_reduction_rules",
    "windows": "test_reduction_rules",
}

NOT_IN_THE_OLDEST = {"stack", "tile", "unstack"}  # primitives of newer releases of JAX


def cases(name):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CASES


def primitives(graph):
    """The names of the primitives that are lowered, bodies included."""
    for equation in graph.equations:
        yield equation.primitive.name
        for value in equation.params.values():
            for body in value if isinstance(value, tuple) else (value,):
                if isinstance(body, Graph):
                    yield from primitives(body)


@pytest.mark.parametrize("test", sorted(set(FAMILIES.values())))
def test_every_rule_has_a_case(test):
    modules = {f"gradlab.program.rules.{name}" for name, of in FAMILIES.items() if of == test}
    missing = {name for name, rule in RULES.items() if rule.__module__ in modules}
    if jax.__version_info__ < (0, 10):
        missing -= NOT_IN_THE_OLDEST
    slow_last = sorted(cases(test).items(), key=lambda case: "of" in case[0])
    for _, (function, *arguments) in slow_last:
        missing -= set(primitives(build(trace(function, *arguments).jaxpr)))
        if not missing:
            return
    assert missing == set()
