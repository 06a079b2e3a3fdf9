import assert from "node:assert/strict";
import test from "node:test";
import { draw, drawing, givesBack, handles, LAYOUTS, layoutsOf, svg, wellDrawn } from "../drawings.js";
import { close, count, numbers, texts } from "../pictures.js";
import { AXES, axis, line, multiples, plane, profile, ring, series, threshold, vector } from "../specs.js";

const panels = (wide, ...views) => ({ kind: "panels", wide, views });
const ARROWS = multiples(plane(vector("g")), ["g"]);
const BARS = [series("g")];
const HELD = { thresholds: [threshold("c", { drag: "c" })] };

test("there is one picture for each place of the leading axis, titled by its number", () => {
  const spec = multiples(plane(vector("g")), ["g", "size"], { titles: "step {n}: {size:,.1f}" });
  const text = draw(spec, { g: [...AXES, [1, 1]], size: [1, 2, 3] });
  assert.equal(count(text, /gl-vector/g), 3);
  const titles = texts(text).filter((t) => /step/.test(t));
  assert.deepEqual(titles, ["step 1: 1.0", "step 2: 2.0", "step 3: 3.0"]);
});

test("all pictures have one scale: equal values look equal, even beside large ones", () => {
  const text = draw(multiples(profile(BARS), ["g"], { across: 2 }), { g: AXES.with(1, [1, 9e9]) });
  const heights = numbers(text, /class="gl-bar" d="M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g).map(([a, b]) => a - b);
  assert.equal(heights.length, 4);
  close(heights[0], heights[2], 0.11);
});

test("where they are narrow, profiles may be lower, in one column with one axis across", () => {
  const levelled = profile(BARS, { plot: 160, thresholds: [threshold(6)] });
  const spec = multiples(levelled, ["g"], { across_narrow: 1, plot_narrow: 120 });
  const [wide, narrow] = LAYOUTS.map((layout) => draw(spec, { g: AXES }, { layout }));
  const heights = (text) => numbers(text, /<rect class="gl-hit"[^>]* height="(\d+)"/g).flat();
  assert.deepEqual([heights(wide), heights(narrow)], [Array(2).fill(160), Array(2).fill(120)]);
  assert.equal(count(narrow, /gl-level gl-still/g), 2, "a level that stays is no dashed line");
});

const thin = line("thin", { role: "muted", behind: true, label: "others", at: "at" });
const bold = line("bold", { role: "ink", label: "bold", at: "at" });
const scales = { x: axis([0, 3], { label: "rate" }), y: axis([0, 3], { label: "% right" }) };
const TITLES = { titles: ["first: {half:.1f}", "second: {whole}"], across: 2 };
const LINES = multiples(profile([thin, bold], { at: "at", ...scales }), ["at"], TITLES);
const VALUES = { thin: [0, 1, 2], bold: [2, 1, 0], half: 0.5, whole: 1 };
const PLACES = { ...VALUES, at: [[0, 1, 2], Array(3).fill(Number.NaN)] };

test("each picture may have a title of its own, with numbers; the axis is named once, and all words have room", () => {
  for (const layout of LAYOUTS) {
    const found = texts(wellDrawn(drawing(LINES, PLACES, { layout })));
    assert.ok(found.includes("first: 0.5") && found.includes("second: 1"), found.join());
    assert.equal(found.filter((text) => text === "% right").length, 1);
  }
});

test("a line without places isn't drawn, but its axes are", () => {
  const text = draw(LINES, PLACES);
  assert.doesNotMatch(text, /NaN/);
  assert.equal(count(text, /gl-ground/g), 2);
  assert.equal(count(text, /class="gl-reach" d="M/g), 1);
});

test("pointing at a thin line puts its name into the key", () => {
  const named = (lit) => {
    const drawn = drawing(LINES, PLACES, { lit });
    drawn.description.parts = [{ name: "thin", words: "the thin one", result: "thin" }];
    return texts(svg(drawn)).filter((text) => /others|thin/.test(text));
  };
  assert.deepEqual(named(null), ["others"]);
  assert.deepEqual(named({ kind: "thin", index: null }), ["the thin one"]);
});

test("a lit picture stands out, and the others step back", () => {
  const text = draw(ARROWS, { g: AXES }, { lit: { kind: "g", index: 2 } });
  assert.equal(count(text, /<g class="gl-dim">/g), 1);
  assert.equal(count(text, /gl-vector gl-role-cotangent gl-lit/g), 1);
  assert.equal(count(text, /gl-hit[^>]*data-part="g" data-index="\d"/g), 2);
});

test("a ghost is sliced as the values are", () => {
  const text = draw(ARROWS, { g: AXES }, { ghost: { g: AXES.with(1, [1, 1]) } });
  assert.equal(count(text, /gl-ghost/g), 1);
});

test("panels keep their views' handles where they lie: in rows of two, the plots of profiles on one line", () => {
  const keyed = profile([series("g", { label: "g" }), series("h", { label: "h" })], HELD);
  const circle = plane(ring("c", { drag: "c", at: 10 }));
  const views = [
    ["One", profile(BARS, HELD)],
    ["", keyed],
    ["Three", circle],
  ];
  for (const layout of LAYOUTS) {
    const results = { g: [1, 2], h: [2, 1] };
    const drawn = drawing(panels("beside", ...views), results, { settings: { c: 1.5 }, layout });
    const [first, second, third] = handles(drawn);
    const { width, height } = layoutsOf(drawn)[layout];
    for (const handle of [first, second, third]) {
      givesBack(handle, 1.5);
      assert.ok(handle.x > 0 && handle.x < width && handle.y > 0 && handle.y < height);
    }
    if (layout === "narrow") assert.ok(second.y - first.y > 200);
    else assert.deepEqual([second.x > first.x + 300, second.y], [true, first.y]);
    assert.ok(third.y - second.y > 50);
    assert.match(texts(svg(drawn)).join(), /One.*Three/);
  }
});

test("parts of panels that are linked light up together, each under its own name", () => {
  const spec = {
    ...panels("beside", ["", profile([line("g")])], ["", profile([line("h")])]),
    linked: [["g", "h"]],
  };
  for (const kind of ["g", "h"])
    assert.equal(count(draw(spec, { g: [1, 2], h: [2, 1] }, { lit: { kind, index: null } }), /gl-lit/g), 2);
});

test("ids are unique, in panels as in multiples", () => {
  const spec = panels("below", ["", plane(ring(1))], ["", ARROWS]);
  const ids = draw(spec, { g: AXES }).match(/ id="([^"]*)"/g);
  assert.equal(new Set(ids).size, ids.length);
});
