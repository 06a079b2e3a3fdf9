import assert from "node:assert/strict";
import test from "node:test";
import {
  controls,
  drawing,
  givesBack,
  handles,
  known,
  LAYOUTS,
  svg,
  wellDrawn,
} from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const plane = (drag) => ({
  kind: "plane",
  x: [-1, 3],
  y: [-1, 1],
  marks: [
    {
      kind: "vector",
      value: drag,
      role: "cotangent",
      label: "",
      towards: "",
      at: 1,
      tail: "",
      drag,
      along: "",
    },
  ],
});
const NAMES = ["one", "two", "right", "wrong"];
const SPEC = {
  kind: "shards",
  planes: NAMES.map(plane),
  titles: NAMES.map((name, i) => [name, i < 2 ? "" : `{${name}_length:.2f} long`]),
};
const LENGTHS = { right_length: 1, wrong_length: 0.5 };
const settings = { one: [2, -0.5], two: [-0.2, 0.9], right: [1, 0], wrong: [0.4, 0.3] };
const description = (drawn) => ({
  ...drawn.description,
  controls: NAMES.map((name) => ({ name, kind: "point" })),
});
const shards = (more) => {
  const labels = { clip: "clip", sum: "all-reduce", batch: "batch" };
  const drawn = drawing(SPEC, LENGTHS, { settings, labels, ...more });
  return { ...drawn, description: description(drawn) };
};

test("one order clips once, after the all-reduce; the other on each device, before it", () => {
  const boxes = texts(svg(shards())).filter((text) => ["clip", "all-reduce"].includes(text));
  assert.deepEqual(boxes, ["all-reduce", "clip", "clip", "clip", "all-reduce"]);
});

test("each plane has its name, and each order how long its step is", () => {
  const said = texts(svg(shards()));
  for (const words of [...NAMES, "1.00 long", "0.50 long"]) assert.ok(said.includes(words), words);
});

test("each device has half of the batch", () => {
  assert.equal(count(svg(shards()), /v7h-7z/g), 16);
});

test("gradients are dragged in their own planes, and everything lies within the picture", () => {
  for (const layout of LAYOUTS) {
    wellDrawn(shards({ layout }));
    assert.deepEqual(controls(shards({ layout })), NAMES);
    for (const handle of handles(shards({ layout }))) givesBack(handle, settings[handle.control], 1e-9);
  }
});
