import assert from "node:assert/strict";
import test from "node:test";
import { broken, drawing, handles, LAYOUTS, layoutsOf, svg, texts } from "../drawings.js";

const STATIONS = ["x", "h", "cotangent", "gradient", "update", "w"];
const TOKENS = ["scale", "clip", "stop"];
const choice = (name, options) => ({ name, kind: "choice", options: options.map((one) => [one, one]) });

/** A board: `after` is `before`, but for the places that are given. */
function board({ places = {}, settings = {}, results = {}, layout = "wide", ...more } = {}) {
  const before = STATIONS.map(() => [
    [1, 0.5],
    [-0.4, 0.6],
  ]);
  const after = STATIONS.map((name, i) => places[name] ?? before[i]);
  const all = { before, after, ring: 0, loss_before: 2, loss_after: 2, loss_changes: 0, ...results };
  const one = drawing({ kind: "board" }, all, {
    settings: { token: "scale", station: "h", optimizer: "sgd", limit: 1, ...settings },
    layout,
    ...more,
  });
  one.description.controls = [choice("token", TOKENS), choice("station", STATIONS)];
  one.description.labels = {
    ...Object.fromEntries([...STATIONS, ...TOKENS].map((name) => [name, `the ${name}`])),
    ...Object.fromEntries(STATIONS.map((name) => [`${name} name`, "place"])),
    application: "f",
    loss: "loss {loss_before}",
    "loss after": "now {loss_after}",
    through: "through",
    direct: "directly",
    sgd: "SGD",
  };
  return one;
}
const count = (text, what) => [...text.matchAll(what)].length;

test("every place has its two arrows, and all that is drawn is a number within the board", () => {
  for (const layout of LAYOUTS) {
    const one = board({
      layout,
      places: {
        w: [
          [0, 0],
          [9, -9],
        ],
      },
    });
    const text = svg(one);
    assert.equal(broken(text), null);
    for (const name of STATIONS) assert.equal(count(text, new RegExp(`data-part="${name}"`, "g")), 2);
    const { width, height } = layoutsOf(one)[layout];
    for (const [, x, y] of text.matchAll(/<text[^>]* x="([\d.-]+)" y="([\d.-]+)"/g)) {
      assert.ok(Number(x) >= 0 && Number(x) <= width);
      assert.ok(Number(y) > 0 && Number(y) <= height);
    }
    assert.ok(texts(text).includes("SGD"));
  }
});

test("only what has changed has an outline and a bold frame", () => {
  assert.equal(count(svg(board()), /gl-outline|gl-changed/g), 0);
  const one = svg(
    board({
      places: {
        update: [
          [0.5, 0.25],
          [-0.4, 0.6],
        ],
      },
    }),
  );
  assert.equal(count(one, /gl-outline/g), 1);
  assert.equal(count(one, /gl-changed/g), 1);
});

test("the loss says what it was and what it is, where it changes", () => {
  assert.ok(!texts(svg(board())).includes("now 2"));
  const said = texts(svg(board({ results: { loss_after: 3, loss_changes: 1 } })));
  assert.ok(said.includes("loss 2") && said.includes("now 3"));
});

test("an arrow that leaves its place is cut at the edge, and one of no length is a ring", () => {
  const text = svg(
    board({
      places: {
        w: [
          [0, 0],
          [9, -9],
        ],
      },
    }),
  );
  assert.equal(count(text, /gl-cut/g), 1);
  assert.match(text, /a3\.5 3\.5/);
});

test("a limit is a ring at the place of the token alone", () => {
  assert.equal(count(svg(board({ results: { ring: 1 } })), /gl-ring/g), 1);
  assert.equal(count(svg(board()), /gl-ring/g), 0);
});

test("a token is taken with what it is, and laid on the nearest place", () => {
  for (const layout of LAYOUTS) {
    const one = board({ layout });
    const found = handles(one);
    assert.deepEqual(
      found.map(({ sets }) => sets.token),
      ["scale", "clip", "stop"],
    );
    assert.equal(new Set(found.map(({ index }) => index)).size, 3);
    const [left, top] = [10, 40];
    for (const handle of found) {
      assert.equal(handle.control, "station");
      assert.equal(handle.value(left, top), "x");
      assert.equal(handle.value(handle.x, layoutsOf(one)[layout].height - 8), undefined);
    }
  }
});

test("the token lies at its place wherever that is, and its slot below is empty", () => {
  for (const layout of LAYOUTS) {
    const seen = STATIONS.map((station) => {
      const one = board({ layout, settings: { station } });
      assert.equal(count(svg(one), /gl-on"/g), 1);
      assert.equal(count(svg(one), /gl-away"/g), 1);
      const [on] = handles(one);
      assert.ok(on.x > 0 && on.x < layoutsOf(one)[layout].width);
      assert.equal(on.value(on.x, on.y), station); // taken and let go, it stays
      return `${on.x} ${on.y}`;
    });
    assert.equal(new Set(seen).size, STATIONS.length);
  }
});

test("what is lit stands out, and its peer steps back", () => {
  const text = svg(board({ lit: { kind: "h", index: 2 } }));
  assert.match(text, /gl-lit"[^>]*data-part="h" data-index="2"/);
  assert.match(text, /gl-dim"[^>]*data-part="h" data-index="1"/);
});
