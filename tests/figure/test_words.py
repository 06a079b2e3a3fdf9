"""Words with numbers: rounding, and agreement with the page."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from gradlab.figure.number_format import compact, fill, general, number

WORDS = Path(__file__).parents[2] / "gradlab" / "frontend" / "src" / "common" / "words.js"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 2, "0.13"),
        (-0.125, 2, "−0.13"),
        (1.671875, 2, "1.67"),
        (4095, 0, "4,095"),
        (1234567.891, 2, "1,234,567.89"),
        (0.5, None, "0.5"),
        (2.0, None, "2"),
        (100.0, None, "100"),
        (-0.001, 2, "0.00"),
        (-0.0, None, "0"),
        (np.inf, 2, "∞"),
        (-np.inf, None, "−∞"),
        (np.nan, None, "NaN"),
    ],
)
def test_numbers_are_printed_like_the_book_prints_them(value, digits, text):
    assert number(value, digits) == text


def test_python_and_javascript_print_the_same():
    random = np.random.default_rng(0)
    values = [*random.normal(size=200) * 10.0 ** random.integers(-3, 7, size=200)]
    values += [
        *random.normal(size=200) * 10.0 ** random.integers(-12, 12, size=200),
        1e6,
        999_999.0,
    ]
    values += [n / 8 for n in range(-40, 40)] + [n / 200 for n in range(-40, 40)]
    cases = [(float(value), digits) for value in values for digits in (None, 0, 2, 3)]
    script = f"""
      import {{ compact, general, number }} from {json.dumps(WORDS.as_uri())};
      const cases = {json.dumps(cases)};
      console.log(JSON.stringify(cases.map(([v, d]) => [number(v, d ?? undefined), compact(v), general(v)])));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", script],
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    expected = [[number(*case), compact(case[0]), general(case[0])] for case in cases]
    assert json.loads(done.stdout) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0125, "0.0125"), (31.5, "31.5"), (4095, "4,100"), (1.2e-5, "1.2 × 10⁻⁵"), (-1e-7, "−1 × 10⁻⁷"),
        (9.999, "10"), (999_999, "1 × 10⁶"), (0, "0"), (np.inf, "∞"), (-np.nan, "NaN"),
    ],
)  # fmt: skip
def test_numbers_of_any_size_have_three_digits(value, text):
    assert general(value) == text


def test_templates_take_several_numbers_and_one_of_several():
    values = {"p": np.array([0.5, -1.0]), "x": np.arange(9) / 8}
    assert fill("{p} {p.1:2} {x.8} {x.1:g}", values) == "(0.5, −1) −1.00 1 0.125"
    with pytest.raises(ValueError, match="asks for all of 'x': 9 numbers"):
        fill("{x}", values)


def test_templates_take_numbers_and_text():
    assert fill("K = {k}, {x:2} of {name}", {"k": 3, "x": 0.5, "name": "ℓ"}) == "K = 3, 0.50 of ℓ"
    with pytest.raises(KeyError, match="missing"):
        fill("{missing}", {})
