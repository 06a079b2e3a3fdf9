import assert from "node:assert/strict";
import test from "node:test";
import { close } from "explorax/tests/drawings.js";
import { drawer, tangent } from "explorax/tests/runtime/fixtures.js";
import { renderToString } from "preact-render-to-string";
import { draw, handles } from "./view.js";

const drawing = await drawer(tangent);

test("the tangent's handles give back the values that put them there", () => {
  for (const [x, scale] of Object.entries({ 0.5: 0.5, "-1.2": -1, 1.4: 0.3 })) {
    for (const handle of handles(drawing({ scale, x: Number(x) })))
      close(handle.value(handle.x, handle.y), { scale, x: Number(x) }[handle.control]);
  }
});

test("where the slope is zero no tilt can be read from the tangent, and there is no such handle", () => {
  assert.deepEqual(
    handles(drawing({ scale: 0.5, x: 0 })).map(({ control }) => control),
    ["x"],
  );
});

test("the reported slope is written inside the picture, however near its edge the tangent ends", () => {
  for (const [x, scale] of Object.entries({ 0.59: 1, "-2": -2, 2: 0.5 })) {
    const text = renderToString(draw(drawing({ scale, x: Number(x) }, { layout: "narrow" })));
    const [, at, anchor, words] =
      /class="gl-slope" data-part="reported" x="([^"]+)"[^>]*text-anchor="(\w+)"[^>]*>([^<]+)</.exec(text);
    const width = 8 * words.length;
    const left = anchor === "start" ? Number(at) : Number(at) - width;
    assert.ok(left >= 0 && left + width <= 320, `${words} from ${left}`);
  }
});

test("no label lies on the curve at the ends of x", () => {
  for (const x of [-2, -1.9, 1.9, 2]) {
    const text = renderToString(draw(drawing({ scale: 0.5, x }, { layout: "wide" })));
    const curve = [...text.match(/gl-curve" d="M([^"]*)"/)[1].matchAll(/([\d.]+) ([\d.]+)/g)].map(
      ([, a, b]) => [+a, +b],
    );
    const [, at, y, anchor, words] =
      /class="gl-slope" data-part="reported" x="([^"]+)" y="([^"]+)"\s*text-anchor="(\w+)"[^>]*>([^<]+)</.exec(
        text,
      );
    const left = anchor === "start" ? Number(at) : Number(at) - 8 * words.length;
    const crossed = curve.some(
      ([a, b]) => a > left && a < left + 8 * words.length && b > y - 10 && b < Number(y) + 3,
    );
    assert.ok(!crossed, `${words} at x = ${x}`);
  }
});
