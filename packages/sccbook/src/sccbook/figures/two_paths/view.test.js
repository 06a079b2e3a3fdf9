import assert from "node:assert/strict";
import test from "node:test";
import { controls, drawing, givesBack, handles, known, LAYOUTS, wellDrawn } from "explorax/tests/drawings.js";
import { paths, points, texts } from "explorax/tests/pictures.js";
import { axis, line, plane, profile, threshold } from "explorax/tests/specs.js";
import * as view from "./view.js";

known(view);

const SPEC = {
  ...{ kind: "valley", bottom: [0.5, 0.1], rings: [[0.2, 0, 0, 0.1]] },
  rests: Array.from({ length: 101 }, (_, i) => [i / 100 - 0.5, 0.5 - i / 200]),
  land: plane({ kind: "dot", value: "start", role: "ink", drag: "start" }),
  losses: profile([line("scaled_loss")], { at: "updates", y: axis([0, 1]), thresholds: [threshold(0.2)] }),
};
/** Draw two steps in a bowl. */
function valley(settings, more) {
  const results = {
    scaled_loss: [0.5, 0.6],
    updates: [0, 1],
    low: 0.5,
    turn: 1,
    end: 0.63,
    apart: 1,
    climbs: 1,
  };
  const labels = { plain: "s = 1", turn: "{turn} updates", scaled: "s = {scale}", end: "{end}" };
  return drawing(SPEC, results, {
    settings: { scale: 0.5, both: false, start: [0, 0], ...settings },
    labels,
    ...more,
  });
}

test("a ring is the image of a circle about the bottom", () => {
  const all = points(paths(wellDrawn(valley()), "gl-level-ring")[0]);
  const [xs, ys] = [0, 1].map((d) => all.map((point) => point[d]));
  const [wide, tall] = [xs, ys].map((each) => Math.max(...each) - Math.min(...each));
  assert.ok(
    Math.abs(wide - (0.4 * 386) / 4) < 0.5 && Math.abs(tall - (0.2 * 308) / 4) < 0.5,
    `${wide} ${tall}`,
  );
});

test("the resting point gives back the scale that put it there; with s on the whole gradient there is none", () => {
  for (const layout of LAYOUTS)
    for (const scale of [0, 0.1, 0.5, 0.83, 1]) {
      const [start, rest] = handles(valley({ scale }, { layout }));
      assert.deepEqual([start.control, rest.control], ["start", "scale"]);
      givesBack(rest, scale);
    }
  assert.deepEqual(controls(valley({ both: true })), ["start"]);
});

test("the last loss and the turn are written while they aren't masked", () => {
  for (const each of ["0.63", "1 updates"]) assert.ok(texts(wellDrawn(valley())).includes(each));
  const masked = texts(wellDrawn(valley({}, { concealed: ["scaled_loss"] })));
  assert.ok(!masked.includes("0.63") && !masked.includes("1 updates"));
});
