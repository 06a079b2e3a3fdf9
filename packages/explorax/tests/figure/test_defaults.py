"""What ``explore`` chooses by itself: which results it draws, on which axes, under which names."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from tests.run_in_node import RunInNode

from explorax import LogRange, Toggle, explore
from explorax.figure import domains, jumps
from explorax.figure.groups import groups
from explorax.views import Panels, Profile
from explorax.views.profile import Axis

ON = {"on": Toggle("on", "on")}


def drawn(view: Any) -> list[list[str]]:
    """The curves of each panel."""
    views = [each for _, each in view.views] if isinstance(view, Panels) else [view]
    return [[series.value for series in each.series] for each in views]


@pytest.mark.slow
def test_each_of_four_numbers_is_a_curve():
    figure = explore(
        lambda x: {"a": x, "b_half": x / 2, "c": 0.3 * x, "d": 1 - x}, {"x": (0.0, 1.0)}
    )
    assert drawn(figure.spec.view) == [["a_over_x", "b_half_over_x", "c_over_x", "d_over_x"]]
    assert figure.sentence == "With x = 0.5: a = 0.5, b half = 0.25, c = 0.15 and d = 0.5."
    assert figure.spec.note == ""
    value = figure.value
    np.testing.assert_allclose(value["d_over_x"], 1 - value["places"], atol=1e-15)
    assert figure.table() == [["", "a", "b half", "c", "d"], ["", "0.5", "0.25", "0.15", "0.5"]]


@pytest.mark.parametrize(
    ("result", "note"),
    [
        (
            {"series_a": jnp.arange(3), "total_sum": 1.0, "cube": jnp.ones((2, 2, 2))},
            "Not drawn: total sum, cube. In Python, <code>figure.value</code> has them.",
        ),
        ({c: 10.0**k for k, c in enumerate("abcde")}, "Not drawn: e. The table has it."),
        ({"a": jnp.ones(3), "b": jnp.ones(4)}, ""),
    ],
)
def test_undrawn_results_are_named(result, note):
    assert explore(lambda on: result, ON).spec.note == note


def test_given_note_comes_first():
    result = {"a": jnp.ones(3), "b": 1.0}
    assert explore(lambda on: result, ON, note="Mine.").spec.note.startswith("Mine. Not drawn: b.")
    view = Profile([], Axis())
    assert explore(lambda on: result, ON, view, note="Mine.").spec.note == "Mine."


@pytest.mark.slow
def test_results_of_other_sizes_get_an_axis_each():
    view = explore(lambda x: {"slope": 40 * x, "value": x}, {"x": (-1.0, 1.0)}).spec.view
    assert [title for title, _ in view.views] == ["slope", "value"]
    assert [each.y.span for _, each in view.views] == [(-40.0, 40.0), (-1.0, 1.0)]
    assert all(each.thresholds[0].drag == "x" for _, each in view.views)


def samples(*settings: Any) -> np.ndarray:
    return np.array(settings, dtype=float)


STEPS = np.arange(40.0)


@pytest.mark.parametrize(
    ("values", "span"),
    [
        (samples(300 * np.exp(-STEPS / 4), 300 * np.exp(-STEPS / 400)), (1e-2, 1e3)),
        (samples(1 + STEPS, 40 - STEPS), None),  # not two decades
        (samples(1 + STEPS**2, 2 + STEPS**2), None),  # few lie on the floor
        (samples(300 * np.exp(-STEPS / 4) - 1), None),  # some are negative
        (samples(np.where(STEPS < 30, 0.0, 1e4)), None),  # many are zero
        (samples(*[np.exp(-STEPS / 4)] * 3, [*np.exp(-STEPS[1:] / 4), 1e-300]), (1e-5, 1.0)),  # one is far below all others
        (samples([1e-9] * 100 + [1.0]), (1e-9, 1e-8)),
        (samples([*np.exp(-STEPS / 4), np.inf, np.nan]), (1e-5, 1.0)),
        (samples(10.0 ** -STEPS, 10.0**-(3 * STEPS)), (1e-60, 1.0)),  # more decades than are read
    ],
)  # fmt: skip
def test_axis_is_logarithmic_if_values_crowd_its_floor(values, span):
    axis = domains.axis(values, floor=domains.QUARTER)
    assert axis.scale == ("log" if span else "linear")
    if span:
        assert axis.span == pytest.approx(span)
    axis.check("y")


@pytest.mark.slow
def test_losses_are_lines_on_a_log_axis_and_short_arrays_bars():
    def losses(rate):
        return {"loss": 100 * jnp.exp(-rate * jnp.arange(30.0))}

    view: Any = explore(losses, {"rate": (0.01, 1.0)}).spec.view
    assert (view.y.scale, view.series[0].mark, view.y.label) == ("log", "line", "loss")
    view = explore(lambda k: 10.0 ** (k * jnp.arange(4)), {"k": (0, 2)}).spec.view
    assert (view.y.scale, view.series[0].mark) == ("linear", "bars")
    scale = [LogRange("c", "c", "", 1e-4, 1.0, 0.1)]
    view = explore(lambda c: c * jnp.ones(4), scale).spec.view
    assert (view.y.scale, view.series[0].mark) == ("log", "line")


def test_results_share_an_axis_on_which_each_can_be_read():
    found = {
        "a": samples([1, -2]), "b": samples([0.5, 1]), "small": samples([0, 0.1]),
        "zero": samples([0, 0]), "longer": samples([1, 2, 3]),
    }  # fmt: skip
    grouped = [group.names for group in groups(found, domains.HALF)]
    assert grouped == [["a", "b", "zero"], ["small"], ["longer"]]


X = np.linspace(-3.0, 3.0, jumps.PLACES)


@pytest.mark.parametrize(
    ("curve", "suspect"),
    [
        (np.sin(3 * X), False),
        (np.exp(2 * X), False),
        (np.minimum(X, np.clip(X, -1, 1)), False),  # a kink, as of PPO
        (np.where(X > 1, 3.0, 0.0), True),
        (np.where(abs(X - 1) < 0.03, 1.0, 0.0), True),  # a spike: two side by side
        (np.floor(3 * X), True),
        (np.where(X[0] < X, 1.0, 0.0), True),  # at the end
        (np.where(X > 0, np.inf, np.nan), False),
        (np.zeros_like(X), False),
    ],
)
def test_a_step_that_is_out_of_line_may_be_a_jump(curve, suspect):
    assert jumps.may_be_in(curve[None, :, None]) == suspect


def both_sides(result: Any, name: str) -> list[tuple[float, float, float]]:
    """Where two places of a curve are as good as one and its values are not: place and values."""
    x, y = result["places"], result[name]
    assert np.all(np.diff(x) >= 0)
    there = np.flatnonzero((np.diff(x) < 1e-6) & (np.abs(np.diff(y)) > 0.01))
    return [(round(x[i], 5), round(y[i], 3), round(y[i + 1], 3)) for i in there]


@pytest.mark.slow
def test_curve_has_points_on_both_sides_of_each_jump_only(run_in_node: RunInNode):
    figure = explore(
        lambda x, at: {"jump": jnp.floor(2 * (x - at)), "steep": jnp.tanh(50 * (x - at))},
        {"x": (-1.0, 1.0), "at": (-1.0, 1.0, 0.27)},
    )
    assert both_sides(figure.value, "jump_over_x") == [
        (-0.73, -3, -2), (-0.23, -2, -1), (0.27, -1, 0), (0.77, 0, 1),
    ]  # fmt: skip
    assert both_sides(figure.value, "steep_over_x") == []
    np.testing.assert_array_equal(
        figure.value["jump_over_x"], np.floor(2 * (figure.value["places"] - 0.27))
    )
    calls = [(0.0, at) for at in np.linspace(-1, 1, 12)]
    for call, in_page in zip(calls, run_in_node(figure.program.javascript, calls), strict=True):
        for by_jax, result in zip(figure.program(*call).values(), in_page, strict=True):
            np.testing.assert_allclose(result, np.ravel(by_jax), rtol=0, atol=1e-12)


@pytest.mark.slow
def test_names_are_shown_with_spaces():
    def clipped_adam(slow_rate):
        return {"first_loss": slow_rate, "last_loss": slow_rate / 2}

    figure = explore(clipped_adam, {"slow_rate": (0.0, 1.0)})
    view: Any = figure.spec.view
    assert figure.spec.title == "clipped adam"
    assert [series.label for series in view.series] == ["first loss", "last loss"]
    assert (view.x.label, figure.spec.controls[0].label) == ("slow rate", "slow rate")

    arrows = explore(lambda r: {"a_b": jnp.ones(2) * r}, {"r": (0.0, 1.0)}).spec.view
    assert arrows.marks[0].label == "a b"


@pytest.mark.slow
def test_dtype_float32_computes_in_float32():
    figure = explore(lambda x: {"a": x, "b": 3 * x}, {"x": (0.0, 4.0, 0.1)}, dtype="float32")
    assert {each.dtype.name for each in figure.value.values()} == {"float32"}
    assert figure.value["a"] == np.float32(0.1)
    assert "Math.fround" in figure.program.javascript
