"""The ellipse after k steps: their numbers against NumPy's SVD and eigenvalues, their words at the corners."""

import numpy as np
import pytest

from sccbook.figures.jacobian_products.figure import ENDS, EXPLODES, GROWS_FIRST, SHRINKS, STEPS

TURN = {"a": (0.72, 0.54), "b": (-0.54, 0.72)}
SETTINGS = [
    {**columns, "scale": scale, "back": back, "k": 4}
    for columns in (GROWS_FIRST, SHRINKS, TURN, EXPLODES, {"a": (-1.8, 1.3), "b": (0.0, -0.2)})
    for scale, back in ((1.0, False), (0.5, True), (0.0, False))
]


def products(a, b, scale, steps=STEPS):
    factor = scale * np.array([a, b]).T
    return np.array([np.linalg.matrix_power(factor, k) for k in range(1, steps + 1)])


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_singular_values_and_radius_are_numpys_and_lie_between_the_bounds(at, settings):
    found, expected = (
        at(**settings),
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
    assert np.all(found["lower"] <= found["largest"] * (1 + 1e-9) + 1e-300)
    assert np.all(found["largest"] <= found["upper"] * (1 + 1e-9))


@pytest.mark.parametrize("k", [1, 5, 24])
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("columns", [GROWS_FIRST, EXPLODES], ids=["grows first", "1.1"])
def test_the_arrow_is_the_longest_vector_of_the_ellipse(at, columns, back, k):
    value = at(**columns, back=back, k=k)
    tips, end = value["tips"], value["tip"]
    np.testing.assert_array_equal(tips[k - 1], end)
    left, stretches, _ = np.linalg.svd(value["product"])
    np.testing.assert_allclose(np.linalg.norm(end), stretches[0])
    assert abs(left[:, 0] @ end) == pytest.approx(stretches[0])
    assert np.all(np.sum(tips[1:] * tips[:-1], axis=1) > 0), "it never turns about between two k"


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("columns", [GROWS_FIRST, SHRINKS, EXPLODES], ids=["0.9", "apart", "1.1"])
def test_eigenvector_lines_are_as_long_as_they_should_be(at, columns, back):
    found = at(**columns, scale=0.5, back=back)
    matrix = 0.5 * np.array([columns["a"], columns["b"]]).T
    matrix = matrix.T if back else matrix
    assert found["real"]
    for name in "12":
        start, end = found[f"line_{name}"]
        np.testing.assert_allclose(start, -end)
        np.testing.assert_allclose(matrix @ end, found[f"eigen_{name}"] * end, atol=1e-12)
        assert np.max(np.abs(end) / ENDS) == pytest.approx(1)


def test_complex_eigenvalues_have_no_lines_and_a_circle_no_longest_vector(at):
    turned = at(**TURN, k=1)
    assert not turned["real"]
    assert not at(**SHRINKS, scale=0.0)["real"]
    assert not np.any(turned["tips"])


def test_the_short_axis_of_a_very_thin_ellipse_is_exact(at):
    """The difference of two nearly equal lengths would leave nothing but rounding there."""
    columns = np.array([[1.8, 1.8], [1.0, 0.7]])
    inverse = products(*np.linalg.inv(columns.T).T, 1.0)
    least = at(a=tuple(columns[0]), b=tuple(columns[1]))["least"]
    np.testing.assert_allclose(least, 1 / np.linalg.norm(inverse, 2, axis=(-2, -1)), rtol=1e-9)
