import assert from "node:assert/strict";
import test from "node:test";
import {
  AXES,
  axis,
  chain,
  close,
  count,
  draw,
  drawing,
  handles,
  LAYOUTS,
  layoutsOf,
  matrix,
  plane,
  profile,
  ring,
  series,
  surface,
  svg,
  texts,
  threshold,
  vector,
  wellDrawn,
} from "../drawings.js";

const multiples = (of, over, more) => ({
  kind: "multiples",
  of,
  over,
  titles: "{n}",
  start: 1,
  across: 4,
  across_narrow: 2,
  ...more,
});
const panels = (wide, ...views) => ({ kind: "panels", wide, views });
const ARROWS = multiples(plane(vector("g")), ["g"]);

test("there is one picture for each place of the leading axis, titled by its number", () => {
  const more = { titles: "step {n}: {size:,.1f}", start: 0 };
  const spec = multiples(plane(vector("g")), ["g", "size"], more);
  for (const layout of LAYOUTS) {
    const text = draw(spec, { g: [...AXES, [1, 1]], size: [1, 2, 3] }, { layout });
    assert.equal(count(text, /gl-vector/g), 3);
    assert.deepEqual(
      texts(text).filter((t) => /step/.test(t)),
      ["step 0: 1.0", "step 1: 2.0", "step 2: 3.0"],
    );
  }
});

test("all pictures have one scale: what is equal looks equal, beside what is large", () => {
  const spec = multiples(profile([series("g")], { y: axis([0, 10]) }), ["g"], { across: 2 });
  const bars = draw(spec, { g: AXES.with(1, [1, 9e9]) }).matchAll(
    /class="gl-bar" d="M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g,
  );
  const heights = [...bars].map(([, a, b]) => a - b);
  assert.equal(heights.length, 4);
  assert.ok(Math.abs(heights[0] - heights[2]) < 0.11);
});

test("where they are narrow, profiles may be lower, in one column with one axis across", () => {
  const levelled = { y: axis([0, 10]), plot: 160, thresholds: [threshold(6)] };
  const spec = multiples(profile([series("g")], levelled), ["g"], { across_narrow: 1, plot_narrow: 120 });
  const heights = (layout) => {
    const text = draw(spec, { g: AXES }, { layout });
    return [...text.matchAll(/<rect class="gl-hit"[^>]* height="(\d+)"/g)].map(([, high]) => Number(high));
  };
  assert.deepEqual(heights("wide"), [160, 160]);
  assert.deepEqual(heights("narrow"), [120, 120]);
  const narrow = draw(spec, { g: AXES }, { layout: "narrow" });
  assert.equal(count(narrow, /gl-level gl-still/g), 2, "a level that stays is no dashed line");
});

const LINES = multiples(
  profile(
    [
      series("thin", { mark: "line", role: "muted", behind: true, label: "others", at: "at" }),
      series("bold", { mark: "line", role: "ink", label: "bold", at: "at" }),
    ],
    { at: "at", x: axis([0, 3]), y: axis([0, 3], { label: "% right" }) },
  ),
  ["at"],
  { titles: ["first: {half:.1f}", "second: {whole}"], across: 2 },
);
const PLACES = {
  thin: [0, 1, 2],
  bold: [2, 1, 0],
  at: [[0, 1, 2], Array(3).fill(Number.NaN)],
  half: 0.5,
  whole: 1,
};

test("the words below the last picture have room inside the whole", () => {
  const labelled = { ...LINES, of: { ...LINES.of, x: axis([0, 3], { label: "rate" }) } };
  for (const layout of LAYOUTS) wellDrawn(drawing(labelled, PLACES, { layout }));
});

test("each picture may have a title of its own, with numbers; the axis is named once", () => {
  for (const layout of LAYOUTS) {
    const found = texts(draw(LINES, PLACES, { layout }));
    assert.ok(found.includes("first: 0.5") && found.includes("second: 1"), found.join());
    assert.equal(found.filter((text) => text === "% right").length, 1);
  }
});

test("a line that has no place is not drawn, and its axes are", () => {
  const text = draw(LINES, PLACES);
  assert.doesNotMatch(text, /NaN/);
  assert.equal(count(text, /gl-ground/g), 2);
  assert.equal(count(text, /class="gl-reach" d="M/g), 1);
});

test("a thin line that is pointed at gives the key its name", () => {
  const parts = [{ name: "thin", words: "the thin one", result: "thin" }];
  const at = (lit) => {
    const drawn = drawing(LINES, PLACES, { lit });
    return texts(svg({ ...drawn, description: { ...drawn.description, parts } }));
  };
  assert.ok(at(null).includes("others") && !at(null).includes("the thin one"));
  const lit = at({ kind: "thin", index: null });
  assert.ok(lit.includes("the thin one") && !lit.includes("others"));
});

test("planes, profiles, matrices and surfaces can be small, in both layouts, holes included", () => {
  const v = AXES.with(1, [Number.NaN, 1]);
  const results = { v, s: [...v, [1, Infinity]], m: [AXES, v] };
  const specs = [
    multiples(plane(vector("v")), ["v"]),
    multiples(profile([series("s")]), ["s"]),
    multiples(matrix(), ["m"]),
    multiples(surface({ field: "m" }), ["m"]),
  ];
  for (const spec of specs) for (const layout of LAYOUTS) wellDrawn(drawing(spec, results, { layout }));
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

test("panels keep their views' handles, where they lie in the whole", () => {
  const spec = panels(
    "beside",
    ["Left", plane(ring("c", { drag: "c", at: 10 }))],
    ["Right", profile([series("g")], { thresholds: [threshold("c", { drag: "c" })] })],
  );
  for (const layout of LAYOUTS) {
    const drawn = drawing(spec, { g: [1, 2] }, { settings: { c: 1.5 }, layout });
    const [first, second, ...others] = handles(drawn);
    assert.equal(others.length, 0);
    const { width, height } = layoutsOf(drawn)[layout];
    for (const { x, y, value } of [first, second]) {
      close(value(x, y), 1.5);
      assert.ok(x > 0 && x < width && y > 0 && y < height);
    }
    assert.ok(layout === "wide" ? second.x - first.x > 300 : second.y - first.y > 200);
    assert.deepEqual(
      texts(svg(drawn)).filter((t) => /Left|Right/.test(t)),
      ["Left", "Right"],
    );
  }
});

test("panels beside each other stand in rows of two, the plots of profiles on one line", () => {
  const level = { thresholds: [threshold("c", { drag: "c" })] };
  const three = [
    ["One", profile([series("g")], level)],
    ["", profile([series("g", { label: "g" }), series("h", { label: "h" })], level)],
    ["Three", profile([series("g")], level)],
  ];
  for (const layout of LAYOUTS) {
    const drawn = drawing(
      panels("beside", ...three),
      { g: [1, 2], h: [2, 1] },
      { settings: { c: 1 }, layout },
    );
    const [one, two, last] = handles(drawn);
    assert.equal(last.x, one.x);
    if (layout === "narrow") assert.ok(one.y < two.y && two.y < last.y && two.x === one.x);
    else {
      assert.ok(two.x - one.x > 300 && last.y - one.y > 200);
      close(one.y, two.y);
    }
  }
});

test("ids are one of a kind, in panels as in multiples", () => {
  const spec = panels("below", ["", plane(ring("c"))], ["", ARROWS]);
  const text = draw(spec, { g: AXES }, { settings: { c: 1 } });
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("every view has two layouts, wide and narrow, and no other", () => {
  const specs = [
    plane(vector("v")),
    profile([series("v")]),
    matrix(),
    surface({ field: "m" }),
    chain({ states: "v", cotangents: "", received: "" }),
    multiples(plane(vector("m")), ["m"]),
    panels("below", ["", plane(vector("v"))]),
  ];
  for (const spec of specs) {
    const found = layoutsOf(drawing(spec, { v: [1, 2], m: AXES }));
    assert.deepEqual(Object.keys(found), ["wide", "narrow"]);
    assert.deepEqual([found.wide.width, found.narrow.width], [688, 320]);
  }
});
