"""The two paths: their numbers against plain arithmetic and JAX, their words at the corners."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from sccbook.figures import TwoPaths
from sccbook.figures.two_paths.figure import HEAD_B, TARGET_B, W
from tests.figure_settings import assert_page_agrees

B = np.array([-0.8, 1.6])
"""Gradient that head B sends: M^T (M w - t), by hand."""


def draws(n: int = 40) -> list[dict[str, Any]]:
    source = np.random.default_rng(0)
    return [
        {
            "scale": source.uniform(-1, 1),
            "both": bool(source.integers(2)),
            "a": (round(source.uniform(-2, 2), 3), round(source.uniform(-1.5, 1.5), 3)),
        }
        for _ in range(n)
    ]


def test_head_b_sends_what_its_docstring_says() -> None:
    matrix = np.array(HEAD_B)
    np.testing.assert_allclose(matrix.T @ (matrix @ np.array(W) - np.array(TARGET_B)), B)


def test_the_sum_is_the_scaled_paths_added() -> None:
    figure = TwoPaths()
    for settings in draws():
        figure.set(**settings)
        value, s, a = figure.value, settings["scale"], np.array(settings["a"])
        on_a = s if settings["both"] else 1.0
        np.testing.assert_allclose(value["own"], on_a * a, atol=1e-12)
        np.testing.assert_allclose(value["through"], s * B, atol=1e-12)
        np.testing.assert_allclose(value["whole"], on_a * a + s * B, atol=1e-12)
        np.testing.assert_allclose(value["before"], a + B, atol=1e-12)
        before, whole = value["before"], value["whole"]
        cosine = before @ whole / (np.linalg.norm(before) * np.linalg.norm(whole))
        assert float(value["turned"]) == pytest.approx(
            np.degrees(np.arccos(np.clip(cosine, -1, 1))), abs=1e-4
        )


@pytest.mark.slow
def test_the_sum_is_the_gradient_of_the_reweighted_loss_and_the_loss_stays() -> None:
    """For two separate heads the surrogate is a gradient after all: of l_A + s l_B."""
    with jax.enable_x64(True):
        w, a = jnp.array(W), jnp.array([2.0, 0.5])
        target_a = w - a

        def reweighted(w: Any, s: float) -> Any:
            error_b = jnp.array(HEAD_B) @ w - jnp.array(TARGET_B)
            return 0.5 * jnp.sum((w - target_a) ** 2) + 0.5 * s * jnp.sum(error_b**2)

        for s in (-1.0, 0.0, 0.3, 1.0):
            value = TwoPaths(scale=s).value
            np.testing.assert_allclose(value["whole"], jax.grad(reweighted)(w, s), atol=1e-12)
            assert float(value["loss"]) == pytest.approx(float(reweighted(w, 1.0)))


def test_one_scaled_path_turns_the_sum_away_from_it_and_two_do_not() -> None:
    turned = [float(TwoPaths(scale=s).value["turned"]) for s in (1.0, 0.5, 0.0, -0.5, -1.0)]
    assert turned == sorted(turned)
    assert turned[0] == pytest.approx(0, abs=1e-9)
    for s in (1.0, 0.5, 0.1):
        assert float(TwoPaths(scale=s, both=True).value["turned"]) == pytest.approx(0, abs=1e-9)


ALIGNED, OPPOSED = (-0.6, 1.2), (0.4, -0.8)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "turned by 21°, away from B"),
        ({"scale": 1.0}, "is the sum of both paths, (1.20, 2.10)"),
        ({"scale": 1.0, "both": True}, "is the sum of both paths, (1.20, 2.10)"),
        ({"a": ALIGNED}, "its direction is unchanged, because A and B lie on one line"),
        ({"a": OPPOSED, "scale": 0.25}, "points the other way. A and B lie on one line"),
        (
            {"a": OPPOSED, "scale": 0.75},
            "its direction is unchanged, because A and B lie on one line",
        ),
        ({"a": OPPOSED, "scale": 0.5}, "the gradient of w is 0: the paths cancel"),
        ({"a": (0.8, -1.5), "scale": 0.0}, "turned by"),
        ({"scale": 0.0, "both": True}, "both paths are blocked"),
        ({"both": True}, "0.5 times as long, in the same direction"),
        ({"scale": -0.5, "both": True}, "it points the other way"),
        ({"a": (0.0, 0.0), "scale": 0.0}, "the gradient of w is 0"),
    ],
)
def test_it_says_what_has_become_of_the_sum(settings: dict[str, Any], words: str) -> None:
    assert words in TwoPaths(**settings).sentence


@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ({"scale": 1.0}, 0),
        ({"both": True}, 1),
        ({}, 2),
        ({"a": OPPOSED, "scale": 0.25}, 3),
        ({"scale": -1.0, "both": True}, 3),
    ],
)
def test_the_answer_to_the_prediction_is_computed(settings: dict[str, Any], answer: int) -> None:
    assert int(TwoPaths(**settings).value["answer"]) == answer


def test_an_arrow_is_named_for_the_scale_on_its_path() -> None:
    named = [mark for mark in TwoPaths.spec.view.marks if getattr(mark, "label", "") and mark.when]
    for both in (False, True):
        value = TwoPaths(both=both).value | {"both": both}
        labels = [mark.label for mark in named if value[mark.when]]
        assert labels == (["sA", "sA + sB"] if both else ["A", "A + sB"])


def test_the_first_state_already_shows_the_turn() -> None:
    assert int(TwoPaths().value["answer"]) == 2
    assert float(TwoPaths().value["turned"]) > 20


def test_the_page_computes_what_jax_does_at_the_corners_too(run_in_node: Any) -> None:
    corners = [
        {"scale": s, "both": both, "a": a}
        for s in (-1.0, 0.0, 0.25, 0.5, 1.0)
        for both in (False, True)
        for a in (ALIGNED, OPPOSED, (0.0, 0.0), (2.0, 1.5))
    ]
    assert_page_agrees(TwoPaths(), corners, run_in_node)
