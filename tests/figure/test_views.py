"""Every view draws real JAX functions, and the examples tell the truth."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gradlab.figure import explore
from tests.figure.view_examples import EXAMPLES

FRONTEND = Path(__file__).parents[2] / "gradlab" / "frontend"


def value(name: str, **settings: Any) -> dict[str, np.ndarray]:
    figure = explore(**EXAMPLES[name])
    for control, setting in settings.items():
        setattr(figure, control, setting)
    return figure.value


def test_two_paths_add_up_and_the_scale_acts_on_one() -> None:
    given = value("two_paths", s=0.3)
    np.testing.assert_allclose(given["direct"] + given["through"], given["whole"])
    np.testing.assert_allclose(given["through"], 0.3 * given["unscaled"])


@pytest.mark.parametrize("name", ["clipped_batch", "two_shards"])
def test_clipped_gradients_are_at_most_c_long_and_the_mean_is_not_the_clipped_mean(
    name: str,
) -> None:
    given = value(name, c=0.7)
    if name == "clipped_batch":
        assert np.linalg.norm(given["clipped"], axis=1).max() <= 0.7 * (1 + 1e-12)
        np.testing.assert_allclose(given["clipped"].mean(0), given["mean"])
    else:
        np.testing.assert_allclose(np.linalg.norm(given["last"]), 0.7)
        assert abs(given["angle"]) > 5


def test_the_longest_arrow_of_a_product_is_its_largest_singular_value() -> None:
    given = value("products", a=[1.1, -0.3], b=[0.4, 0.9])
    expected = np.linalg.svd(given["powers"], compute_uv=False)[:, 0]
    np.testing.assert_allclose(given["largest"], expected)


def test_a_chain_receives_what_its_loss_changes_by() -> None:
    def loss(theta: float, h: float = 0.6) -> float:
        total = 0.0
        for _ in range(3):
            h = np.tanh(theta * h)
            total += 0.5 * (h - 0.2) ** 2
        return total

    expected = (loss(1.4 + 1e-6) - loss(1.4 - 1e-6)) / 2e-6
    np.testing.assert_allclose(value("three_steps")["total"], expected, rtol=1e-7)


@pytest.mark.parametrize("factor", [1e-12, 1e-7, 1.0, 1e4])
def test_the_first_step_of_adam_is_optax_s(factor: float) -> None:
    optax = pytest.importorskip("optax")
    with jax.enable_x64(True):
        optimizer, w = optax.adam(0.01), jnp.array(2.0)
        step, _ = optimizer.update(factor * (w - 3.0), optimizer.init(w), w)
    given = value("first_steps", factor=factor)
    np.testing.assert_allclose(given["adam_here"], abs(step), rtol=1e-9)


def test_a_column_under_its_cap_stays_as_it_is() -> None:
    given = value("max_norm_ball", cap=0.9)
    under = given["size"] <= 0.9
    assert 0 < under.sum() < 6
    np.testing.assert_array_equal(given["before"][:, under], given["after"][:, under])
    np.testing.assert_allclose(given["kept"][~under], 0.9)


# What Node draws of them.

IN_NODE = """
import { readFileSync } from "node:fs";
const here = process.argv[1];
const { renderToString } = await import(`${here}/node_modules/preact-render-to-string/dist/index.mjs`);
const { html } = await import(`${here}/src/common/html.js`);
const { load } = await import(`${here}/src/runtime/program.js`);
const { viewOf } = await import(`${here}/src/runtime/views.js`);
const { description, all } = JSON.parse(readFileSync(0, "utf8"));
const evaluate = await load(description);
const { view, spec, layouts } = viewOf(description);
const rest = { description, spec, id: "x", lit: null, guess: null, concealed: new Set() };
const first = { ...evaluate(description.settings), ...description.settings };
const drawn = [];
for (const settings of all) {
  for (const layout of ["wide", "narrow"]) {
    const ghost = settings === all[0] ? null : first;
    const drawing = { ...rest, settings, values: evaluate(settings), layout, ghost };
    const markup = renderToString(html`<svg>${view.draw(drawing)}</svg>`);
    const handles = view.handles(drawing).map(({ control, x, y, axis, value }) => ({ control, x, y, axis, value: value(x, y) }));
    drawn.push({ settings, layout, ...layouts[layout], markup, handles });
  }
}
process.stdout.write(JSON.stringify(drawn));
"""


def ends(controls: list[Any]) -> list[dict[str, Any]]:
    """The settings at first, and with each control in turn at either end."""
    first = {control.name: control.initial for control in controls}
    reached = [
        first | {control.name: list(end) if isinstance(end, tuple) else end}
        for control in controls
        for end in (control.minimum, control.maximum)
    ]
    return [first, *reached]


@pytest.fixture(scope="module", params=EXAMPLES)
def drawn(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Pictures that Node draws of an example, at the ends of its controls, wide and narrow."""
    example = EXAMPLES[request.param]
    description = explore(**example).describe()
    data = json.dumps({"description": description, "all": ends(example["controls"])})
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", IN_NODE, str(FRONTEND)],
        input=data, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_every_example_is_drawn_wherever_its_controls_are(drawn: list[dict[str, Any]]) -> None:
    for picture in drawn:
        assert len(picture["markup"]) > 500
        assert not re.search(r'="[^"]*(NaN|Infinity|undefined)', picture["markup"]), picture[
            "settings"
        ]


def test_every_handle_gives_back_the_setting_that_put_it_there(drawn: list[dict[str, Any]]) -> None:
    for picture in drawn:
        for handle in picture["handles"]:
            expected = picture["settings"][handle["control"]]
            np.testing.assert_allclose(handle["value"], expected, rtol=1e-6, atol=1e-9)


def test_words_stay_within_the_picture(drawn: list[dict[str, Any]]) -> None:
    for picture in drawn:
        letter = 7.6 if picture["layout"] == "narrow" else 6.9
        for attributes, words in re.findall(r"<text([^>]*)>([^<]*)<", picture["markup"]):
            x = re.search(r' x="([-\d.]+)"', attributes)[1]
            anchor = re.search(r'text-anchor="(\w+)"', attributes)
            share = {"middle": 0.5, "end": 1.0}.get(anchor[1] if anchor else "start", 0.0)
            left = float(x) - share * letter * len(words)
            assert left > -14, (picture["layout"], words)
            assert left + letter * len(words) < picture["width"] + 14, (picture["layout"], words)


def test_a_narrow_picture_is_320_wide_and_a_wide_one_688(drawn: list[dict[str, Any]]) -> None:
    assert {picture["width"] for picture in drawn if picture["layout"] == "narrow"} == {320}
    assert {picture["width"] for picture in drawn if picture["layout"] == "wide"} == {688}
