"""The ellipse after k applications: their numbers against NumPy's SVD and eigenvalues, their words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from sccbook.figures import JacobianProducts
from sccbook.figures.jacobian_products.figure import ENDS, EXPLODES, GROWS_FIRST, SHRINKS, STEPS

TURN = {"a": (0.72, 0.54), "b": (-0.54, 0.72)}
SETTINGS = [
    {**columns, "scale": scale, "back": back, "k": 4}
    for columns in (GROWS_FIRST, SHRINKS, TURN, EXPLODES, {"a": (-1.8, 1.3), "b": (0.0, -0.2)})
    for scale, back in ((1.0, False), (0.5, True), (0.0, False))
]


@pytest.fixture(scope="module")
def figure():
    return JacobianProducts()


def products(a, b, scale, steps=STEPS):
    factor = scale * np.array([a, b]).T
    return np.array([np.linalg.matrix_power(factor, k) for k in range(1, steps + 1)])


def sigma(matrices):
    return np.linalg.norm(matrices, 2, axis=(-2, -1))


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_singular_values_and_radius_are_numpys(figure, settings):
    figure.set(**settings)
    found, expected = (
        figure.value,
        products(settings["a"], settings["b"], settings["scale"]),
    )
    values = np.linalg.svd(expected, compute_uv=False)
    np.testing.assert_allclose(found["largest"], values[:, 0], rtol=1e-12, atol=1e-300)
    assert np.all(np.abs(found["least"] - values[:, 1]) < 1e-12 * (1 + values[:, 0]))
    radius = np.abs(np.linalg.eigvals(expected[0])).max()
    np.testing.assert_allclose(found["radius"], radius, atol=1e-12)
    fourth = expected[3].T if settings["back"] else expected[3]
    np.testing.assert_allclose(found["product"], fourth, atol=1e-12)
    assert found["longest"] == found["largest"][3]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_largest_singular_value_lies_between_its_bounds(figure, settings):
    figure.set(**settings)
    found = figure.value
    assert np.all(found["lower"] <= found["largest"] * (1 + 1e-9) + 1e-300)
    assert np.all(found["largest"] <= found["upper"] * (1 + 1e-9))


@pytest.mark.parametrize("k", [1, 5, 24])
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("columns", [GROWS_FIRST, EXPLODES], ids=["grows first", "1.1"])
def test_the_arrow_is_the_longest_vector_of_the_ellipse(figure, columns, back, k):
    figure.set(**columns, scale=1.0, back=back, k=k)
    tips, end = figure.value["tips"], figure.value["tip"]
    np.testing.assert_array_equal(tips[k - 1], end)
    left, stretches, _ = np.linalg.svd(figure.value["product"])
    np.testing.assert_allclose(np.linalg.norm(end), stretches[0])
    assert abs(left[:, 0] @ end) == pytest.approx(stretches[0])
    assert np.all(np.sum(tips[1:] * tips[:-1], axis=1) > 0), (
        "it never turns about from one k to the next"
    )


def test_a_circle_has_no_longest_vector(figure):
    figure.set(**TURN, scale=1.0, back=False, k=1)
    assert not np.any(figure.value["tips"])


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("columns", [GROWS_FIRST, SHRINKS, EXPLODES], ids=["0.9", "apart", "1.1"])
def test_the_lines_are_along_the_eigenvectors_to_near_the_edge_of_the_plot(figure, columns, back):
    figure.set(**columns, scale=0.5, back=back)
    found = figure.value
    matrix = 0.5 * np.array([columns["a"], columns["b"]]).T
    matrix = matrix.T if back else matrix
    assert found["real"]
    for name in "12":
        start, end = found[f"line_{name}"]
        np.testing.assert_allclose(start, -end)
        np.testing.assert_allclose(matrix @ end, found[f"eigen_{name}"] * end, atol=1e-12)
        assert np.max(np.abs(end) / ENDS) == pytest.approx(1)


@pytest.mark.parametrize(
    "settings", [{**TURN, "scale": 1.0}, {**SHRINKS, "scale": 0.0}], ids=["turn", "0"]
)
def test_without_two_real_eigenvalues_there_are_no_lines(figure, settings):
    figure.set(**settings)
    assert not figure.value["real"]


@pytest.mark.parametrize("normal", [SHRINKS, TURN], ids=["right angles", "turn"])
def test_a_normal_matrix_meets_both_bounds(figure, normal):
    figure.set(**normal, scale=1.0)
    np.testing.assert_allclose(figure.value["largest"], 0.9 ** np.arange(1, STEPS + 1))
    np.testing.assert_allclose(figure.value["upper"], figure.value["lower"])


def test_a_radius_of_0_9_can_grow_first(figure):
    figure.set(**GROWS_FIRST, scale=1.0, back=False)
    found = figure.value
    assert round(float(found["radius"]), 9) == 0.9
    assert found["answer"] == 1
    assert found["peak"] > 2 > 1 > found["last"]
    assert found["when"] == 5
    assert figure.spec.prediction.settings["k"] == 5, "the reveal ends where the answer is seen"


@pytest.mark.parametrize("columns", [GROWS_FIRST, TURN, EXPLODES], ids=str)
def test_a_scale_multiplies_the_kth_product_by_its_kth_power(figure, columns):
    figure.set(**columns, scale=1.0)
    plain = figure.value["largest"]
    figure.set(scale=0.5)
    np.testing.assert_allclose(figure.value["largest"], 0.5 ** np.arange(1, STEPS + 1) * plain)


def test_backward_the_ellipse_turns_and_its_half_axes_stay(figure):
    figure.set(**GROWS_FIRST, scale=1.0, back=False, k=3)
    ahead = figure.value
    figure.set(back=True)
    back = figure.value
    assert ahead["longest"] == back["longest"]
    assert not np.allclose(ahead["tip"], back["tip"])
    assert (ahead["ahead"], ahead["behind"], back["ahead"], back["behind"]) == (1, 0, 0, 1)


@pytest.mark.parametrize(("settings", "case", "words"), [
    ({**GROWS_FIRST, "scale": 0.5}, 0, "so nothing grows"),
    ({**GROWS_FIRST, "scale": 0.0}, 0, "the longest has length 0."),
    ({**TURN, "scale": 1.0}, 0, "One application leaves at most 0.90 of any length"),
    ({**GROWS_FIRST, "scale": 1.0}, 1, "grow at first: up to ×2.20, after 5 applications"),
    ({"a": (0.6, 0.8), "b": (-0.8, 0.6), "scale": 1.0}, 2, "neither vanishes nor grows"),
    ({"a": (1.0, 0.0), "b": (1.0, 1.0), "scale": 1.0}, 2, "after 24 applications it has length 24"),
    ({**EXPLODES, "scale": 1.0}, 3, "After 24 applications the longest has length 13.9"),
], ids=str)  # fmt: skip
def test_the_sentence_says_what_becomes_of_the_products(figure, settings, case, words):
    figure.set(**settings)
    assert figure.value["case"] == case
    assert words in figure.sentence


def test_the_table_has_singular_values_and_bounds(figure):
    figure.set(**GROWS_FIRST, scale=1.0)
    head, *rows = figure.table()
    assert head == ["", "longest", "shortest", "lower bound", "upper bound"]
    assert len(rows) == 8
    assert rows[3] == ["k = 4", "2.19", "0.0718", "0.656", "4.46"]


def test_the_short_axis_is_exact_where_the_ellipse_is_all_but_a_line(figure):
    """The difference of two nearly equal lengths would leave nothing but rounding there."""
    columns = np.array([[1.8, 1.8], [1.0, 0.7]])
    figure.set(a=tuple(columns[0]), b=tuple(columns[1]), scale=1.0)
    inverse = np.linalg.inv(columns.T).T
    expected = 1 / sigma(products(*inverse, 1.0))
    np.testing.assert_allclose(figure.value["least"], expected, rtol=1e-9)
