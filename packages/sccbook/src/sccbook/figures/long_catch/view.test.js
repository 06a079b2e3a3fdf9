import assert from "node:assert/strict";
import test from "node:test";
import { drawing, givesBack, handles, known, LAYOUTS, svg, wellDrawn } from "explorax/tests/drawings.js";
import { count, numbers, texts } from "explorax/tests/pictures.js";
import * as view from "./view.js";

known(view);

const SPEC = { kind: "falling", columns: 5, moves: 5, obeys: 2 };
const RESULTS = { balls: [4, 5, 4, 3, 2, 1], paddles: [3, 2, 1, 1, 1, 1], bounces: [0, 1, 0, 0, 0, 0], steps: [-1, -1], reward: 1 }; // biome-ignore format: a game
const LABELS = {
  ...{ start: "start", obeys: "obeys", left: "left", stay: "stay", right: "right" },
  ...{ frozen: "frozen", credit: "reaches back", caught: "caught", missed: "missed" },
};
const of = (settings, more) =>
  drawing(SPEC, RESULTS, {
    labels: LABELS,
    settings: { move: 5, start: 4, paddle: 1, ...settings },
    ...more,
  });

test("the ball has come as far as its moves, and hits a wall where it bounces", () => {
  for (const layout of LAYOUTS) {
    for (const move of [0, 1, 2, 5]) {
      const text = wellDrawn(of({ move }, { layout }));
      assert.equal(count(text, /data-part="balls"/g), move);
      assert.equal(count(text, /stroke-width:5/g), Number(move > 1));
      assert.equal(count(text, /gl-named gl-role-parameter/g), Math.min(move, 2));
    }
    const fades = numbers(
      wellDrawn(of({}, { layout })),
      /class="gl-dust" style="fill-opacity:([\d.]+)/g,
    ).flat();
    assert.deepEqual(fades, fades.toSorted());
  }
});

test("the reward comes with the last move, and no sooner", () => {
  const said = (settings, more) => texts(svg(of(settings, more))).filter((text) => /caught|back/.test(text));
  assert.deepEqual(said({}), ["reaches back", "caught"]);
  assert.deepEqual(said({ move: 4 }), []);
  assert.deepEqual(said({}, { concealed: ["balls"] }), []);
});

test("an answer that is hidden leaves the ball at the start", () => {
  const hidden = of({ start: 2 }, { concealed: ["balls"] });
  assert.equal(count(svg(hidden), /data-part="balls"/g), 0);
  const [start, , ball] = handles(hidden);
  assert.deepEqual([ball.x, ball.y], [start.x, handles(of({ move: 0 }))[2].y]);
});

test("the games before stay as ghosts", () => {
  const ghosts = (ghost, paddle = 1) =>
    count(svg(of({ paddle: 1 }, { ghost: { ...RESULTS, ...ghost, paddle } })), /gl-ghost/g);
  assert.deepEqual([ghosts({}), ghosts({ balls: [1, 2, 3, 4, 5, 4] }), ghosts({}, 3)], [0, 1, 1]);
});

test("ball, start and paddle are dragged to a row or a column of the board", () => {
  for (const layout of LAYOUTS) {
    const [start, paddle, ball] = handles(of({ move: 3 }, { layout }));
    givesBack(start, 4, 0);
    givesBack(paddle, 1, 0);
    givesBack(ball, 3, 0);
    assert.deepEqual(
      [paddle.value(0, 0), paddle.value(999, 0), ball.value(0, 0), ball.value(0, 999)],
      [1, 5, 0, 5],
    );
  }
});
