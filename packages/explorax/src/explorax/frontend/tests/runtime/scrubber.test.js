import assert from "node:assert/strict";
import test from "node:test";
import { bind, dragged, keyed } from "../../src/runtime/scrubber.js";
import { description, glide, play, question } from "./fixtures.js";

globalThis.IntersectionObserver ??= class {
  observe() {}
};
const present = { value: 0.5, low: 0, high: 1, step: 0.01 };

test("keys go five steps, or twenty, or to the ends, and never beyond them", () => {
  const asked = (key, value = 0.5) => keyed({ ...present, value }, key);
  const keys = ["ArrowLeft", "ArrowUp", "PageDown", "Home", "End"];
  const values = keys.map((key) => asked(key));
  assert.deepEqual(values, [0.45, 0.55, 0.3, 0, 1]);
  assert.equal(asked("ArrowRight", 0.98), 1);
  assert.equal(asked("a"), undefined);
});

test("a drag of 240 pixels goes from one end to the other, and stops there", () => {
  const values = [-120, 60, 500].map((pixels) => dragged(present, 0.5, pixels));
  assert.deepEqual(values, [0, 0.75, 1]);
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
    const event = new Event(type, { cancelable: true });
    this.dispatchEvent(Object.assign(event, { button: 0, pointerId: 1, ...more }));
  }
}

/** Bind a number to a control. */
function bound({ data, ...more } = {}) {
  const [scrubber, heard] = [new Element(), []];
  Object.assign(scrubber.dataset, data);
  const control = { ...present, open: false, waits: false, initial: 1, label: "scale", symbol: "s", ...more };
  const send = (event) => heard.push(event);
  bind(scrubber, new Element(), { control: () => control, listen() {}, send });
  return { scrubber, heard };
}
const drag = (scrubber) => {
  scrubber.hear("pointerdown", { clientX: 100 });
  scrubber.hear("pointermove", { clientX: 40 });
};

test("a drag begins at the number that is quoted", () => {
  const { scrubber, heard } = bound({ value: 1, data: { once: "0.5" } });
  drag(scrubber);
  assert.deepEqual(heard, [{ type: "drag", control: "scale", to: 0.25, wide: true }]);
});

test("it goes to the value that was asked for, once no question is open", () => {
  const end = (open) => {
    const { scrubber, heard } = bound({ data: { most: "1.5" }, open });
    scrubber.hear("keydown", { key: "End" });
    return [scrubber.attributes["aria-valuemax"], heard[0].to];
  };
  assert.deepEqual([end(true), end(false)].flat(), ["1", 1, "1.5", 1.5]);
});

test("while the control waits for a prediction nothing is set", () => {
  const { scrubber, heard } = bound({ waits: true });
  scrubber.hear("keydown", { key: "ArrowLeft" });
  drag(scrubber);
  assert.deepEqual([heard, scrubber.attributes["aria-disabled"]], [[], "true"]);
});

test("a figure that is led somewhere goes there silently and leaves the address alone", () => {
  const lead = { type: "lead", changes: { scale: 1 }, lasts: 1800 };
  const { state, effects } = play(description, lead, glide(1));
  assert.deepEqual(effects[0], [["freeze"], ["render"], ["glide", 1800]]);
  assert.equal(state.settings.scale, 1);
  assert.deepEqual([state.touched.size, effects[1].some(([name]) => name === "write")], [0, false]);
  const held = play({ ...description, prediction: question("total", { holds: { scale: 0.5 } }) }, lead);
  assert.equal(held.state.glide.to.scale, 0.5, "what a question holds stays");
});
