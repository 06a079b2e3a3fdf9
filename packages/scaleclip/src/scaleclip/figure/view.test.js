import assert from "node:assert/strict";
import test from "node:test";
import { controls, drawing, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { broken, count, numbers, texts } from "explorax/tests/pictures.js";
import { brief, exact } from "./numerals.js";
import * as view from "./view.js";

known(view);

const FULL = 10;
const square = (n, value) =>
  Array.from({ length: n }, (_, k) => Array.from({ length: n }, (_, j) => value(k, j)));
const SPEC = {
  kind: "ledger",
  cells: "c",
  full: 1,
  decades: 0,
  count: "steps",
  start: 1,
  sums: true,
  unit: 1,
};
const TEMPLATES = { bound: "bound {bound}", total: "T({steps}) = {total:,.2f}" };
/** Each other label is its own name. */
const LABELS = new Proxy(TEMPLATES, { get: (templates, name) => templates[name] ?? name });
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** Draw a ledger of K losses, at a product of scale and gain. */
function ledger({ scale = 0.5, gain = 1, steps = FULL, placement = "after_heads", results, ...more } = {}) {
  const product = scale * gain;
  const c = square(FULL, (k, j) => (j <= k && k < steps ? product ** (k - j) : 0));
  const [sent, received] = [c.map(sum), c.map((_, j) => sum(c.map((row) => row[j])))];
  const bound = product < 1 ? 1 / (1 - product) : Infinity;
  const all = {
    c,
    sent,
    received,
    total: sum(sent) / steps,
    bound,
    product,
    together: Number.NaN,
    ...results,
  };
  return drawing(SPEC, all, { settings: { scale, gain, steps, placement }, labels: LABELS, ...more });
}

const SETTINGS = [0, 0.01, 0.3, 0.5, 0.7, 0.9, 0.99, 1].flatMap((scale) =>
  [0, 0.1, 1, 1.5, 1.9, 2].flatMap((gain) => [1, 2, 5, 8, 10].map((steps) => ({ scale, gain, steps }))),
);

test("a number in a cell has at most three digits, and only zero is written as zero", () => {
  const written = [0, 1, 0.5, 0.125, 0.0009, 1.25, 31.46, 512, 1024, 2048, 2 ** 22].map((x) => brief(x, 3));
  assert.deepEqual(written, ["0", "1", ".50", ".13", "≈0", "1.25", "31.5", "512", "1.0k", "2.0k", "4.2M"]);
  const shorter = [0.125, 7.59, 86.5, 1024].map((x) => brief(x, 2));
  assert.deepEqual(shorter, [".13", "7.6", "87", "1k"]);
  for (let x = 1e-4; x < 1e8; x *= 1.003) assert.ok(brief(x, 3).length <= 4, `${x}: ${brief(x, 3)}`);
});

test("no sum is written as its bound or above it", () => {
  const within = (text, bound) => (text[0] === "<" ? text.slice(1) <= bound + 0.005 : Number(text) < bound);
  for (let product = 0.01; product < 1; product += 0.01) {
    const bound = 1 / (1 - product);
    for (let k = 1; k <= FULL; k++) {
      const sum = (1 - product ** k) / (1 - product);
      const text = exact(sum, bound);
      assert.ok(within(text, bound), `${text}, ${bound}`);
    }
  }
  const near = [exact(2 - 2 ** -11, 2), exact(1.333, 4 / 3), exact(1.3125, 4 / 3), exact(1, 1.004)];
  assert.deepEqual(near, ["<2", "<1.33", "1.31", "1.00"]);
});

/** Return the boxes of all texts of numbers: a digit of the widest usual face is 0.64 of its size. */
function boxes(text, wide) {
  const letter = (sign) => (/[.,]/.test(sign) ? 0.32 : /[<≈]/.test(sign) ? 0.84 : 0.64);
  const found = text.matchAll(
    /<text class="([^"]*gl-(?:number|margin|heading)[^"]*)"([^>]*)>([^<]*)<\/text>/g,
  );
  return [...found].map(([, kind, attributes, written]) => {
    const words = written.replace("&lt;", "<");
    const read = (name) => attributes.match(new RegExp(` ${name}="([^"]*)"`))?.[1];
    const size = !wide || /heading/.test(kind) ? 14 : /gl-entry/.test(kind) ? 15 : 16;
    const width = Number(read("textLength") ?? size * sum([...words].map(letter)));
    const left = Number(read("x")) - ({ middle: 0.5, end: 1 }[read("text-anchor")] ?? 0) * width;
    return { words, left, right: left + width, top: Number(read("y")) - 9, bottom: Number(read("y")) };
  });
}

for (const layout of LAYOUTS)
  test(`no two numbers touch, at any scale, gain and number of losses (${layout})`, () => {
    for (const settings of SETTINGS) {
      const text = wellDrawn(ledger({ ...settings, layout }));
      const found = boxes(text, layout === "wide");
      const { steps } = settings;
      assert.equal(found.length, 3 * steps, "each heading and row's sum");
      for (const [i, a] of found.entries())
        for (const b of found.slice(i + 1)) {
          const apart = a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
          assert.ok(apart, `${a.words} and ${b.words} at ${JSON.stringify(settings)}`);
        }
    }
  });

test("a cell's square is as large as its value; more than 1 is darker", () => {
  const text = svg(ledger({ scale: 0.25, steps: 2, results: { sent: [1, 1.25], received: [1.25, 1] } }));
  const [[full, half] = []] = [numbers(text, /gl-slid" d="[^"]*?h([\d.]+)[^"]*?z[^"]*?h([\d.]+)/g)[0]];
  assert.ok(Math.abs(half / full - 0.5) < 0.01, "a quarter of the area has half the side");
  assert.match(svg(ledger({ gain: 3 })), /fill-opacity:0.8" d="M/);
  assert.doesNotMatch(text, /fill-opacity:0.8" d="M|darker/);
});

test("what is measured has no law and no bound, but the mean of its vectors beside that of its norms", () => {
  const results = { bound: Number.NaN, together: 0.7 };
  const found = texts(wellDrawn(ledger({ results, lit: { kind: "c", index: 11 } })));
  assert.ok(found.includes("together") && found.includes("0.5"));
  assert.ok(
    !texts(svg(ledger({ results })))
      .join()
      .includes("each step back"),
  );
  assert.equal(count(svg(ledger({ results })), /gl-line"/g), 2);
  assert.equal(count(svg(ledger({ results, concealed: ["total"] })), /gl-line"/g), 1);
});

test("no bound is drawn at zero, or where there is none", () => {
  assert.doesNotMatch(svg(ledger({ scale: 1 })), /gl-level/);
  const still = ledger({ scale: 0, placement: "before_heads", results: { total: 0, bound: 0 } });
  assert.doesNotMatch(svg(still), /gl-level/);
});

test("a cell that is lit has an outline, its headings stand out, and its power is written", () => {
  const text = svg(ledger({ lit: { kind: "c", index: 7 * FULL + 4 } }));
  assert.ok(texts(text).includes("loss 8 through step 4:"));
  assert.ok(texts(text).includes("0.5⁴ = 0.0625"));
  assert.ok(texts(svg(ledger({ lit: { kind: "loss", index: 3 } }))).includes("loss 3 sends 1.75"));
  assert.match(text, /gl-ring gl-role-ink" d="M/);
  assert.doesNotMatch(svg(ledger()), /gl-ring gl-role-ink" d="M/);
  assert.equal(count(text, /gl-heading gl-lit/g), 2);
});

test("beyond the longest bar there is a mark, its number, and no mean", () => {
  const text = svg(ledger({ scale: 1, gain: 2 }));
  assert.match(text, /gl-torn" d="M/);
  assert.ok(texts(text).includes("1,023"));
  assert.equal(count(text, /gl-spot/g), 0);
  assert.equal(broken(text), null);
});

test("an answer that was chosen is a line at its mean", () => {
  const prediction = { how: "choice", options: ["1", "1.8", "2", "5.5"] };
  const at = (value) =>
    svg(ledger({ prediction, guess: { value, committed: true } })).match(/gl-guessed" d="M([\d.]+)/)[1];
  assert.ok(Number(at(3)) > Number(at(1)));
  assert.doesNotMatch(svg(ledger({ prediction, guess: { value: 1, committed: false } })), /gl-guess/);
});

test("the corner sets K, and the end of the last row sets s", () => {
  for (const settings of SETTINGS.filter(({ scale, gain, steps }) => steps > 1 && gain > 0.5 && scale)) {
    const [corner] = handles(ledger(settings));
    assert.equal(corner.value(corner.x, corner.y), settings.steps);
    for (const layout of LAYOUTS) {
      const [, end] = handles(ledger({ ...settings, layout }));
      if (end) assert.ok(Math.abs(end.value(end.x, end.y) - settings.scale) < 1e-3, JSON.stringify(settings));
    }
  }
  for (const still of [{ placement: "off" }, { steps: 1 }, { scale: 1, gain: 2 }])
    assert.deepEqual(controls(ledger(still)), ["steps"]);
});

/** Draw a measured ledger of so many losses: cells alone, their numbers in a unit. */
function measured({ steps = 6, unit = 1, ...more } = {}) {
  const entries = square(steps, (k, j) => (j <= k ? unit * 0.4 ** (k - j) : 0));
  const spec = { ...SPEC, cells: "entries", full: unit, decades: 2, count: "", sums: false, unit };
  return drawing(spec, { entries }, more);
}

test("a measured ledger has cells alone, each with its length in the unit, written where it is lit", () => {
  for (const layout of LAYOUTS)
    for (const steps of [1, 3, 6, 12])
      for (const unit of [1, 1e-6]) {
        const drawn = measured({ steps, unit, layout });
        const text = wellDrawn(drawn);
        assert.equal(count(text, /gl-number/g), (steps * (steps + 1)) / 2);
        assert.equal(texts(text).includes(".40"), steps > 1);
        assert.deepEqual(controls(drawn), []);
      }
  const said = texts(svg(measured({ lit: { kind: "entries", index: 6 * 2 + 2 } })));
  assert.ok(said.includes("loss 3 through step 2:") && said.includes("0.4"));
});

test("one loss is as long in every bar at every setting, and where all cells are 1 every bar has room", () => {
  const first = (settings) => svg(ledger(settings)).match(/gl-slid" d="M374 [\d.]+L([\d.]+)/)[1];
  assert.equal(new Set([0.2, 0.5, 1].map((scale) => first({ scale }))).size, 1);
  assert.doesNotMatch(svg(ledger({ scale: 1 })), /gl-torn" d="M/);
});
