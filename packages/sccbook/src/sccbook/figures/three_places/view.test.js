import assert from "node:assert/strict";
import test from "node:test";
import { drawing, handles, known, LAYOUTS, layoutsOf, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const STATIONS = ["x", "h", "cotangent", "gradient", "update", "w"];
const TOKENS = ["scale", "clip", "stop"];
const ARROWS = [
  [1, 0.5],
  [-0.4, 0.6],
];
const SHORT = ARROWS.map(([x, y]) => [x / 2, y / 2]); // of the update
const OFF = { w: [Array(2).fill(0), [9, -9]] };
const choice = (name, all) => ({ name, kind: "choice", options: all.map((each) => [each, each]) });
const TEMPLATES = { loss: "loss {loss_before}", "loss after": "now {loss_after}" };
/** Each other label is its own name. */
const LABELS = new Proxy(TEMPLATES, { get: (templates, name) => templates[name] ?? name });

/** Make a board where the arrows after are those before, but for the given places. */
function board({ places = {}, settings, results, ...more } = {}) {
  const before = STATIONS.map((name) => (name === "update" ? SHORT : ARROWS));
  const after = STATIONS.map((name, i) => places[name] ?? before[i]);
  const all = {
    before,
    after,
    ring: 0,
    loss_before: 2,
    loss_after: 2,
    loss_changes: 0,
    gradient_moves: 2,
    update_moves: 0,
    w_moves: 3,
    ...results,
  };
  const set = { token: "scale", station: "h", optimizer: "sgd", limit: 1, ...settings };
  const drawn = drawing({ kind: "board" }, all, { settings: set, labels: LABELS, ...more });
  drawn.description.controls = [choice("token", TOKENS), choice("station", STATIONS)];
  return drawn;
}

test("every place has its two arrows, says what they are, and all that is drawn is a number within the board", () => {
  for (const layout of LAYOUTS) {
    const text = wellDrawn(board({ layout, places: OFF }));
    for (const name of STATIONS) assert.equal(count(text, new RegExp(`data-part="${name}"`, "g")), 2);
    assert.ok(texts(text).includes("sgd"));
    for (const name of ["node", "kept", "gradient 2", "w 3"]) assert.ok(texts(text).includes(name), name);
  }
});

test("only what has changed has an outline and a bold frame", () => {
  assert.equal(count(svg(board()), /gl-outline|gl-changed/g), 1);
  const text = svg(board({ places: { update: SHORT.with(0, [0.25, 0.125]) } }));
  assert.deepEqual([count(text, /gl-outline/g), count(text, /gl-changed/g)], [2, 1], "one is in the key");
});

test("where the loss changes, both values are written", () => {
  assert.ok(!texts(svg(board())).includes("now 2"));
  const said = texts(svg(board({ results: { loss_after: 3, loss_changes: 1 } })));
  assert.ok(said.includes("loss 2") && said.includes("now 3"));
});

test("an arrow that leaves its place is cut at the edge, and one of no length is a ring", () => {
  const text = svg(board({ places: OFF }));
  assert.equal(count(text, /gl-cut/g), 1);
  assert.deepEqual(
    [text, svg(board())].map((each) => texts(each).includes("cut")),
    [true, false],
  );
  assert.match(text, /a3\.5 3\.5/);
});

test("a limit is a ring at the token's place alone", () => {
  const rings = [0, 1].map((ring) => count(svg(board({ results: { ring } })), /gl-ring/g));
  assert.deepEqual(rings, [0, 1]);
});

test("the token lies at its place wherever that is, and its slot below is empty", () => {
  for (const layout of LAYOUTS) {
    const seen = STATIONS.map((station) => {
      const drawn = board({ layout, settings: { station } });
      assert.deepEqual([count(svg(drawn), /gl-on"/g), count(svg(drawn), /gl-away"/g)], [1, 1]);
      const [{ x, y, value }, ...others] = handles(drawn);
      assert.ok(x > 0 && x < layoutsOf(drawn)[layout].width);
      assert.equal(value(x, y), station, "picked up and let go, it stays");
      assert.equal(value(x, layoutsOf(drawn)[layout].height - 16), undefined, "let go below, too");
      assert.deepEqual(
        [others.map(({ sets }) => sets.token), others[0].value(10, 40)],
        [["clip", "stop"], "x"],
      );
      return `${x} ${y}`;
    });
    assert.equal(new Set(seen).size, STATIONS.length);
  }
});

test("a token in the hand is where the pointer is, and its place waits for it", () => {
  for (const layout of LAYOUTS) {
    const text = svg(board({ layout, hand: [100, 120] }));
    assert.match(text, /gl-on gl-carried[^>]*translate\(87 120\)/);
    assert.equal(count(text, /gl-away"/g), 2, "its slot below, and where it will lie");
    assert.match(svg(board({ layout, hand: [5000, 5000] })), /gl-carried/);
  }
});

test("a place says what has become of its arrows", () => {
  const [u, v] = ARROWS;
  const times = (n, [x, y]) => [n * x, n * y];
  const said = (h, words) => assert.ok(texts(svg(board({ places: { h } }))).includes(words), words);
  said([times(0.5, u), v], "arrows 1 × 0.50");
  said([times(0.5, u), times(2, v)], "× 0.50 and × 2.00");
  said([times(-1, u), times(-1, v)], "arrows 2 turned");
  said([times(0, u), times(0, v)], "none");
  said([times(1e-3, u), times(0, v)], "next to none");
});
