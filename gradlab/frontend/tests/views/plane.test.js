import assert from "node:assert/strict";
import test from "node:test";
import {
  broken,
  drawing,
  handles,
  LAYOUTS,
  layoutsOf,
  plane,
  ring,
  svg,
  texts,
  vector,
} from "../drawings.js";

const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} and ${b}`);

test("units are equally long on both axes", () => {
  const spec = plane(ring("r", { drag: "r", at: 0 }), ring("r", { drag: "r", at: 90 }));
  for (const layout of LAYOUTS) {
    const one = drawing(spec, {}, { settings: { r: 1 }, layout });
    const [right, up] = handles(one);
    const [cx, cy] = [up.x, right.y];
    close(right.x - cx, cy - up.y);
  }
});

test("a handle lies where its value puts it, and gives that value back", () => {
  const spec = plane(
    vector("p", { drag: "p" }),
    vector("q", { tail: "p", drag: "q" }),
    vector("through", { tail: "p", drag: "s", along: "whole" }),
    ring("c", { drag: "c", center: [0.2, 0.1], at: 200 }),
  );
  for (const layout of LAYOUTS) {
    const settings = { p: [0.5, -0.3], q: [-0.4, 0.2], s: 0.25, c: 0.7 };
    const one = drawing(spec, { through: [0.1, 0.2], whole: [0.4, 0.8] }, { settings, layout });
    const found = Object.fromEntries(handles(one).map((h) => [h.control, h.value(h.x, h.y)]));
    assert.deepEqual(Object.keys(found), ["p", "q", "s", "c"]);
    for (const name of ["p", "q"]) {
      for (const i of [0, 1]) close(found[name][i], settings[name][i]);
    }
    close(found.s, 0.25);
    close(found.c, 0.7);
  }
});

test("a place on the plane is the same pixel whatever is set", () => {
  const spec = plane(vector("p", { drag: "p" }), vector("g"));
  const at = (g) => handles(drawing(spec, { g }, { settings: { p: [1, 1] } }))[0];
  for (const g of [
    [0, 0],
    [1e9, 0],
    [Number.NaN, 1],
  ])
    assert.deepEqual([at(g).x, at(g).y], [at([1, 1]).x, at([1, 1]).y]);
});

test("what is not finite is said in words, and no attribute holds it", () => {
  const spec = plane(vector("g", { label: "g" }), ring("c", { label: "c", drag: "c" }), {
    ...vector("m"),
    kind: "image",
    matrix: "m",
    radius: 1,
  });
  for (const layout of LAYOUTS) {
    const text = svg(
      drawing(
        spec,
        {
          g: [Number.NaN, 1],
          m: [
            [1, Infinity],
            [0, 1],
          ],
        },
        { settings: { c: Infinity }, layout },
      ),
    );
    assert.equal(broken(text), null);
    assert.deepEqual(texts(text).filter((t) => /NaN|infinite|finite/.test(t)).length, 3);
  }
});

test("an arrow that leaves the plot is cut at its edge, and its length is written", () => {
  const text = svg(drawing(plane(vector("g", { label: "g" })), { g: [30, 40] }));
  assert.match(text, /gl-cut/);
  assert.ok(texts(text).includes("g, 50.0 long"));
  assert.doesNotMatch(svg(drawing(plane(vector("g", { label: "g" })), { g: [1, 1] })), /gl-cut/);
});

test("head to tail, each arrow starts where the one before it ends", () => {
  const rows = [
    [1, 0],
    [0, 1],
    [-0.5, 0.5],
  ];
  const chained = svg(drawing(plane(vector("g", { chained: true })), { g: rows }));
  const sum = svg(drawing(plane(vector("g")), { g: [0.5, 1.5] }));
  const end = /gl-tip" d="M([\d.]+ [\d.]+)/;
  assert.equal([...chained.matchAll(new RegExp(end, "g"))].at(-1)[1], sum.match(end)[1]);
});

test("before is an outline, and the ghost of a drag is one too", () => {
  assert.match(svg(drawing(plane(vector("g", { before: true })), { g: [1, 1] })), /gl-outline/);
  const spec = plane(vector("g"));
  assert.match(svg(drawing(spec, { g: [1, 1] }, { ghost: { g: [1, 0] } })), /gl-ghost/);
  assert.doesNotMatch(svg(drawing(spec, { g: [1, 1] }, { ghost: { g: [1, 1] } })), /gl-ghost/);
});

test("an outline that equals its solid arrow is not drawn", () => {
  const spec = plane(vector("w", { before: true, unless: "v" }));
  const text = svg(
    drawing(spec, {
      w: [
        [1, 1],
        [0, 1],
      ],
      v: [
        [1, 1],
        [0, 0.5],
      ],
    }),
  );
  assert.equal(text.match(/data-part="w"/g).length, 1);
});

test("concealed results are not in the markup, nor in the words about them", () => {
  const spec = plane(vector("g", { label: "g = {g}", key: "g is {g}" }), vector("h", { label: "at {g}" }));
  const text = svg(drawing(spec, { g: [0.625, 0.5], h: [1, 1] }, { concealed: new Set(["g"]) }));
  assert.equal(text.match(/gl-vector/g).length, 1);
  assert.doesNotMatch(text, /0\.63|0\.62/);
  assert.ok(texts(text).includes("at ?"));
});

test("two hundred arrows are one path, and what leaves the plot is counted", () => {
  const cloud = { kind: "cloud", value: "g", shape: "arrows", role: "cotangent", key: "" };
  const g = Array.from({ length: 200 }, (_, i) => [Math.cos(i), Math.sin(i)]);
  g[3] = [9, 9];
  g[4] = [Number.NaN, 0];
  const text = svg(drawing(plane(cloud), { g }));
  assert.equal(text.match(/class="gl-cloud"/g).length, 1);
  assert.ok(texts(text).includes("1 of 200 beyond the plot"));
  assert.ok(texts(text).includes("1 of 200 not finite"));
  assert.equal(broken(text), null);
});

test("the image of the unit circle under the identity is the unit circle", () => {
  const image = { kind: "image", matrix: "m", radius: 1, label: "", role: "cotangent", key: "" };
  const one = drawing(plane(image, ring(1, { drag: "r", at: 0 })), {
    m: [
      [1, 0],
      [0, 1],
    ],
  });
  const { left, right, top, bottom } = layoutsOf(one).wide;
  const [cx, cy, r] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 4];
  const path = svg(one).match(/gl-ellipse[^>]* d="([^"]*)"/)[1];
  const points = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [x - cx, y - cy]);
  assert.equal(points.length, 1 + 3 * 4); // a start, and four cubic curves
  for (let i = 0; i < 12; i += 3) {
    for (const s of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) {
      const weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s ** 2 * (1 - s), s ** 3];
      const at = (axis) => weights.reduce((sum, w, j) => sum + w * points[i + j][axis], 0);
      assert.ok(Math.abs(Math.hypot(at(0), at(1)) - r) < 0.15);
    }
  }
});

test("a guess is placed by a handle, and tied to the truth once committed", () => {
  const spec = plane(vector("mean", { role: "parameter" }));
  const prediction = { how: "place", answer: "mean" };
  const open = drawing(
    spec,
    { mean: [1, 0] },
    { guess: { value: [0.5, 0.25], committed: false }, prediction },
  );
  const [handle] = handles(open);
  assert.equal(handle.control, "guess");
  for (const i of [0, 1]) close(handle.value(handle.x, handle.y)[i], [0.5, 0.25][i]);
  assert.deepEqual(handle.value(-1e4, 1e4), [-2, -2]);
  assert.doesNotMatch(svg(open), /gl-gap-to/);
  assert.ok(texts(svg(open)).includes("your guess"));
  const done = drawing(
    spec,
    { mean: [1, 0] },
    { guess: { value: [0.5, 0.25], committed: true, answer: [1, 0] }, prediction },
  );
  assert.deepEqual(handles(done), []);
  assert.match(svg(done), /gl-gap-to/);
});

test("a guess that waits has a handle, and is not taken for one", () => {
  const prediction = { how: "place", answer: "mean" };
  const waiting = drawing(
    plane(vector("mean")),
    { mean: [1, 0] },
    { guess: { value: null, committed: false }, prediction },
  );
  assert.equal(handles(waiting).length, 1);
  assert.equal(broken(svg(waiting)), null);
  const asked = { ...prediction, how: "number" };
  assert.deepEqual(handles({ ...waiting, description: { ...waiting.description, prediction: asked } }), []);
});

test("labels keep off each other", () => {
  const spec = plane(...["a", "b", "c", "d"].map((name) => vector(name, { label: `label of ${name}` })));
  const results = { a: [1, 1], b: [1.05, 1], c: [1, 0.95], d: [1.02, 1.05] };
  const found = [...svg(drawing(spec, results)).matchAll(/gl-named[^>]* x="([\d.]+)" y="([\d.]+)"/g)].map(
    ([, x, y]) => [Number(x), Number(y)],
  );
  assert.equal(found.length, 4);
  for (const [i, a] of found.entries()) {
    for (const b of found.slice(i + 1)) assert.ok(Math.abs(a[0] - b[0]) > 60 || Math.abs(a[1] - b[1]) > 14);
  }
});

test("a lit row stands out and its peers step back; other parts stay", () => {
  const spec = plane(vector("g"), vector("h"));
  const text = svg(
    drawing(
      spec,
      {
        g: [
          [1, 0],
          [0, 1],
        ],
        h: [1, 1],
      },
      { lit: { kind: "g", index: 2 } },
    ),
  );
  assert.match(text, /gl-dim" data-part="g" data-index="1"/);
  assert.match(text, /gl-lit" data-part="g" data-index="2"/);
  assert.match(text, /gl-role-cotangent" data-part="h"/);
});
