import assert from "node:assert/strict";
import test from "node:test";
import { placeLabels } from "../../src/views/common/labels.js";

const type = { letter: 7, size: 17 };
const bounds = { left: 0, right: 300, top: 0, bottom: 200 };

/** The box of a placed label, and how far it is from a point. */
function boxOf({ text, at: [x, y] }) {
  const [half, middle] = [(text.length * type.letter) / 2, y - type.size * 0.33];
  return { left: x - half, right: x + half, top: middle - type.size / 2, bottom: middle + type.size / 2 };
}
const away = ({ left, right, top, bottom }, x, y) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

test("a label keeps its distance from its point, wherever it is to stand", () => {
  for (const text of ["b", "your guess", "the gradient before the clip"])
    for (let turn = 0; turn < 64; turn++) {
      const towards = [Math.cos((turn * Math.PI) / 32), Math.sin((turn * Math.PI) / 32)];
      const [label] = placeLabels([{ text, x: 150, y: 100, towards, gap: 12 }], bounds, type);
      const off = away(boxOf(label), 150, 100);
      assert.ok(off > 12 - 1e-9 && off < 13, `${text} at ${towards}: ${off}`);
    }
});

test("a label stays within the bounds and off its mark, also in a corner", () => {
  for (let x = 8; x <= 292; x += 4)
    for (let y = 8; y <= 192; y += 4) {
      const ring = { left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 };
      const label = { text: "your guess", x, y, towards: [x < 150 ? 1 : -1, -0.8], gap: 12 };
      const { left, right, top, bottom } = boxOf(placeLabels([label], bounds, type, [ring])[0]);
      assert.ok(left >= -1e-6 && right <= 300 + 1e-6 && top >= -1e-6 && bottom <= 200 + 1e-6, `${x}, ${y}`);
      const clear = left >= ring.right || right <= ring.left || top >= ring.bottom || bottom <= ring.top;
      assert.ok(clear, `${x}, ${y}`);
    }
});

test("a label that is to be near keeps its side, whatever it covers", () => {
  const wall = { left: 0, right: 300, top: 0, bottom: 99 };
  const label = { text: "26°", x: 150, y: 100, towards: [0, -1], gap: 5 };
  assert.ok(boxOf(placeLabels([label], bounds, type, [wall])[0]).bottom > 99, "another goes below");
  const near = boxOf(placeLabels([{ ...label, near: true }], bounds, type, [wall])[0]);
  assert.ok(near.bottom <= 100, "above its point");
  assert.ok(away(near, 150, 100) < 6, "and close to it");
});
