import assert from "node:assert/strict";
import test from "node:test";
import { fragment, picture } from "../../src/runtime/prerender.js";
import { numbers } from "../pictures.js";
import { plane } from "../specs.js";
import { choice, description, leaf } from "./fixtures.js";

test("a control that plays no part at a choice can't be set there", async () => {
  const by = { ...choice("by", ["a", "A"], ["b", "B"]), sets: [], idles: [["scale", ["b"]]] };
  const disabled = async (at) => {
    const controls = [...description.controls, { ...by, initial: at }];
    const text = await fragment({ ...description, controls, settings: { ...description.settings, by: at } });
    return text.match(/<input[^>]*data-control="scale"[^>]*>/)[0].includes("disabled");
  };
  assert.deepEqual(await Promise.all(["a", "b"].map(disabled)), [false, true]);
});

test("a picture as a file of its own is XML, where no attribute is without a value", async () => {
  const trail = { kind: "trail", value: "p", role: "ink" }; // of one point: its beads' path is empty
  const program = "export const evaluate = () => [Float64Array.of(0, 0)]";
  const dot = { view: plane(trail), program, outputs: [leaf("p", 1, 2)], sentences: ["Nothing."] };
  const file = await picture({ ...description, ...dot, title: "d or class of d" }, ".gl-x{fill:none}");
  assert.match(file, /<style>\.gl-x\{fill:none\}<\/style>/);
  assert.match(file, />d or class of d</);
  assert.match(file, /class="gl-beads" d=""/);
  assert.doesNotMatch(file.replace(/="[^"]*"/g, "="), /<[^>]* [\w-]+(?=[ >])/);
});

test("a picture's long sentence takes another line, and the paper grows with it", async () => {
  const long = `${"word ".repeat(19)}95\u00a0% ${"word ".repeat(10)}`.trim(); // the sign stays with its number
  const drawn = (said) => picture({ ...description, sentences: [said.replace("\u00a0", " ")] }, "");
  const [short, tall] = await Promise.all(["Nothing.", long].map(drawn));
  const lines = [...tall.matchAll(/<text class="gl-muted" x="0" y="(-\d+)">(.*?)<\/text>/g)];
  const [at, words] = [1, 2].map((group) => lines.map((found) => found[group]));
  assert.deepEqual([at, words.join(" ")], [["-36", "-16"], long]);
  const [[before], [after]] = [short, tall].map((file) => numbers(file, /height="(\d+)" role/g)[0]);
  assert.equal(after, before + 20);
});
