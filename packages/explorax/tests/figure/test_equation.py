"""TeX becomes MathML whose parts light up and whose numbers are the present ones."""

from __future__ import annotations

import pytest

from explorax.figure.equation import each, markup, part, when


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


@pytest.mark.parametrize("tex", [r"$\foo{x}$", "$x^$", r"$\class{a}{x$"])
def test_tex_that_cannot_be_read_is_named(tex: str) -> None:
    with pytest.raises(ValueError, match="cannot be read as TeX"):
        markup(tex)
