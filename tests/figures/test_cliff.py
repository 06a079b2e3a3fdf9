"""The cliff: its descents against NumPy by hand, its surface against the loss, its words at the corners."""

from __future__ import annotations

import numpy as np
import pytest

from gradlab.figures import Cliff
from gradlab.figures.cliff import DIGITS, FAR, GRID, STEPS
from gradlab.unroll.cliff import cliff_at, cliff_surface, wall


def significant(g):
    """The gradient to so many figures of its norm."""
    norm = np.linalg.norm(g)
    return g if norm == 0 else np.round(g, DIGITS - 1 - int(np.floor(np.log10(norm))))


def walk(start, limit, eta, steps=STEPS):
    """The descent in NumPy, on the gradient that JAX takes of the loss."""
    places, norms = [np.array(start)], []
    for _ in range(steps):
        g = significant(cliff_at(places[-1])[1])
        norm = np.linalg.norm(g)
        step = eta * g * (limit / norm if norm > limit else 1.0)
        places.append(places[-1] - step)
        norms.append(norm)
    return np.array(places), np.array(norms)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"start": (5.2, -3.1)},
        {"start": (7.0, -2.5), "eta": 3.0},
        {"start": (6.0, -3.9), "c": 0.02},
    ],
)
def test_both_descents_are_gradient_descent(settings):
    figure = Cliff(**settings)
    value = figure.value
    plain, norms = walk(figure.start, np.inf, figure.eta)
    clipped, others = walk(figure.start, figure.c, figure.eta)
    np.testing.assert_allclose(value["plain"], plain, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(value["clipped"], clipped, rtol=1e-9, atol=1e-9)
    assert value["norm"] == pytest.approx(norms[0])
    assert value["longest"] == pytest.approx(figure.eta * norms.max())
    assert value["when"] == norms.argmax() + 1
    assert value["shortened"] == np.sum(others > figure.c)
    np.testing.assert_allclose(value["ends"], [cliff_at(path[-1])[0] for path in (plain, clipped)])


@pytest.mark.slow
@pytest.mark.parametrize("c", [0.01, 0.1, 1.0])
def test_no_clipped_step_is_longer_than_the_learning_rate_times_the_limit(c):
    for start in ((5.2, -3.1), (5.25, -2.768), (6.4, -3.45)):
        value = Cliff(start=start, c=c, eta=2.0).value
        steps = np.linalg.norm(np.diff(value["clipped"], axis=0), axis=1)
        assert steps.max() <= 2 * c * (1 + 1e-12)
        assert value["largest"] <= 2 * c * (1 + 1e-12)


def test_a_clipped_step_has_the_plain_steps_direction():
    figure = Cliff()
    value = figure.value
    plain, clipped = (value[name] - figure.start for name in ("first", "first_clipped"))
    across = plain[0] * clipped[1] - plain[1] * clipped[0]
    assert across == pytest.approx(0, abs=1e-5)
    assert np.linalg.norm(clipped) == pytest.approx(0.1, abs=1e-5)
    assert np.linalg.norm(plain) == pytest.approx(value["stride"], abs=1e-5)


def test_the_first_state_shows_a_throw_within_the_picture():
    figure = Cliff()
    value = figure.value
    assert figure.start[1] < wall(figure.start[0])
    assert value["norm"] > FAR
    assert 4.5 < value["first"][0] < 7.5
    assert -4 < value["first"][1] < -1.5


def test_the_clip_leaves_the_wall_where_it_is_and_the_clipped_descent_crosses_it_often():
    for c, often in ((0.1, 20), (0.5, 10)):
        path = Cliff(c=c).value["clipped"]
        upper = path[:, 1] > wall(path[:, 0])
        assert np.sum(upper[1:] != upper[:-1]) > often
        losses = cliff_at(path)[0]
        assert losses[upper].max() < 0.07
        assert losses[~upper].min() > 0.2


def test_the_columns_of_the_table_have_names_of_their_own():
    heads = [head.strip() for head, _ in Cliff().spec.table.columns]
    assert len(set(heads)) == len(heads)


def test_its_sliders_are_called_as_the_axes_are():
    described = Cliff().describe()
    start = next(control for control in described["controls"] if control["name"] == "start")
    assert list(start["axes"]) == list(described["prediction"]["guess"]["axes"]) == ["w", "b"]


def test_the_surface_is_recorded_and_says_so():
    figure = Cliff()
    field = figure.spec.view.field
    assert field.shape == (GRID, GRID)
    assert "jax.vmap" in field.note
    found, losses = field.values(), cliff_surface(GRID)[0]
    np.testing.assert_allclose(found, losses, rtol=np.log(field.high / field.low) / 4_000)


NEVER = "The clipped descent never goes farther than"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, ("the first gradient is 1.22 long", NEVER)),
        (
            {"start": (5.2, -3.1)},
            ("step 4 of the plain descent meets a gradient 5,280 long", NEVER),
        ),
        ({"start": (7.0, -2.5)}, ("nothing is thrown this time", NEVER)),
        ({"c": 10.0}, ("the clipped descent, too, takes a step of 1.22",)),
    ],
)
def test_the_figure_says_which_descent_is_thrown_and_when(settings, words):
    assert all(said in Cliff(**settings).sentence for said in words)


@pytest.mark.parametrize("start", [(4.5, -4.0), (4.5, -1.5), (7.5, -4.0), (7.5, -1.5)])
def test_everything_is_finite_at_the_corners(start):
    for result in Cliff(start=start, c=10.0, eta=3.0).value.values():
        assert np.all(np.isfinite(result))


def test_the_prediction_asks_for_the_plain_step_and_hides_both_descents():
    asked = Cliff().describe()["prediction"]
    assert asked["answer"] == "first"
    assert asked["settings"] == Cliff().settings | {"start": (5.25, -2.768)}
    assert {"plain", "clipped", "first", "first_clipped", "longest"} <= set(asked["conceals"])
