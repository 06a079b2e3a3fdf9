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
const rest = { description, spec, lit: null, guess: null, concealed: new Set() };
const first = { ...evaluate(description.settings), ...description.settings };
const drawn = [];
for (const settings of all) {
  for (const layout of ["wide", "narrow"]) {
    const ghost = settings === all[0] ? null : first;
    const drawing = { ...rest, id: layout, settings, values: evaluate(settings), layout, ghost };
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


def test_example_has_only_numbers_and_every_handle_gives_back_its_setting(
    drawn: list[dict[str, Any]],
) -> None:
    for picture in drawn:
        markup, settings = picture["markup"], picture["settings"]
        assert len(markup) > 500
        assert not re.search(r'="[^"]*(NaN|Infinity|undefined)', markup), settings
        for handle in picture["handles"]:
            expected = settings[handle["control"]]
            np.testing.assert_allclose(handle["value"], expected, rtol=1e-6, atol=1e-9)


def test_words_stay_within_a_picture_of_320_or_688_pixels(drawn: list[dict[str, Any]]) -> None:
    for picture in drawn:
        letter, width = (7.6, 320) if picture["layout"] == "narrow" else (6.9, 688)
        assert picture["width"] == width
        for attributes, words in re.findall(r"<text([^>]*)>([^<]*)<", picture["markup"]):
            x = re.search(r' x="([-\d.]+)"', attributes)[1]
            anchor = re.search(r'text-anchor="(\w+)"', attributes)
            share = {"middle": 0.5, "end": 1.0}.get(anchor[1] if anchor else "start", 0.0)
            left = float(x) - share * letter * len(words)
            assert left > -14, (picture["layout"], words)
            assert left + letter * len(words) < width + 14, (picture["layout"], words)
