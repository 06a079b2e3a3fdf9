"""A figure's words: numbers, templates with numbers in them, and TeX as MathML."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from explorax.figure.equation import each, markup, part, when
from explorax.words.number_format import DEFAULT, format_number, format_vector
from explorax.words.template import fill

FOLDER = Path(__file__).parents[2] / "src/explorax/frontend/tests/cases"  # the page's, too
CASES, VECTORS = (
    json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("number_format", "vector_format")
)


@pytest.mark.parametrize(("spec", "value", "text"), CASES)
def test_a_number_is_written_as_the_table_of_cases_says(spec: str, value: str, text: str) -> None:
    assert format_number(float(value), spec or DEFAULT) == text


@pytest.mark.parametrize(("spec", "values", "text"), VECTORS)
def test_vector_entries_have_equal_decimals(spec: str, values: list[str], text: str) -> None:
    assert format_vector([float(value) for value in values], spec) == text


def test_templates_take_numbers_several_of_them_one_of_several_and_text() -> None:
    values = {"p": np.array([0.5, -1.0]), "x": np.arange(9) / 8, "k": 3, "name": "ℓ", "n": "12"}
    assert fill("{p} {p.1:,.2f} {x.8} {x.1:.3~g}", values) == "(0.5, −1.0) −1.00 1 0.125"
    assert fill("K = {k}, {x.1:.2f} of {name}", values) == "K = 3, 0.13 of ℓ"
    assert fill("ℓ_{n} at h_{k}, {k} of it", values) == "ℓ₁₂ at h₃, 3 of it", "an index after _"


@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        (r"$x_k$", "<math><msub><mi>x</mi><mi>k</mi></msub></math>"),
        (r"$\frac{1}{2}$", "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"),
        (r"$\text{to } c$", "<math><mtext>to\u00a0</mtext><mi>c</mi></math>"),
        (r"$\live{s:.2f}$", "<math><mn>{s:.2f}</mn></math>"),
        (r"$\class{gate}{s}$", '<math><mrow data-part="gate"><mi>s</mi></mrow></math>'),
        (
            r"$\class{states.2}{\live{h.1}}$",
            '<math><mrow data-part="states" data-index="2"><mn>{h.1}</mn></mrow></math>',
        ),
        (
            r"$\class{?both !off}{s}$",
            '<math><mrow data-when="both !off"><mi>s</mi></mrow></math>',
        ),
        ("no maths, {s}", "no maths, {s}"),
        (
            r"$a = \class{?on}{b = c} \le d$",
            '<math><mi>a</mi></math>\u200b<math><mo form="infix">=</mo><mrow data-when="on"><mi>b</mi>'
            '<mo>=</mo><mi>c</mi></mrow></math>\u200b<math><mo form="infix">≤</mo><mi>d</mi></math>',
        ),
        (r"$= a$", '<math><mo lspace="0">=</mo><mi>a</mi></math>'),
    ],
)
def test_tex_is_read_with_its_parts_and_numbers(tex: str, mathml: str) -> None:
    assert markup(tex) == mathml


def test_words_around_the_maths_have_parts_and_conditions_too() -> None:
    line = when("acts", part("total", "{total:.2f}")) + each(
        "sent", "{value}", part="loss", count="steps", between=" + "
    )
    assert line == (
        '<span data-when="acts"><span data-part="total">{total:.2f}</span></span>'
        '<span data-each="sent" data-count="steps" data-between=" + " data-part="loss">{value}</span>'
    )


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: format_number(1.0, "+.2e"), ValueError, r"'\+\.2e' is no number format; expected one such as"),
        (lambda: fill("{x}", {"x": np.arange(9)}), ValueError, "asks for all of 'x': 9 numbers"),
        (lambda: fill("{missing}", {}), KeyError, "missing"),
        *(
            (lambda tex=tex: markup(tex), ValueError, "cannot be read as TeX")  # type: ignore[misc]
            for tex in (r"$\foo{x}$", "$x^$", r"$\class{a}{x$")
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(
    call: Callable[[], str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        call()
