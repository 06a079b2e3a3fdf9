import assert from "node:assert/strict";
import test from "node:test";
import { renderToString } from "preact-render-to-string";
import { draw, handles } from "../../src/figures/tangent.js";
import { keyed } from "../../src/runtime/figure.js";
import { fragment } from "../../src/runtime/prerender.js";
import { load } from "../../src/runtime/program.js";
import { description, tangent } from "./fixtures.js";

/** A state of the tangent, to draw. */
const drawing = async (settings, layout = "wide") => ({
  description: tangent,
  settings,
  values: (await load(tangent))(settings),
  spec: tangent.view,
  layout,
  id: "x",
  concealed: new Set(),
});

test("a fragment has the picture, native controls, a table, stills and its own description", async () => {
  const text = await fragment(description);
  assert.match(text, /^<figure class="gl-figure" id="gl-[0-9a-f]{8}"/);
  assert.match(text, /With s = 0\.5, 1\.67\./);
  assert.equal(text.match(/<input[^>]*type="range"/g).length, 2);
  assert.match(text, /aria-valuetext="s = 0\.5"/);
  assert.match(text, /<th scope="row">ℓ6<\/th>/);
  assert.equal(text.match(/class="gl-still"/g).length, 2);
  assert.match(text, /role="status"/);
  const data = /<script type="application\/json" class="gl-description">(.*?)<\/script>/s.exec(text)[1];
  assert.deepEqual(JSON.parse(data), description);
});

test("a picture is hidden from those who listen; the group has the title for a name", async () => {
  const text = await fragment(description);
  for (const svg of text.match(/<svg[^>]*>/g)) assert.match(svg, /aria-hidden="true"/);
  const id = /aria-labelledby="([^"]+)"/.exec(text)[1];
  assert.ok(text.includes(`id="${id}"`));
});

test("the same description gives the same bytes", async () => {
  assert.equal(await fragment(description), await fragment(description));
});

test("the tangent's handles give back the values that put them there", async () => {
  for (const settings of [
    { scale: 0.5, x: 0.5 },
    { scale: -1, x: -1.2 },
    { scale: 0.3, x: 1.4 },
  ]) {
    const found = handles(await drawing(settings));
    for (const handle of found) {
      assert.ok(Math.abs(handle.value(handle.x, handle.y) - settings[handle.control]) < 1e-9, handle.control);
    }
  }
});

test("where the slope is zero no tilt can be read from the tangent, and there is no such handle", async () => {
  const found = handles(await drawing({ scale: 0.5, x: 0 }));
  assert.deepEqual(
    found.map((handle) => handle.control),
    ["x"],
  );
});

test("the reported slope is written inside the picture, however near its edge the tangent ends", async () => {
  for (const settings of [
    { scale: 1, x: 0.59 },
    { scale: -2, x: -2 },
    { scale: 0.5, x: 2 },
  ]) {
    const text = renderToString(draw(await drawing(settings, "narrow")));
    const [, x, anchor, words] =
      /class="gl-slope" data-part="reported" x="([^"]+)"[^>]*text-anchor="(\w+)"[^>]*>([^<]+)</.exec(text);
    const width = 8 * words.length;
    const left = anchor === "start" ? Number(x) : Number(x) - width;
    assert.ok(left >= 0 && left + width <= 320, `${words} from ${left}`);
  }
});

test("each handle has a key of its own, and keeps it when another control's comes and goes", () => {
  const ring = { control: "c" };
  const line = { control: "c" };
  const guesses = [0, 1].map((index) => ({ control: "guess", index }));
  const keys = (all) => keyed(all).map(([key]) => key);
  assert.deepEqual(keys([ring, line, ...guesses]), ["c-", "c--1", "guess-0", "guess-1"]);
  assert.deepEqual(keys([{ control: "x" }, ring, line]).slice(1), ["c-", "c--1"]);
});
