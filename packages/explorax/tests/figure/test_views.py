"""Every view draws real JAX functions."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from tests.figure.in_node import in_node
from tests.figure.view_examples import EXAMPLES
from tests.figure_settings import ends

from explorax import explore

pytestmark = pytest.mark.slow

IN_NODE = """
import { readFileSync } from "node:fs";
const here = process.argv[1];
const { renderToString } = await import(`${here}/node_modules/preact-render-to-string/dist/index.mjs`);
const { html } = await import(`${here}/src/common/html.js`);
const { load } = await import(`${here}/src/runtime/program.js`);
await import(`${here}/src/runtime/allViews.js`);
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


@pytest.fixture(scope="module", params=EXAMPLES)
def drawn(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Pictures that Node draws of an example, at the ends of its controls, wide and narrow."""
    figure = explore(**EXAMPLES[request.param])
    asked = {"description": figure.describe(), "all": [figure.settings, *ends(figure)]}
    found: list[dict[str, Any]] = json.loads(in_node(IN_NODE, asked))
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
