import assert from "node:assert/strict";
import test from "node:test";
import {
  axis,
  broken,
  chain,
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
} from "../drawings.js";

const multiples = (of, over, more = {}) => ({
  kind: "multiples",
  of,
  over,
  titles: "{n}",
  start: 1,
  across: 4,
  across_narrow: 2,
  count: "",
  ...more,
});
const count = (text, what) => [...text.matchAll(what)].length;

test("there is one picture for each place of the leading axis, titled by its number", () => {
  const spec = multiples(plane(vector("g")), ["g", "size"], { titles: "step {n}: {size:,.1f}", start: 0 });
  for (const layout of LAYOUTS) {
    const text = svg(
      drawing(
        spec,
        {
          g: [
            [1, 0],
            [0, 1],
            [1, 1],
          ],
          size: [1, 2, 3],
        },
        { layout },
      ),
    );
    assert.equal(count(text, /gl-vector/g), 3);
    assert.deepEqual(
      texts(text).filter((t) => /step/.test(t)),
      ["step 0: 1.0", "step 1: 2.0", "step 2: 3.0"],
    );
  }
});

test("all pictures have one scale: what is equal looks equal, beside what is large", () => {
  const spec = multiples(profile([series("g")], { y: axis([0, 10]) }), ["g"], { across: 2 });
  const heights = [
    ...svg(
      drawing(spec, {
        g: [
          [1, 4],
          [1, 9e9],
        ],
      }),
    ).matchAll(/class="gl-bar" d="M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g),
  ].map(([, a, b]) => a - b);
  assert.equal(heights.length, 4);
  assert.ok(Math.abs(heights[0] - heights[2]) < 0.11);
});

test("planes, profiles, matrices and surfaces can be small, in both layouts, holes included", () => {
  const results = {
    v: [
      [1, 0],
      [Number.NaN, 1],
    ],
    s: [
      [1, 2, Infinity],
      [3, 4, 5],
    ],
    m: [
      [
        [1, -1],
        [0, 2],
      ],
      [
        [1, 2],
        [3, Number.NaN],
      ],
    ],
  };
  const specs = [
    multiples(plane(vector("v")), ["v"]),
    multiples(profile([series("s")]), ["s"]),
    multiples(matrix({ value: "m" }), ["m"]),
    multiples(surface({ field: "m" }), ["m"]),
  ];
  for (const spec of specs) {
    for (const layout of LAYOUTS) {
      const one = drawing(spec, results, { layout });
      const text = svg(one);
      assert.equal(broken(text), null, spec.of.kind);
      const { width, height } = layoutsOf(one)[layout];
      for (const [, x, y] of text.matchAll(/<text[^>]* x="([-\d.]+)" y="([-\d.]+)"/g)) {
        assert.ok(x >= 0 && x <= width && y >= 0 && y <= height, `${spec.of.kind} ${layout} ${x} ${y}`);
      }
    }
  }
});

test("a lit picture stands out, and the others step back", () => {
  const spec = multiples(plane(vector("g")), ["g"]);
  const text = svg(
    drawing(
      spec,
      {
        g: [
          [1, 0],
          [0, 1],
        ],
      },
      { lit: { kind: "g", index: 2 } },
    ),
  );
  assert.equal(count(text, /<g class="gl-dim">/g), 1);
  assert.equal(count(text, /gl-vector gl-role-cotangent gl-lit/g), 1);
  assert.equal(count(text, /gl-hit[^>]*data-part="g" data-index="\d"/g), 2);
});

test("a ghost is sliced as the values are", () => {
  const spec = multiples(plane(vector("g")), ["g"]);
  const text = svg(
    drawing(
      spec,
      {
        g: [
          [1, 0],
          [0, 1],
        ],
      },
      {
        ghost: {
          g: [
            [1, 0],
            [1, 1],
          ],
        },
      },
    ),
  );
  assert.equal(count(text, /gl-ghost/g), 1);
});

test("panels keep their views' handles, where they lie in the whole", () => {
  const spec = {
    kind: "panels",
    wide: "beside",
    views: [
      ["Left", plane(ring("c", { drag: "c", at: 10 }))],
      ["Right", profile([series("g")], { thresholds: [threshold("c", { drag: "c" })] })],
    ],
  };
  for (const layout of LAYOUTS) {
    const one = drawing(spec, { g: [1, 2] }, { settings: { c: 1.5 }, layout });
    const found = handles(one);
    assert.equal(found.length, 2);
    for (const handle of found) assert.ok(Math.abs(handle.value(handle.x, handle.y) - 1.5) < 1e-9);
    const { width, height } = layoutsOf(one)[layout];
    for (const { x, y } of found) assert.ok(x > 0 && x < width && y > 0 && y < height);
    if (layout === "wide") assert.ok(found[1].x - found[0].x > 300);
    else assert.ok(found[1].y - found[0].y > 200);
    assert.deepEqual(
      texts(svg(one)).filter((t) => /Left|Right/.test(t)),
      ["Left", "Right"],
    );
  }
});

test("ids are one of a kind, in panels as in multiples", () => {
  const inner = multiples(plane(vector("g")), ["g"]);
  const spec = {
    kind: "panels",
    wide: "below",
    views: [
      ["", plane(ring("c"))],
      ["", inner],
    ],
  };
  const text = svg(
    drawing(
      spec,
      {
        g: [
          [1, 0],
          [0, 1],
        ],
      },
      { settings: { c: 1 } },
    ),
  );
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test("every view has two layouts, wide and narrow, and no other", () => {
  const specs = [
    plane(vector("v")),
    profile([series("v")]),
    matrix({ value: "m" }),
    surface({ field: "m" }),
    chain({ states: "v", cotangents: "", received: "" }),
    multiples(plane(vector("m")), ["m"]),
    { kind: "panels", wide: "below", views: [["", plane(vector("v"))]] },
  ];
  for (const spec of specs) {
    const found = layoutsOf(
      drawing(spec, {
        v: [1, 2],
        m: [
          [1, 2],
          [3, 4],
        ],
      }),
    );
    assert.deepEqual(Object.keys(found), ["wide", "narrow"]);
    assert.deepEqual([found.wide.width, found.narrow.width], [688, 320]);
  }
});
