"""A step of a drag changes in a page what it has to, and no more: counted, as times depend on the machine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.book import READ, descriptions
from tests.site.figure_page import WINDOWS, Shown
from tests.tiers import some_now

STEPS = 6
SHARE = 0.5
"""Of a figure's elements, as many changes at most in a step: it is not rendered anew."""

# Each slider that can be set finely, taken to its middle, and then a step further in each frame; counted
# from the second step on, for with the first what was before appears. At the end it is let go.
DRAG = """async (figure, steps) => {
  const sliders = [...figure.querySelectorAll(".gl-controls input[type=range]:enabled")];
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const found = [];
  for (const slider of sliders.filter((each) => each.checkVisibility())) {
    const to = async (value) => {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await painted();
    };
    const [least, most] = [Number(slider.min), Number(slider.max)];
    const step = (most - least) / 100;
    if (Number(slider.step) > 2 * step) continue;
    const middle = least + (most - least) / 2;
    await to(middle);
    await to(middle + step);
    const changes = [];
    const watch = new MutationObserver((records) => changes.push(records.length));
    watch.observe(figure, { subtree: true, attributes: true, childList: true, characterData: true });
    for (let i = 2; i < steps; i++) await to(middle + i * step);
    watch.disconnect();
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    await painted();
    found.push([slider.dataset.control, Math.max(0, ...changes), changes.length]);
  }
  return [figure.querySelectorAll(".gl-live *").length, found];
}"""


FIGURES = [(page, described) for page in READ for described in descriptions(page)]
CASES = [(page, described["name"]) for page, described in FIGURES]
FIRSTS = {described["view"]["kind"]: (page, described["name"]) for page, described in FIGURES[::-1]}


@pytest.mark.parametrize("case", some_now(CASES, *FIRSTS.values()), ids="-".join)
def test_a_step_changes_less_than_half_of_a_figure_once_a_frame(
    open_page: Any, case: tuple[str, str]
) -> None:
    path, name = case
    figure = Shown(open_page(path, viewport=WINDOWS["wide"]), name)
    figure.root.scroll_into_view_if_needed()
    elements, drags = figure.root.evaluate(DRAG, STEPS)
    for control, most, frames in drags:
        assert frames <= STEPS - 2, f"{control}: it was changed more than once a frame"
        assert most < SHARE * elements, f"{control}: {most} changes, {elements} elements"
