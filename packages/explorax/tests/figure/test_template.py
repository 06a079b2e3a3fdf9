"""Words with numbers in them."""

from __future__ import annotations

import numpy as np
import pytest

from explorax.words.template import fill


def test_templates_take_several_numbers_and_one_of_several() -> None:
    values = {"p": np.array([0.5, -1.0]), "x": np.arange(9) / 8}
    assert fill("{p} {p.1:,.2f} {x.8} {x.1:.3~g}", values) == "(0.5, −1.0) −1.00 1 0.125"
    with pytest.raises(ValueError, match="asks for all of 'x': 9 numbers"):
        fill("{x}", values)


def test_templates_take_numbers_and_text() -> None:
    filled = fill("K = {k}, {x:.2f} of {name}", {"k": 3, "x": 0.5, "name": "ℓ"})
    assert filled == "K = 3, 0.50 of ℓ"
    with pytest.raises(KeyError, match="missing"):
        fill("{missing}", {})


def test_a_field_after_an_underscore_is_an_index() -> None:
    assert fill("ℓ_{n} at h_{m}, {m} of it", {"n": "12", "m": 3}) == "ℓ₁₂ at h₃, 3 of it"
