"""A compiler that writes one operation wrongly is found out by the cases of the rules."""

import re
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

import jax
import numpy as np
import pytest
from tests.compiler.fuzzing.check import same
from tests.compiler.test_rules import programs
from tests.run_in_node import RunInNode

from explorax.compiler import ir
from explorax.compiler.emit import emit
from explorax.compiler.graph import build
from explorax.compiler.lower import lower
from explorax.compiler.operations import OPERATIONS, form
from explorax.compiler.passes import improve
from explorax.compiler.rules import RULES
from explorax.compiler.trace import trace
from explorax.compiler.traverse import own_nodes, walk
from explorax.node import NodeError

UNREACHED = {
    "eq_to of *": "no public function of JAX has it",
    "eq_to of bool": "no public function of JAX has it",
    "word of uint32": "JAX's older way to draw has it, see test_values.py",
}
WRONG = {"{0}": "{0} + 1", "{0} ? {1} : {2}": "{0} ? {2} : {1}", "+{0}": "0 * {0}"}
SWAPPED = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "-", "**": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "===": "!==", "!==": "===", "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|",
    "<<": ">>", ">>": "<<", ">>>": "<<",
}  # fmt: skip


def broken(text):
    """Return another operation than the one written so."""
    if text in WRONG or re.fullmatch(r"[-~!]\{0\}", text):
        return WRONG.get(text, "{0}")
    if text.startswith(("Math.max", "Math.min")):
        return text.translate(str.maketrans("axin", "inax"))
    sign = re.search(r"(?<=[}\d] )([-+*/%<>=!&|^]+)(?= [!{\d-])", text)
    if sign:
        return text[: sign.start()] + SWAPPED[sign[0]] + text[sign.end() :]
    return f"[{', '.join(sorted(set(re.findall('{[0-9]}', text))))}][0]"  # a call left out


class Specimen:
    """A program of cases, and its results when nothing is broken."""

    def __init__(self, cases, options, run):
        def together(given):
            return {name: cases[name][0](*arguments) for name, arguments in given.items()}

        arguments = {name: case[1:] for name, case in cases.items()}
        self.run, self.rtol = run, options["rtol"]
        self.trace = trace(together, arguments, dtype=options["dtype"])
        self.module = improve(lower(build(self.trace.jaxpr), self.trace, RULES))
        self.calls = [
            [np.asarray(x).astype(i.dtype) for x, i in zip(leaves, self.trace.inputs, strict=True)]
            for leaves in map(jax.tree.leaves, ([arguments], *options["calls"]))
        ]
        self.expected = self.results()

    def results(self):
        text = emit(self.module, self.trace.inputs, self.trace.outputs)
        found = self.run(text, self.calls, [leaf.dtype for leaf in self.trace.outputs])
        return [leaf for results in found for leaf in results]

    def used(self):
        """Return the forms of operations that the program has, by their ``id``."""
        nodes = (node for statement in walk(self.module.body) for node in own_nodes(statement))
        applied = (node for node in nodes if isinstance(node, ir.Apply))
        return {id(form(node.operation, node.arguments[0].dtype)) for node in applied}

    def notices(self):
        """Tell whether the results have changed."""
        try:
            pairs = zip(self.results(), self.expected, strict=True)
            return not all(same(a, b, not self.rtol, self.rtol) for a, b in pairs)
        except NodeError:
            return True


@pytest.fixture(scope="module")
def run():
    with RunInNode(patience=1.0) as running:  # some broken programs never end
        yield running


@pytest.mark.exhaustive
def test_each_operation_that_is_broken_is_noticed(run):
    users, unnoticed = defaultdict(list), set()
    for parameters in programs():
        specimen = Specimen(*parameters.values, run)
        for each in specimen.used():
            users[each].append(specimen)
    for operation, by_family in OPERATIONS.items():
        for right in {id(each): each for each in by_family.values()}.values():
            places = [family for family, each in by_family.items() if each is right]
            wrong = replace(right, text=broken(right.text))
            with ExitStack() as stack:
                for forms in OPERATIONS.values():
                    same_form = [family for family, each in forms.items() if each is right]
                    stack.enter_context(patch.dict(forms, dict.fromkeys(same_form, wrong)))
                if not any(specimen.notices() for specimen in users[id(right)]):
                    unnoticed.add(f"{operation} of {places[0]}")
    assert unnoticed == UNREACHED.keys()
