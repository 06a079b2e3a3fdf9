"""Parentheses where JavaScript needs them, and nowhere else."""

import random

import numpy as np
import pytest

from explorax.compiler.precedence import ATOM, parenthesize, precedences


@pytest.mark.parametrize(
    ("template", "operands", "expected"),
    [
        ("{0} + {1}", ["a * b", "c * d"], "a * b + c * d"),
        ("{0} * {1}", ["a + b", "c"], "(a + b) * c"),
        ("{0} - {1}", ["a - b", "c - d"], "a - b - (c - d)"),
        ("-{0}", ["-a"], "-(-a)"),
        ("Math.max({0}, {1})", ["a + b", "a ? b : c"], "Math.max(a + b, a ? b : c)"),
        ("{0} ? {1} : {2}", ["a < b", "a ? b : c", "a ? b : c"], "a < b ? a ? b : c : a ? b : c"),
        ("1 / (1 + Math.exp(-{0}))", ["a + b"], "1 / (1 + Math.exp(-(a + b)))"),
        ("{0} ** {1}", ["-a", "b"], "(-a) ** b"),
        ("{0} | 0", ["a + b"], "a + b | 0"),
    ],
)
def test_parentheses_are_written_where_needed(template, operands, expected):
    texts = [(text, precedences(text)[0]) for text in operands]
    assert parenthesize(template, *texts)[0] == expected


TEMPLATES = ["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "-{0}", "!{0}", "{0} ? {1} : {2}",
             "{0} | 0", "{0} >>> 0", "{0} && {1}", "{0} < {1}", "{0} === {1}", "{0} ** {1}",
             "Math.max({0}, {1})", "{0} << {1}", "{0} & {1}", "{0} ^ {1}", "+{0}", "{0} % {1}"]  # fmt: skip


def test_sparse_parentheses_mean_what_full_ones_mean(run_in_node):
    draw = random.Random(0)

    def tree(depth):
        """The same expression as printed, and with every parenthesis."""
        if depth == 0:
            name = draw.choice(["a", "b", "c", "3"])
            return (name, ATOM), name
        template = draw.choice(TEMPLATES)
        inner = [tree(draw.randrange(depth)) for _ in range(len(precedences(template)[1]))]
        sparing = parenthesize(template, *(text for text, _ in inner))
        return sparing, template.format(*(f"({text})" for _, text in inner))

    pairs = [(sparing, full) for (sparing, _), full in (tree(5) for _ in range(400))]
    arrays = [f"Float64Array.of({', '.join(texts)})" for texts in zip(*pairs, strict=True)]
    program = f"export function evaluate(a, b, c) {{ return [{', '.join(arrays)}]; }}"
    ((sparing, full),) = run_in_node(program, [[2.5, -3.0, 7.0]])
    np.testing.assert_array_equal(sparing, full)
    np.testing.assert_array_equal(np.signbit(sparing), np.signbit(full))
