import assert from "node:assert/strict";
import test from "node:test";
import {
  AXES,
  broken,
  close,
  count,
  draw,
  drawing,
  handles,
  LAYOUTS,
  layoutsOf,
  plane,
  points,
  ring,
  svg,
  texts,
  vector,
} from "../drawings.js";

test("units are equally long on both axes", () => {
  const spec = plane(ring("r", { drag: "r", at: 0 }), ring("r", { drag: "r", at: 90 }));
  for (const layout of LAYOUTS) {
    const [right, up] = handles(drawing(spec, {}, { settings: { r: 1 }, layout }));
    close(right.x - up.x, right.y - up.y);
  }
});

test("a handle lies where its value puts it, and gives that value back", () => {
  const spec = plane(
    vector("p", { drag: "p" }),
    vector("q", { tail: "p", drag: "q" }),
    vector("through", { tail: "p", drag: "s", along: "whole" }),
    ring("c", { drag: "c", center: [0.2, 0.1], at: 200 }),
  );
  const settings = { p: [0.5, -0.3], q: [-0.4, 0.2], s: 0.25, c: 0.7 };
  for (const layout of LAYOUTS) {
    const found = handles(drawing(spec, { through: [0.1, 0.2], whole: [0.4, 0.8] }, { settings, layout }));
    const values = Object.fromEntries(found.map(({ control, value, x, y }) => [control, value(x, y)]));
    assert.deepEqual(Object.keys(values), Object.keys(settings));
    for (const [name, value] of Object.entries(settings)) {
      for (const [i, x] of [value].flat().entries()) close([values[name]].flat()[i], x);
    }
  }
});

test("a ring may be a square: its handle lies on the side, and gives the half side back", () => {
  const spec = plane(ring("c", { label: "c", drag: "c", center: [0.2, 0.1], at: 10, square: "box" }));
  for (const layout of LAYOUTS) {
    const drawn = (/** @type {number} */ box) => drawing(spec, { box }, { settings: { c: 0.7 }, layout });
    const [circle, square] = [0, 1].map((box) => handles(drawn(box))[0]);
    for (const { value, x, y } of [circle, square]) close(value(x, y), 0.7);
    assert.ok(square.x > circle.x, "the side is where the circle is widest");
    assert.equal(square.value(square.x, square.y + 3), square.value(square.x, square.y));
    assert.match(svg(drawn(1)), /<rect class="gl-ring/);
    assert.match(svg(drawn(0)), /<circle class="gl-ring/);
  }
});

test("a label stands in the direction that its arrow asks for", () => {
  const of = (/** @type {object} */ more) => plane(vector("g", { label: "g", ...more }));
  const at = (/** @type {any} */ spec) =>
    draw(spec, { g: [0.5, 0.5] }).match(/x="([\d.]+)" y="([\d.]+)"[^>]*>g</);
  const [right, left] = [at(of({})), at(of({ towards: [-1, 0] }))];
  assert.ok(Number(left?.[1]) < Number(right?.[1]));
});

test("a place on the plane is the same pixel whatever is set", () => {
  const spec = plane(vector("p", { drag: "p" }), vector("g"));
  const places = [1, 0, 1e9, Number.NaN].map((x) => {
    const [handle] = handles(drawing(spec, { g: [x, 1] }, { settings: { p: [1, 1] } }));
    return `${handle.x} ${handle.y}`;
  });
  assert.equal(new Set(places).size, 1);
});

test("what is not finite is said in words, and no attribute holds it", () => {
  const image = { kind: "image", matrix: "m", radius: 1, role: "cotangent" };
  const spec = plane(vector("g", { label: "g" }), ring("c", { label: "c", drag: "c" }), image);
  const infinite = AXES.with(0, [1, Infinity]);
  for (const layout of LAYOUTS) {
    const text = draw(spec, { g: [Number.NaN, 1], m: infinite }, { settings: { c: Infinity }, layout });
    assert.equal(broken(text), null);
    assert.equal(texts(text).filter((t) => /NaN|infinite|finite/.test(t)).length, 3);
  }
});

test("an arrow that leaves the plot is cut at its edge, and its length is written", () => {
  const arrow = (...g) => draw(plane(vector("g", { label: "g" })), { g });
  assert.match(arrow(30, 40), /gl-cut/);
  assert.ok(texts(arrow(30, 40)).includes("g, 50.0 long"));
  const told = draw(plane(vector("g", { label: "×{g.0}" })), { g: [30, 40] });
  assert.doesNotMatch(told, / long/, "a name with a number says it already");
  assert.doesNotMatch(arrow(1, 1), /gl-cut/);
});

test("head to tail, each arrow starts where the one before it ends", () => {
  const tips = (g, more) =>
    [...draw(plane(vector("g", more)), { g }).matchAll(/gl-tip" d="M([\d.]+ [\d.]+)/g)].map(([, tip]) => tip);
  const chained = tips([...AXES, [-0.5, 0.5]], { chained: true });
  assert.equal(chained.at(-1), tips([0.5, 1.5])[0]);
});

test("before is an outline, and the ghost of a drag is one too", () => {
  assert.match(draw(plane(vector("g", { before: true })), { g: [1, 1] }), /gl-outline/);
  const from = (g) => draw(plane(vector("g")), { g: [1, 1] }, { ghost: { g } });
  assert.match(from([1, 0]), /gl-ghost/);
  assert.doesNotMatch(from([1, 1]), /gl-ghost/);
});

test("an outline that equals its solid arrow is not drawn", () => {
  const text = draw(plane(vector("w", { before: true, unless: "v" })), {
    w: AXES,
    v: AXES.with(1, [0, 0.5]),
  });
  assert.equal(count(text, /data-part="w"/g), 1);
});

test("concealed results are not in the markup, nor in the words about them", () => {
  const spec = plane(vector("g", { label: "g = {g}", key: "g is {g}" }), vector("h", { label: "at {g}" }));
  const text = draw(spec, { g: [0.625, 0.5], h: [1, 1] }, { concealed: new Set(["g"]) });
  assert.equal(count(text, /gl-vector/g), 1);
  assert.doesNotMatch(text, /0\.63|0\.62/);
  assert.ok(texts(text).includes("at ?"));
});

test("two hundred dots are one path, and what leaves the plot is counted", () => {
  const cloud = { kind: "cloud", value: "g", shape: "dots", tails: "", role: "cotangent", label: "", at: "" };
  const around = Array.from({ length: 200 }, (_, i) => [Math.cos(i), Math.sin(i)]);
  const text = draw(plane(cloud), { g: around.with(3, [9, 9]).with(4, [Number.NaN, 0]) });
  assert.equal(count(text, /class="gl-cloud gl-dots" d="M[^"]/g), 1);
  assert.ok(texts(text).includes("1 of 200 beyond the plot"));
  assert.ok(texts(text).includes("1 of 200 not finite"));
  assert.equal(broken(text), null);
});

test("a thread leads to each dot that has moved, and only these have a tip where they were", () => {
  const base = { kind: "cloud", role: "ink", label: "", at: "" };
  const dots = { ...base, value: "k", shape: "dots", tails: "g" };
  const tips = { ...base, value: "g", shape: "tips", tails: "k" };
  const values = {
    g: [
      [1, 0],
      [0.5, 0.5],
    ],
    k: [
      [0.5, 0],
      [0.5, 0.5],
    ],
  };
  const strokes = (/** @type {any} */ mark) => draw(plane(mark), values);
  const moves = (/** @type {string} */ text, /** @type {RegExp} */ path) =>
    count(text.match(path)?.[1] ?? "", /M/g);
  assert.equal(moves(strokes(dots), /gl-thread" d="([^"]*)"/), 1);
  assert.equal(moves(strokes(dots), /gl-dots" d="([^"]*)"/), 1);
  assert.equal(moves(strokes(tips), /gl-thread" d="([^"]*)"/), 0);
  assert.equal(moves(strokes(tips), /gl-tips" d="([^"]*)"/), 0);
  assert.equal(moves(strokes(tips), /gl-tips gl-moved" d="([^"]*)"/), 1);
});

test("an arc goes the short way from one arrow's direction to another's, with its label", () => {
  const arc = { kind: "arc", value: "h", start: "g", radius: 0.5, label: "{angle}", role: "ink" };
  const drawn = (/** @type {number[]} */ h, /** @type {any} */ rest = {}) =>
    draw(plane(arc), { g: [1, 0], h, angle: 90 }, rest);
  assert.match(drawn([0, 1]), /gl-arc[^>]* d="M[^A]*A[\d.]+ [\d.]+ 0 0 0 /);
  assert.match(drawn([0, -1]), /gl-arc[^>]* d="M[^A]*A[\d.]+ [\d.]+ 0 0 1 /);
  assert.ok(texts(drawn([0, 1])).includes("90"));
  for (const none of [
    [2, 0],
    [0, 0],
    [Number.NaN, 1],
  ])
    assert.doesNotMatch(drawn(none), /gl-arc/);
  assert.doesNotMatch(drawn([0, 1], { concealed: new Set(["h"]) }), /gl-arc/);
});

test("the image of the unit circle under the identity is the unit circle", () => {
  const image = { kind: "image", matrix: "m", radius: 1, role: "cotangent" };
  const drawn = drawing(plane(image), { m: AXES });
  const { left, right, top, bottom } = layoutsOf(drawn).wide;
  const [cx, cy, r] = [(left + right) / 2, (top + bottom) / 2, (right - left) / 4];
  const path = points(svg(drawn).match(/gl-ellipse[^>]* d="([^"]*)"/)[1]);
  assert.equal(path.length, 1 + 3 * 4); // a start, and four cubic curves
  for (let i = 0; i < 12; i += 3) {
    for (const s of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]) {
      const weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s ** 2 * (1 - s), s ** 3];
      const at = (axis) => weights.reduce((sum, w, j) => sum + w * path[i + j][axis], 0);
      assert.ok(Math.abs(Math.hypot(at(0) - cx, at(1) - cy) - r) < 0.15);
    }
  }
});

test("a guess is placed by a handle, and tied to the truth once committed", () => {
  const prediction = { how: "place", answer: "mean", guess: { initial: [1, -0.5] } };
  const asked = (guess) =>
    drawing(plane(vector("mean", { role: "parameter" })), { mean: [1, 0] }, { guess, prediction });
  const value = [0.5, 0.25];
  const open = asked({ value, committed: false });
  const [handle] = handles(open);
  assert.equal(handle.control, "guess");
  for (const i of [0, 1]) close(handle.value(handle.x, handle.y)[i], value[i]);
  assert.deepEqual(handle.value(-1e4, 1e4), [-2, -2]);
  assert.doesNotMatch(svg(open), /gl-gap-to/);
  assert.ok(texts(svg(open)).includes("your guess"));
  const done = asked({ value, committed: true, answer: [1, 0] });
  assert.deepEqual(handles(done), []);
  assert.match(svg(done), /gl-gap-to/);
  const waiting = asked({ value: null, committed: false });
  const [start, ...more] = handles(waiting);
  assert.deepEqual(more, []);
  for (const i of [0, 1]) close(start.value(start.x, start.y)[i], prediction.guess.initial[i]);
  assert.equal(broken(svg(waiting)), null);
  const number = { ...waiting.description, prediction: { ...prediction, how: "number" } };
  assert.deepEqual(handles({ ...waiting, description: number }), []);
});

test("labels keep off each other", () => {
  const results = { a: [1, 1], b: [1.05, 1], c: [1, 0.95], d: [1.02, 1.05] };
  const marks = Object.keys(results).map((name) => vector(name, { label: `label of ${name}` }));
  const found = [...draw(plane(...marks), results).matchAll(/gl-named[^>]* x="([\d.]+)" y="([\d.]+)"/g)].map(
    ([, x, y]) => [Number(x), Number(y)],
  );
  assert.equal(found.length, 4);
  for (const [i, a] of found.entries()) {
    for (const b of found.slice(i + 1)) assert.ok(Math.abs(a[0] - b[0]) > 60 || Math.abs(a[1] - b[1]) > 14);
  }
});

test("a lit row stands out and its peers step back; other parts stay", () => {
  const text = draw(
    plane(vector("g"), vector("h")),
    { g: AXES, h: [1, 1] },
    { lit: { kind: "g", index: 2 } },
  );
  assert.match(text, /gl-dim" data-part="g" data-index="1"/);
  assert.match(text, /gl-lit" data-part="g" data-index="2"/);
  assert.match(text, /gl-role-cotangent" data-part="h"/);
});

test("an inset lies beside the plot, above the key, or below both, and its parts light up", () => {
  const inset = {
    size: [120, 40],
    arrows: [["g", "own", [100, 20], [30, 20]]],
    bars: [["g", "own", [60, 20]]],
    rings: [["state", [20, 20]]],
    words: [["h", "state", [20, 24], "middle"]],
  };
  const without = plane(vector("g", { key: "g" }));
  const spec = { ...without, inset };
  for (const layout of LAYOUTS) {
    const [bare, room] = [without, spec].map((each) => layoutsOf(drawing(each, { g: [1, 0] }))[layout]);
    const text = svg(drawing(spec, { g: [1, 0] }, { layout, lit: { kind: "g" } }));
    assert.equal(broken(text), null);
    assert.equal(count(text, /data-part="g"/g), 4, "the arrow, its line of the key, and two of the inset");
    assert.deepEqual(
      [room.left, room.right, room.top, room.bottom],
      [bare.left, bare.right, bare.top, bare.bottom],
    );
    if (layout === "wide") {
      assert.equal(room.height, bare.height);
      assert.ok(room.inset.x > room.right && room.inset.y >= room.top && room.inset.y + 40 < room.key.y);
    } else {
      assert.equal(room.height, bare.height + 40 + 24);
      assert.ok(room.inset.y > room.key.y && room.inset.y + 40 <= room.height);
    }
  }
});

test("a mark is there while what it is bound to is not 0, and a bar of an inset is, too", () => {
  const spec = {
    ...plane(vector("g", { when: "on" }), vector("g", { before: true })),
    inset: { size: [90, 40], arrows: [], bars: [["g", "own", [5, 20], "on"]], rings: [], words: [] },
  };
  const drawn = (on) => draw(spec, { g: [1, 1] }, { settings: { on } });
  assert.deepEqual(
    [0, 1].map((on) => [count(drawn(on), /gl-tip/g), count(drawn(on), /gl-bar-across/g)]),
    [
      [0, 0],
      [1, 1],
    ],
  );
});

test("where marks say what was before, no ghost stands beside them", () => {
  const ghosts = (spec) => count(draw(spec, { g: [1, 1] }, { ghost: { g: [0, 1] } }), /gl-ghost/g);
  const spec = plane(vector("g"));
  assert.deepEqual([ghosts(spec), ghosts({ ...spec, ghosts: false })], [1, 0]);
});

test("a label keeps off the handle at its arrow's head, whoever's it is", () => {
  const off = (drag) => {
    const text = draw(
      plane(vector("p", { drag }), vector("g", { label: "g" })),
      { g: [1, 0] },
      { settings: { p: [1, 0] } },
    );
    return Number(text.match(/x="([\d.]+)"[^>]*>g</)[1]);
  };
  close(off("p") - off(undefined), 5, 0.2);
});
