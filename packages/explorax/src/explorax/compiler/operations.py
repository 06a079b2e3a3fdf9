"""The table of scalar operations: how each is written in JavaScript.

An operation is looked up by its name and the dtype of its first operand, then by the dtype's
family. The text of a form has ``{0}``, ``{1}`` ... where its operands stand; the printer puts
these in parentheses where they need them, and rounds the result to its dtype unless the form
says that it is exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from explorax.compiler.helpers import HELPERS as HELPERS

FAMILIES = {
    "float64": "float",
    "float32": "float",
    "int64": "int64",
    "int32": "int32",
    "int16": "small",
    "int8": "small",
    "uint64": "uint64",  # a BigInt
    "uint32": "uint32",
    "uint16": "small",
    "uint8": "small",
    "bool": "bool",
}

# What makes an expression of an operation a value of its dtype.
ROUNDING = {
    "float32": "Math.fround({0})",
    "int32": "{0} | 0",
    "int16": "{0} << 16 >> 16",
    "int8": "{0} << 24 >> 24",
    "uint64": "BigInt.asUintN(64, {0})",
    "uint32": "{0} >>> 0",
    "uint16": "{0} & 65535",
    "uint8": "{0} & 255",
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
    return {"float": Form(f"Math.{name}({{0}})")}


def _helper(name: str, operands: int = 1, exact: bool = False) -> Form:
    return Form(f"{name}({', '.join(f'{{{i}}}' for i in range(operands))})", (name,), exact)


def _comparison(sign: str, of_booleans: str | None = None) -> dict[str, Form]:
    form = Form(f"{{0}} {sign} {{1}}", exact=True)
    forms = {"*": form, "uint64": form}
    return forms | ({"bool": Form(of_booleans, exact=True)} if of_booleans else {})


def _in_total_order(text: str) -> dict[str, Form]:
    return {"float": Form(text, ("before",) if "before" in text else (), exact=True)}


def _bitwise(sign: str, name: str, of_booleans: str) -> dict[str, Form]:
    form = Form(f"{{0}} {sign} {{1}}")
    return {
        "*": form,
        "int32": Form(form.text, exact=True),
        "int64": _helper(f"{name}_int64", 2),
        "uint64": Form(form.text, exact=True),
        "bool": Form(of_booleans, exact=True),
    }


def _power(times: str) -> Form:
    return Form(f"integer_power({{0}}, {{1}}, (a, b) => {times})", ("integer_power",), exact=True)


def _whole(low: str, high: str) -> dict[str, Form]:
    return {"float": Form(f"whole({{0}}, {low}, {high})", ("whole",), exact=True)}


OPERATIONS: dict[str, dict[str, Form]] = {
    # indices: small integers
    "index_add": {"*": Form("{0} + {1}", exact=True)},
    "index_mul": {"*": Form("{0} * {1}", exact=True)},
    # arithmetic
    "add": {"*": Form("{0} + {1}"), "uint64": Form("{0} + {1}")},
    "sub": {"*": Form("{0} - {1}"), "uint64": Form("{0} - {1}")},
    "mul": {
        "*": Form("{0} * {1}"),
        "int64": Form("{0} * {1} + 0"),  # an integer has no -0
        "int32": Form("Math.imul({0}, {1})", exact=True),
        "uint32": Form("Math.imul({0}, {1})"),
        "uint64": Form("{0} * {1}"),
    },
    "div": {
        "float": Form("{0} / {1}"),
        "*": _helper("integer_div", 2),
        "uint64": _helper("wide_div", 2),
    },
    "rem": {
        "float": Form("{0} % {1}", exact=True),
        "*": _helper("integer_rem", 2, exact=True),
        "uint64": _helper("wide_rem", 2, exact=True),
    },
    "neg": {"float": Form("-{0}", exact=True), "*": Form("0 - {0}"), "uint64": Form("-{0}")},
    "abs": {"float": Form("Math.abs({0})", exact=True), "*": Form("Math.abs({0})")},
    "sign": {"*": Form("Math.sign({0})", exact=True)},
    "max": {"*": Form("Math.max({0}, {1})", exact=True)},
    "min": {"*": Form("Math.min({0}, {1})", exact=True)},
    "integer_pow": {
        "float64": _power("a * b"),
        "float32": _power("Math.fround(a * b)"),
        "int64": _power("a * b + 0"),
        "int32": _power("Math.imul(a, b)"),
        "uint32": _power("Math.imul(a, b) >>> 0"),
    },
    # rounding and neighbours
    "floor": {"float": Form("Math.floor({0})", exact=True)},
    "ceil": {"float": Form("Math.ceil({0})", exact=True)},
    "round_even": {"float": _helper("round_even", exact=True)},
    "round_away": {"float": _helper("round_away", exact=True)},
    "fround": {"float": Form("Math.fround({0})", exact=True)},
    "nextafter": {
        "float64": Form("next_double({0}, {1})", ("next_double",), exact=True),
        "float32": Form("next_float({0}, {1})", ("next_float",), exact=True),
    },
    # functions
    "sqrt": _maths("sqrt"),
    "rsqrt": {"float": Form("1 / Math.sqrt({0})")},
    "cbrt": _maths("cbrt"),
    "pow": {"float": _helper("power", 2)},
    "pow_plain": {"float": Form("{0} ** {1}")},  # one operand is known, and not special
    "exp": _maths("exp"),
    "exp2": {"float": Form("2 ** {0}")},
    "expm1": _maths("expm1"),
    "log": _maths("log"),
    "log1p": _maths("log1p"),
    "logistic": {"float": Form("1 / (1 + Math.exp(-{0}))")},
    **{name: _maths(name) for name in ("sin", "cos", "tan", "asin", "acos", "atan")},
    **{name: _maths(name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")},
    "atan2": {"float": Form("Math.atan2({0}, {1})")},
    **{name: {"float": _helper(name)} for name in ("erf", "erfc", "erf_inv", "lgamma", "digamma")},
    "logaddexp": {"float": _helper("logaddexp", 2)},
    # comparisons and logic
    "eq": _comparison("===", "!{0} === !{1}"),
    "ne": _comparison("!==", "!{0} !== !{1}"),
    "lt": _comparison("<"),
    "le": _comparison("<="),
    "gt": _comparison(">"),
    "ge": _comparison(">="),
    "eq_to": _comparison("===", "!{0} === !{1}") | _in_total_order("Object.is({0}, {1})"),
    "lt_to": _comparison("<") | _in_total_order("before({0}, {1})"),
    "le_to": _comparison("<=") | _in_total_order("!before({1}, {0})"),
    "is_finite": {"float": Form("Number.isFinite({0})", exact=True)},
    "is_negative": {"float": _helper("is_negative", exact=True)},
    "select": {"*": Form("{0} ? {1} : {2}", exact=True)},
    # bits
    "and": _bitwise("&", "and", "{0} && {1}"),
    "or": _bitwise("|", "or", "{0} || {1}"),
    "xor": _bitwise("^", "xor", "!{0} !== !{1}"),
    "not": {
        "*": Form("~{0}"),
        "int64": Form("-1 - {0}", exact=True),
        "uint64": Form("~{0}"),
        "bool": Form("!{0}", exact=True),
    },
    "shift_left": {
        "*": _helper("shift_left", 2),
        "int64": _helper("shift_left_int64", 2),
        "uint64": _helper("wide_shift_left", 2),
    },
    "shift_right_arithmetic": {
        "int64": _helper("shift_right_int64", 2),
        "int32": _helper("shift_right", 2, exact=True),
        "int16": _helper("shift_right", 2, exact=True),
        "int8": _helper("shift_right", 2, exact=True),
    },
    "shift_right_logical": {
        "int64": _helper("shift_zeros_int64", 2),
        "int32": _helper("shift_zeros", 2),
        "uint64": _helper("wide_shift_zeros", 2, exact=True),
        "uint32": _helper("shift_zeros", 2, exact=True),
        "uint16": _helper("shift_zeros", 2, exact=True),
        "uint8": _helper("shift_zeros", 2, exact=True),
    },
    # by a constant within the width
    "shift_left_known": {
        "*": Form("{0} << {1}"),
        "int32": Form("{0} << {1}", exact=True),
        "uint64": Form("{0} << {1}"),
    },
    "shift_right_arithmetic_known": {"*": Form("{0} >> {1}", exact=True)},
    "shift_right_logical_known": {
        "*": Form("{0} >>> {1}", exact=True),
        "int32": Form("{0} >>> {1}"),
        "uint64": Form("{0} >> {1}", exact=True),
    },
    "population_count": {
        "int64": _helper("bit_count_int64", exact=True),
        **dict.fromkeys(("int32", "uint32", "uint16", "uint8"), _helper("bit_count", exact=True)),
    },
    "clz": {
        "int64": _helper("clz_int64", exact=True),
        **dict.fromkeys(("int32", "uint32"), Form("Math.clz32({0})", exact=True)),
    },
    # conversions: from the operand's family to the result's dtype
    "truth": {"*": Form("{0} !== 0", exact=True), "uint64": Form("{0} !== 0n", exact=True)},
    "number": {
        "*": Form("{0}"),
        "bool": Form("+{0}", exact=True),
        "uint64": Form("Number({0})"),
    },
    "low_word": {"uint64": Form("Number(BigInt.asUintN(32, {0}))")},
    "signed": {"uint64": Form("Number(BigInt.asIntN(64, {0}))", exact=True)},
    "wide": {"*": Form("BigInt({0})"), "bool": Form("BigInt(+{0})", exact=True)},
    "whole_int64": _whole("-(2 ** 63)", "2 ** 63"),
    "whole_int32": _whole("-2147483648", "2147483647"),
    "whole_int16": _whole("-32768", "32767"),
    "whole_int8": _whole("-128", "127"),
    "whole_uint32": _whole("0", "4294967295"),
    "whole_uint16": _whole("0", "65535"),
    "whole_uint8": _whole("0", "255"),
    # the same bits as a value of another dtype
    "bits": {
        "float64": _helper("bits_of_double", exact=True),
        "float32": _helper("bits_of_float"),
    },
    "float_of_bits": {
        "uint64": _helper("double_of_bits", exact=True),
        "uint32": _helper("float_of_bits", exact=True),
        "int32": _helper("float_of_bits", exact=True),
    },
    # random numbers: the two words of a key, and two words to be hashed
    "high_half": {"int64": _helper("high_half"), "uint64": Form("Number({0} >> 32n)")},
    "draw": {"uint32": _helper("draw", 4)},
    **{
        name: {"uint32": _helper(name, 4, exact=True)}
        for name in ("draw_wide", "word", "threefry_first", "threefry_second")
    },
}


def form(operation: str, dtype: str) -> Form:
    """Return the form of an operation on operands of ``dtype``.

    Raises:
      KeyError: where there is none.
    """
    forms = OPERATIONS[operation]
    family = FAMILIES[dtype]
    if family != "uint64":  # a BigInt goes with no number
        return forms.get(dtype) or forms.get(family) or forms["*"]
    return forms[dtype]


def has_form(operation: str, dtype: str) -> bool:
    """Tell whether an operation can be applied to operands of ``dtype``."""
    try:
        form(operation, dtype)
    except KeyError:
        return False
    return True


def with_requirements(helper: str) -> tuple[str, ...]:
    """Return a helper's name and those of the helpers that its text mentions, and so on."""
    words = set(re.findall(r"\w+", HELPERS[helper]))
    others = [name for name in HELPERS if name in words and name != helper]
    return (helper, *(name for other in others for name in with_requirements(other)))
