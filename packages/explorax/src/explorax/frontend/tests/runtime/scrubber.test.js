import assert from "node:assert/strict";
import test from "node:test";
import { bind, dragged, keyed } from "../../src/runtime/scrubber.js";
import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import { description } from "./fixtures.js";

globalThis.matchMedia ??= () => ({ matches: true });
globalThis.IntersectionObserver ??= class {
  observe() {}
};
const present = { value: 0.5, low: 0, high: 1, step: 0.01 };

test("keys go five steps, or twenty, or to the ends, and never beyond them", () => {
  const asked = (key, value = 0.5) => keyed({ ...present, value }, key);
  assert.deepEqual(
    ["ArrowLeft", "ArrowUp", "PageDown", "Home", "End"].map((key) => asked(key)),
    [0.45, 0.55, 0.3, 0, 1],
  );
  assert.equal(asked("ArrowRight", 0.98), 1);
  assert.equal(asked("a"), undefined);
});

test("a drag of 240 pixels goes from one end to the other, and stops there", () => {
  assert.deepEqual(
    [-120, 60, 500].map((pixels) => dragged(present, 0.5, pixels)),
    [0, 0.75, 1],
  );
});

/** An element, as far as a scrubber needs one. */
class Element extends EventTarget {
  dataset = { control: "scale" };
  attributes = {};
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  focus() {}
  setPointerCapture() {}
  querySelector() {}
  hear(type, more) {
    this.dispatchEvent(
      Object.assign(new Event(type, { cancelable: true }), { button: 0, pointerId: 1, ...more }),
    );
  }
}

/** A number that is bound to a control. */
function bound(waits = false, { value = 0.5, once = "", most = "", open = false } = {}) {
  const [scrubber, figure, heard, hears] = [new Element(), new Element(), [], []];
  figure.id = "river";
  if (once) Object.assign(scrubber, { dataset: { control: "scale", once }, textContent: once });
  if (most) scrubber.dataset.most = most;
  const handle = {
    control: (name) =>
      name === "scale"
        ? { ...present, value, open, initial: 1, label: "scale", symbol: "s", waits, text: String(value) }
        : null,
    listen: (hear) => hears.push(hear),
    send: (event) => heard.push(event),
  };
  bind(scrubber, figure, handle);
  return {
    scrubber,
    heard,
    change(to) {
      value = to;
      for (const hear of hears) hear();
    },
  };
}

test("it is a slider that says the control's value, and follows it", () => {
  const { scrubber, change } = bound();
  assert.equal(scrubber.attributes.role, "slider");
  assert.equal(scrubber.attributes["aria-controls"], "river");
  assert.equal(scrubber.attributes["aria-valuetext"], "s = 0.5");
  change(0.25);
  assert.deepEqual([scrubber.textContent, scrubber.attributes["aria-valuenow"]], ["0.25", "0.25"]);
});

test("a drag sets the control as it goes, and settles when it ends", () => {
  const { scrubber, heard } = bound();
  scrubber.hear("pointerdown", { clientX: 100 });
  scrubber.hear("pointermove", { clientX: 40 });
  scrubber.hear("pointerup");
  scrubber.hear("pointermove", { clientX: 0 });
  assert.deepEqual(heard, [
    { type: "drag", control: "scale", to: 0.25, wide: true },
    { type: "settle", rests: true },
  ]);
});

test("a number that is quoted stays until the figure goes, and a drag begins at it", () => {
  const { scrubber, heard, change } = bound(false, { value: 1, once: "0.5" });
  assert.equal(scrubber.textContent, "0.5");
  scrubber.hear("pointerdown", { clientX: 100 });
  scrubber.hear("pointermove", { clientX: 40 });
  assert.deepEqual(heard, [{ type: "drag", control: "scale", to: 0.25, wide: true }]);
  change(0.25);
  change(1);
  assert.equal(scrubber.textContent, "1", "what the hand set is no quotation");
});

test("it goes as far as it is told to, once no question is open", () => {
  for (const [open, end] of [
    [true, 1],
    [false, 1.5],
  ]) {
    const { scrubber, heard } = bound(false, { most: "1.5", open });
    assert.equal(scrubber.attributes["aria-valuemax"], String(end));
    scrubber.hear("keydown", { key: "End" });
    assert.equal(heard[0].to, end);
  }
});

test("while the control waits for a prediction nothing is set", () => {
  const { scrubber, heard } = bound(true);
  scrubber.hear("keydown", { key: "ArrowLeft" });
  scrubber.hear("pointerdown", { clientX: 100 });
  scrubber.hear("pointermove", { clientX: 40 });
  assert.deepEqual([heard, scrubber.attributes["aria-disabled"]], [[], "true"]);
});

test("a figure that is led somewhere goes there without a word and leaves the address alone", () => {
  const total = ({ scale, steps }) => ({ total: scale * steps });
  const update = makeUpdate(description, total);
  const first = initial(description, description.settings, total, ["wide"]);
  const led = update(first, { type: "lead", changes: { scale: 1 }, lasts: 1800 });
  assert.deepEqual(led.effects, [["freeze"], ["render"], ["lead", 1800]]);
  const { state, effects } = update(led.state, { type: "glide", t: 1 });
  assert.equal(state.settings.scale, 1);
  assert.deepEqual([state.touched.size, effects.some(([name]) => name === "write")], [0, false]);
  const held = update({ ...first, held: { scale: 0.5 } }, { type: "lead", changes: { scale: 1 }, lasts: 1 });
  assert.equal(held.state.glide.to.scale, 0.5, "what a question holds stays");
});
