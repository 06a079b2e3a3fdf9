"""How each scalar operation is written in JavaScript: one table.

An operation is looked up by its name and the family of its first operand. The text of a form
has ``{0}``, ``{1}`` ... where its operands stand; the printer puts these in parentheses where
they need them, and rounds the result to its dtype unless the form says that it is exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FAMILIES = {
    "float64": "float",
    "float32": "float",
    "int64": "int64",
    "int32": "int32",
    "uint32": "uint32",
    "uint64": "uint64",
    "bool": "bool",
}

# What makes an expression of an operation a value of its dtype.
ROUNDING = {
    "float32": "Math.fround({0})",
    "int32": "{0} | 0",
    "uint32": "{0} >>> 0",
    "uint64": "BigInt.asUintN(64, {0})",
}


@dataclass(frozen=True)
class Form:
    """An operation for one family of operands.

    Attributes:
      text: the template.
      helpers: the names in ``HELPERS`` that it calls.
      exact: whether operands of the result's dtype always give a value of that dtype.
    """

    text: str
    helpers: tuple[str, ...] = ()
    exact: bool = False


def _maths(name: str) -> dict[str, Form]:
    return {"*": Form(f"Math.{name}({{0}})")}


def _comparison(sign: str, of_booleans: str | None = None) -> dict[str, Form]:
    forms = {"*": Form(f"{{0}} {sign} {{1}}", exact=True)}
    return forms | ({"bool": Form(of_booleans, exact=True)} if of_booleans else {})


OPERATIONS: dict[str, dict[str, Form]] = {
    # indices: small integers
    "index_add": {"*": Form("{0} + {1}", exact=True)},
    "index_mul": {"*": Form("{0} * {1}", exact=True)},
    # arithmetic
    "add": {"*": Form("{0} + {1}")},
    "sub": {"*": Form("{0} - {1}")},
    "mul": {
        "float": Form("{0} * {1}"),
        "int64": Form("{0} * {1} + 0"),  # an integer has no -0
        "int32": Form("Math.imul({0}, {1})", exact=True),
        "uint32": Form("Math.imul({0}, {1})"),
        "uint64": Form("{0} * {1}"),
    },
    "div": {
        "float": Form("{0} / {1}"),
        "int64": Form("integer_div({0}, {1})", ("integer_div",)),
        "int32": Form("integer_div({0}, {1})", ("integer_div",)),
    },
    "neg": {"float": Form("-{0}", exact=True), "*": Form("0 - {0}")},
    "abs": {"*": Form("Math.abs({0})")},
    "sign": {"*": Form("Math.sign({0})", exact=True)},
    "floor": {"*": Form("Math.floor({0})", exact=True)},
    "max": {"*": Form("Math.max({0}, {1})", exact=True)},
    "min": {"*": Form("Math.min({0}, {1})", exact=True)},
    # functions
    "sqrt": _maths("sqrt"),
    "rsqrt": {"*": Form("1 / Math.sqrt({0})")},
    "exp": _maths("exp"),
    "expm1": _maths("expm1"),
    "log": _maths("log"),
    "log1p": _maths("log1p"),
    "logistic": {"*": Form("1 / (1 + Math.exp(-{0}))")},
    "sin": _maths("sin"),
    "cos": _maths("cos"),
    "tan": _maths("tan"),
    "tanh": _maths("tanh"),
    # comparisons and logic
    "eq": _comparison("===", "!{0} === !{1}"),
    "ne": _comparison("!==", "!{0} !== !{1}"),
    "lt": _comparison("<"),
    "le": _comparison("<="),
    "gt": _comparison(">"),
    "ge": _comparison(">="),
    "and": {"bool": Form("{0} && {1}", exact=True)},
    "or": {"bool": Form("{0} || {1}", exact=True)},
    "not": {"bool": Form("!{0}", exact=True)},
    "is_finite": {"*": Form("Number.isFinite({0})", exact=True)},
    "select": {"*": Form("{0} ? {1} : {2}", exact=True)},
    # conversions: from the operand's family to the result's dtype
    "truth": {"*": Form("{0} !== 0", exact=True)},
    "number": {"*": Form("{0}"), "bool": Form("+{0}", exact=True)},
}

# Functions that forms call, each after those that it calls itself.
HELPERS: dict[str, str] = {
    "integer_div": "const integer_div = (a, b) => (b === 0 ? -1 : Math.trunc(a / b) + 0);",
}


def form(operation: str, dtype: str) -> Form:
    """The form of an operation on operands of ``dtype``; a KeyError where there is none."""
    forms = OPERATIONS[operation]
    family = FAMILIES[dtype]
    return forms[family] if family in forms else forms["*"]


def needed(helper: str) -> tuple[str, ...]:
    """A helper's name and those of the helpers that its text mentions, and so on."""
    words = set(re.findall(r"\w+", HELPERS[helper]))
    others = [name for name in HELPERS if name in words and name != helper]
    return (helper, *(name for other in others for name in needed(other)))
