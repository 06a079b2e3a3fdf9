import assert from "node:assert/strict";
import test from "node:test";
import { boxOf, meet, placeLabels } from "../../src/views/common/labels.js";

const type = { letter: 7, size: 17 };
const bounds = { left: 0, right: 300, top: 0, bottom: 200 };
const placed = (label, ...taken) => boxOf(placeLabels([label], bounds, type, taken)[0], type);
const away = ({ left, right, top, bottom }, x, y) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

test("a label keeps its distance from its point, in every direction", () => {
  for (const text of ["b", "your guess", "the gradient before the clip"])
    for (let turn = 0; turn < 64; turn++) {
      const towards = [Math.cos((turn * Math.PI) / 32), Math.sin((turn * Math.PI) / 32)];
      const off = away(placed({ text, x: 150, y: 100, towards, gap: 12 }), 150, 100);
      assert.ok(off > 12 - 1e-9 && off < 13, `${text} at ${towards}: ${off}`);
    }
});

test("a label stays within the bounds and off its mark, even in a corner", () => {
  for (let x = 8; x <= 292; x += 4)
    for (let y = 8; y <= 192; y += 4) {
      const ring = { left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 };
      const label = { text: "your guess", x, y, towards: [x < 150 ? 1 : -1, -0.8], gap: 12 };
      const box = placed(label, ring);
      const { left, right, top, bottom } = box;
      assert.ok(left >= -1e-6 && right <= 300 + 1e-6 && top >= -1e-6 && bottom <= 200 + 1e-6, `${x}, ${y}`);
      assert.ok(!meet(box, ring), `${x}, ${y}`);
    }
});

test("a label that is to be near keeps its side, whatever it covers", () => {
  const wall = { left: 0, right: 300, top: 0, bottom: 99 };
  const label = { text: "26°", x: 150, y: 100, towards: [0, -1], gap: 5 };
  assert.ok(placed(label, wall).bottom > 99, "another goes below");
  const near = placed({ ...label, near: true }, wall);
  assert.ok(near.bottom <= 100, "above its point");
  assert.ok(away(near, 150, 100) < 6, "and close to it");
});
