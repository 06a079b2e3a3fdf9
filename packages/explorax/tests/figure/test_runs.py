"""A step that is run in the page: it agrees with JAX, whatever Optax's optimizer, or is told why not."""

from __future__ import annotations

import functools
import json
import re
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.figure.in_node import in_node
from tests.figure.training import OPTIMIZERS, training
from tests.figure_settings import assert_steps_agree

from explorax import Integer, LogRange, Prediction, Range, explore
from explorax.figure.runs import Run, RunProgram
from explorax.figure.runs.recorded import Records, listed
from explorax.views import Axis, History, Level, Panels, Series
from tests.tiers import some_now

pytestmark = pytest.mark.slow

CONTROLS = [LogRange("rate", "rate", "η", 1e-3, 1.0, 0.05), Integer("seed", "seed", "", 0, 9, 3)]
STEPS = 20
RATE = {"rate": (0.0, 2.0, 0.5)}

IN_NODE = """
import { readFileSync } from "node:fs";
const { loadRun } = await import(`${process.argv[1]}/src/runtime/run/runner.js`);
const { description, settings, steps } = JSON.parse(readFileSync(0, "utf8"));
const step = (await loadRun(description))(settings);
process.stdout.write(JSON.stringify(Array.from({ length: steps }, step)));
"""


def decay(carry, rate):
    return carry * rate, carry


@functools.cache
def trained(name: str) -> Any:
    step, start = training(OPTIMIZERS[name])
    view = History([Series("loss", role="loss")], Axis((0.0, 4.0)))
    return explore(step, CONTROLS, view, run=60, carry=start)


def run_in_page(figure: Any, steps: int = STEPS) -> dict[str, np.ndarray]:
    """The records of the page's own runner, in Node."""
    asked = {"description": figure.describe(), "settings": figure.settings, "steps": steps}
    found = json.loads(in_node(IN_NODE, asked))
    return {name: np.array([record[name] for record in found]) for name in found[0]}


@pytest.mark.parametrize("name", some_now(OPTIMIZERS, "clip_adamw"))
def test_optimizer_steps_agree_with_jax(name: str, run_in_node: Any) -> None:
    settings = [{"rate": 0.05, "seed": 3}]
    assert_steps_agree(trained(name), settings, run_in_node, steps=40, every=4)


def test_a_run_agrees_with_jax_to_its_horizon() -> None:
    figure = trained("clip_adamw")
    by_page, by_jax = run_in_page(figure), figure.value
    for record in ("loss", "norm"):
        np.testing.assert_allclose(by_page[record], by_jax[record][:STEPS], rtol=1e-9)


def test_run_value_equals_a_python_loop():
    figure = explore(decay, RATE, run=6, carry=1.0)
    np.testing.assert_array_equal(figure.value["record"], 0.5 ** np.arange(6))
    figure.rate = 0.25
    assert figure.value["last_record"] == 0.25**5
    assert (figure.value["steps"], figure.value["reached"], figure.value["case"]) == (6, 4, 2)
    np.testing.assert_array_equal(figure.value["step_at"], [1, 2, 5, 6])


def test_plain_text_states_the_run_up_to_its_horizon():
    figure = explore(decay, RATE, run=1000, carry=1.0, horizon=5)
    assert repr(figure).splitlines() == [
        "After 5 of 1,000 steps with rate = 0.5: record = 0.0625.",
        "  step  record",
        "     1       1",
        "     2     0.5",
        "     5  0.0625",
    ]
    whole = explore(decay, RATE, run=4, carry=1.0, sentence="{last_record:.2f} after {steps}.")
    assert repr(whole).startswith("0.13 after 4.")


def test_run_stops_before_a_number_that_is_not_finite():
    def step(carry, rate):
        return carry * rate, {"loss": jnp.where(carry > 3, jnp.nan, carry), "size": carry}

    figure = explore(step, RATE, run=10, carry=1.0)
    figure.rate = 2.0
    value = figure.value
    assert (value["steps"], value["case"], value["last_size"]) == (2, 3, 2.0)
    np.testing.assert_array_equal(value["size"][:3], [1, 2, np.nan])
    assert "stops after 2 of 10 steps" in figure.sentence
    recorded = figure.describe()["run"]["recorded"][0]
    assert (recorded["taken"], recorded["points"]["size"]) == (2, {"values": [1.0, 2.0]})


class State(NamedTuple):
    weights: Any
    count: Any
    key: Any
    nested: Any


def test_a_carry_is_any_pytree_of_arrays_numbers_and_keys(run_in_node):
    first = State(
        jnp.ones((2, 3)),
        jnp.zeros((), jnp.uint8),
        jax.random.key(7),
        (1, True, {"old": jax.random.PRNGKey(1)}),
    )

    def step(carry):
        key, drawn = jax.random.split(carry.key)
        assert carry.count.dtype == jnp.uint8
        number, flag, old = carry.nested
        weights = carry.weights + jax.random.normal(drawn, (2, 3))
        after = State(weights, carry.count + jnp.uint8(200), key, (number + 1, ~flag, old))
        return after, (jnp.sum(weights), carry.count)

    figure = explore(step, {}, run=5, carry=first)
    assert list(figure.program.records) == ["record_1", "record_2"]
    np.testing.assert_array_equal(figure.value["record_2"], [0, 200, 144, 88, 32])
    for name, numbers in run_in_page(figure, 5).items():
        np.testing.assert_allclose(numbers, figure.value[name], rtol=1e-12)


def test_float32_runs_in_float32():
    def step(carry, rate):
        return carry * rate + 0.1, carry

    wide, single = (
        explore(step, RATE, run=5, carry=0.1, dtype=dtype) for dtype in ("float64", "float32")
    )
    assert "Math.fround" in single.program.javascript
    assert single.value["last_record"] != wide.value["last_record"]
    assert single.value["last_record"] == np.float32(single.value["last_record"])
    np.testing.assert_array_equal(run_in_page(single, 5)["record"], single.value["record"])


def test_controls_are_passed_to_functions_that_name_them():
    def start(seed, spread=1.0):
        return jax.random.normal(jax.random.key(seed)) * spread

    figure = explore(decay, {**RATE, "seed": (0, 9)}, run=3, carry=start)
    first = figure.value["record"][0]
    figure.seed = 1
    assert figure.value["record"][0] != first


def test_small_arrays_are_several_records_and_each_has_results():
    figure = explore(lambda c: (c + 1, {"both": jnp.stack([c, -c])}), {}, run=3, carry=0.0)
    assert [leaf.name for leaf in figure.program.outputs] == [
        "both_1", "both_2", "last_both_1", "last_both_2", "both_1_at", "both_2_at",
        "step_at", "steps", "reached", "case",
    ]  # fmt: skip
    np.testing.assert_array_equal(figure.value["both_2"], [0, -1, -2])


def test_records_of_other_sizes_get_axes_and_noisy_ones_a_mean():
    def step(carry, rate):
        key, drawn = jax.random.split(carry)
        return key, {"noise": 1 + rate * jax.random.uniform(drawn), "large": 1e4 * rate + 0.0}

    figure = explore(step, RATE, run=500, carry=jax.random.key(0))
    assert isinstance(figure.spec.view, Panels)
    noise, large = (view for _, view in figure.spec.view.views)
    assert (noise.smooth, large.smooth) == (10, 1)
    assert noise.y.span[1] < large.y.span[1]


def test_recorded_runs_for_settings_shown_first_are_included():
    question = Prediction(
        "Where does it end?",
        "last_record",
        settings={"rate": 1.0},
        guess=Range("g", "guess", "", 0, 2),
    )
    figure = explore(
        decay,
        {**RATE, "seed": (0, 9)},
        run=3,
        carry=lambda seed: 1.0 + 0 * seed,
        prediction=question,
    )
    described = json.loads(json.dumps(figure.describe()))
    assert described["source"] == "def decay(carry, rate):\n    return carry * rate, carry"
    assert re.match(r"// decay, traced by JAX", described["program"])
    recorded = described["run"]["recorded"]
    assert [one["settings"] for one in recorded] == [
        {"rate": 0.5, "seed": 0},
        {"rate": 1.0, "seed": 0},
    ]
    assert described["prediction"]["settings"] == {"rate": 1.0, "seed": 0}


def test_earlier_runs_are_recorded_with_the_first():
    def described(settings):
        run = Run(decay, 1.0, 5, frames=30, before=(settings,))
        program = RunProgram(run, [Range("rate", "rate", default=0.5)])
        bare = {"prediction": None, "stills": [], "view": {}, "table": None}
        return program.describe({"rate": 0.5}, bare)["run"]

    found = described({"rate": 0.25})
    assert (found["frames"], found["before"]) == (30, [{"rate": 0.25}])
    assert [one["settings"]["rate"] for one in found["recorded"]] == [0.5, 0.25]
    with pytest.raises(ValueError, match="A run before sets 'pace', which is no control"):
        described({"pace": 1.0})


def test_long_run_keeps_its_extremes_and_listed_steps():
    values = np.sin(np.arange(10_000) / 7)
    values[4321] = 9.0
    points = Records({"x": values}, 10_000).describe({"x"}, ())["points"]["x"]
    assert len(points["at"]) < 1100
    assert set(listed(10_000)) <= set(points["at"])
    assert max(points["values"]) == 9.0
    assert points["at"][points["values"].index(9.0)] == 4322


def test_of_what_is_neither_drawn_nor_listed_the_last_number_is_kept():
    points = Records({"x": np.arange(5.0)}, 5).describe((), ())["points"]["x"]
    assert points == {"at": [5], "values": [4.0]}


def level(*given, **options):
    return {"view": History([Series("record")], Axis(), levels=[Level(*given, **options)])}


@pytest.mark.parametrize(
    ("step", "options", "error", "message"),
    [
        (decay, {"run": 0}, ValueError, "steps = 0; expected an integer, 1 or more"),
        (decay, {"run": None}, TypeError, "carry is given without run"),
        (lambda c, rate: c * rate, {}, TypeError, "expected two things, the next carry"),
        (lambda c, rate: ((c, c), rate), {}, TypeError, "carry of the structure .* expected that of the first"),
        (lambda c, rate: (jnp.stack([c, c]), rate), {}, TypeError, r"carry as float64\[2\]; expected .*\[\]"),
        (lambda c, rate: (c * rate, c), {"carry": 1}, TypeError, "starts as one: 0.0"),
        (lambda c, rate: (c, jnp.zeros(9) + rate), {}, ValueError, r"'record' of the shape \[9\]; expected a number"),
        (lambda c, rate: (c, {"a": rate, "last_a": rate}), {}, ValueError, "'last_a' would be two results"),
        (lambda c, rate: (c, {"steps": rate}), {}, ValueError, "'steps' would be two results"),
        (lambda c, pace: (c, pace), {}, TypeError, "no argument 'rate' for the control"),
        (lambda c, rate, pace: (c, pace), {}, TypeError, "'pace', and there is no control for it"),
        (decay, {"carry": {"f": jnp.tanh}}, TypeError, r"carry\['f'\] is .* belongs in the step"),
        (decay, {"carry": lambda pace: pace}, TypeError, "'pace', and there is no control for it"),
        (decay, level("gone"), ValueError, "draws a level from 'gone'"),
        (decay, level(1.0, "at {gone}"), ValueError, "asks for 'gone'"),
        (decay, level(1.0, drag="gone"), ValueError, "'gone', which is no control"),
        (decay, level(1.0, where=("rate", ("a",))), ValueError, "kind 'range'; expected 'choice'"),
        (decay, level(1.0, role="red"), ValueError, "role 'red'"),
    ],
)  # fmt: skip
def test_errors_name_what_was_given_and_what_to_do(step, options, error, message):
    with pytest.raises(error, match=message):
        explore(step, RATE, **{"carry": 1.0, "run": 5} | options)


def test_choice_of_whether_it_trains_can_be_asked():
    def step(carry, rate):
        return carry * rate, {"loss": carry, "trained": carry < 0.1}

    asked = Prediction(
        "Will it train at 0.6?", "last_trained", "choice", {"rate": 0.6}, options=("no", "yes")
    )
    figure = explore(step, RATE, run=8, carry=1.0, prediction=asked)
    assert figure.value["last_trained"] == 1
    assert figure.describe()["prediction"]["settings"] == {"rate": 0.6}
