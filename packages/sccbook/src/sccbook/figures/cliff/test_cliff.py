"""The cliff: its descents and its cut against NumPy by hand, its lines against the loss, its words at the corners."""

import numpy as np
import pytest

from sccbook.figures.cliff.figure import DIGITS, EDGE, FAR, STEPS, B, W
from sccbook.models.cliff import cliff_at, wall

SETTINGS = [
    {},
    {"start": (4.6, -2.4)},
    {"start": (5.25, -2.768)},
    {"start": (6.5, -2.5), "eta": 3.0},
    {"start": (6.0, -3.5), "c": 0.05},
    {"start": (4.3, -2.0)},
    {"start": (6.0, -2.0)},
    {"start": (6.6, -1.6), "eta": 3.0},
]


def significant(g, digits=DIGITS):
    """The gradient to so many figures of its norm."""
    norm = np.linalg.norm(g)
    return g if norm == 0 else np.round(g, digits - 1 - int(np.floor(np.log10(norm))))


def walk(start, limit, eta, digits=DIGITS):
    """The descent in NumPy, on the gradient that JAX takes of the loss."""
    places, norms = [np.array(start)], []
    for _ in range(STEPS):
        g = significant(cliff_at(places[-1])[1], digits)
        norm = np.linalg.norm(g)
        step = eta * g * (limit / norm if norm > limit else 1.0)
        places.append(places[-1] - step)
        norms.append(norm)
    return np.array(places), np.array(norms)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
def test_both_descents_are_gradient_descent(figure, at, settings):
    value = at(**settings)
    plain, norms = walk(figure.start, np.inf, figure.eta)
    clipped, others = walk(figure.start, figure.c, figure.eta)
    np.testing.assert_allclose(value["plain"], plain, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(value["clipped"], clipped, rtol=1e-9, atol=1e-9)
    found = [value[name] for name in ("norm", "longest", "when", "shortened")]
    expected = [norms[0], figure.eta * norms.max(), norms.argmax() + 1, np.sum(others > figure.c)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    losses = cliff_at(np.stack([plain, clipped]))[0]
    np.testing.assert_allclose(
        np.hstack(
            [value[name] for name in ("plain_losses", "mean", "clipped_losses", "mean_clipped")]
        ),
        np.hstack([losses, losses[:, 1:].mean(axis=1, keepdims=True)]).ravel(),
        rtol=1e-6,
    )
    steps = np.linalg.norm(np.diff(value["clipped"], axis=0), axis=1)
    assert max(steps.max(), value["largest"]) <= figure.eta * figure.c * (1 + 1e-12)


@pytest.mark.parametrize(("c", "often"), [(0.1, 9), (0.5, 3)])
def test_the_clip_leaves_the_wall_and_the_clipped_descent_crosses_it_often(at, c, often):
    path = at(c=c)["clipped"]
    upper = path[:, 1] > wall(path[:, 0])
    assert np.sum(upper[1:] != upper[:-1]) > often
    losses = cliff_at(path)[0]
    assert losses[upper].max() < 0.07
    assert losses[~upper].min() > 0.2


@pytest.mark.slow
def test_the_drawn_lines_are_lines_of_equal_loss(figure):
    view = figure.spec.view
    w = np.linspace(*W, 25)
    for side, lines in ((1, view.low), (-1, view.high)):
        for loss, intercept, slope in lines:
            b = intercept + slope * w
            settled = (side * (b - wall(w)) > 0.03) & (b > B[0]) & (b < B[1])
            assert settled.sum() >= 2
            there = cliff_at(np.stack([w, b], axis=1)[settled])[0]
            np.testing.assert_allclose(there, loss, rtol=0.01)


@pytest.mark.slow
def test_a_start_at_the_edge_is_thrown():
    w = np.linspace(*W, 49)
    places, depths = zip(*EDGE, strict=True)
    depth = np.exp(np.interp(w, places, np.log(depths)))
    norms = np.linalg.norm(cliff_at(np.stack([w, wall(w) - depth], axis=1))[1], axis=1)
    assert norms.min() > FAR
    assert norms.max() < 2 * FAR
