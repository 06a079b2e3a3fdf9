"""TeX becomes MathML that browsers set as TeX would."""

from __future__ import annotations

import pytest

from explorax.mathml import mathml


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        (r"\lVert g \rVert", '<mo stretchy="false" form="prefix">‖</mo>'),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "text-align: right"),
        (r"\begin{cases} 1 & x \\ 0 & y \end{cases}", "<mo>{</mo><mtable"),
        (r"a \\ b", "<mtr><mtd><mi>a</mi></mtd></mtr>"),
        (r"\bigl(\begin{smallmatrix} 1 & 2 \end{smallmatrix}\bigr)", 'scriptlevel="1"'),
        (r"\mathrm{total}", "<math><mi>total</mi></math>"),
        (r"\mathtt{wd}", "𝚠𝚍"),
        (r"\min(a, b)", "<mi>min</mi><mo>\u2061</mo>"),
    ],
)
def test_common_tex_is_read(tex: str, found: str) -> None:
    assert found in mathml(tex)


@pytest.mark.parametrize("tex", [r"\frac{1}{", r"\notacommand", "x^", "a & b"])
def test_unreadable_tex_is_refused_by_name(tex: str) -> None:
    with pytest.raises(ValueError, match="cannot be read as TeX") as refused:
        mathml(tex)
    assert repr(tex) in str(refused.value)
