import assert from "node:assert/strict";
import test from "node:test";
import { initial, makeUpdate } from "../../src/runtime/update.js";
import { control, description } from "./fixtures.js";

const place = control("p", "point", { symbol: "p", minimum: [-1, -1], maximum: [1, 1], step: 0.25 });
const figure = {
  ...description,
  controls: [...description.controls, place],
  settings: { scale: 0.5, steps: 6, p: [0, 0] },
};
const guess = control("guess", "range", { maximum: 100 });
const prediction = {
  question: "How much?",
  how: "number",
  answer: "total",
  settings: { scale: 1 },
  holds: {},
  conceals: ["total"],
  waiting: "At s = {scale}: guess.",
  guess,
  unit: "",
  reveal: " It is {total}.",
};
const asks = { ...figure, prediction };
const total = ({ scale, steps }) => ({ total: scale * steps });

/** Plays events from a figure's first state, and keeps what was to be done about each. */
function play(figure, ...events) {
  const update = makeUpdate(figure, total);
  let state = initial(figure, figure.settings, total, ["wide", "narrow"]);
  const effects = events.map((event) => {
    const next = update(state, event);
    state = next.state;
    return next.effects;
  });
  return { state, effects, names: effects.map((each) => each.map(([name]) => name).join(" ")) };
}
const move = (changes) => ({ type: "move", changes });
const apply = (changes) => ({ type: "apply", changes });
const speak = { type: "speak" };
const moved = "freeze frame";
const changed = "render speakSoon tell";

test("a drag runs the program once a frame, and keeps what was before until it is let go", () => {
  const drag = [move({ scale: 0.6 }), move({ scale: 0.7 }), { type: "frame" }, move({ scale: 0.8 })];
  const { state, effects, names } = play(figure, ...drag);
  assert.deepEqual(names, [moved, moved, changed, moved]);
  assert.deepEqual(effects[2].at(-1), ["tell", { scale: 0.7 }]);
  assert.deepEqual(
    [state.settings.scale, state.values.total, state.ghost.scale, state.moving],
    [0.7, 0.7 * 6, 0.5, true],
  );
  const rests = play(figure, ...drag, { type: "settle" }, { type: "frame" });
  assert.deepEqual(rests.names.slice(-2), [`${changed} release render`, ""]);
  assert.deepEqual([rests.state.settings.scale, rests.state.ghost, rests.state.moving], [0.8, null, false]);
});

test("a drag that comes back to where it was tells nobody", () => {
  const { names } = play(figure, move({ scale: 0.5 }), { type: "frame" }, { type: "settle" });
  assert.deepEqual(names, [moved, "", "release render"]);
});

test("a handle falls on a step, a point goes one step from where it is about to be", () => {
  const drag = (control, to) => ({ type: "drag", control, to });
  assert.equal(play(figure, drag("scale", 0.612345)).state.waiting.scale, 0.61);
  assert.deepEqual(play(figure, drag("scale", Number.NaN)).names, [""]);
  const nudge = { type: "nudge", control: "p", dx: 1, dy: -1 };
  assert.deepEqual(play(figure, nudge, nudge).state.waiting.p, [0.5, -0.5]);
});

test("what the hand carries is where the hand is, until it lets go", () => {
  const carry = { type: "carry", hand: [12, 34] };
  const { state, names } = play(figure, carry);
  assert.deepEqual([state.hand, names], [[12, 34], ["render"]]);
  assert.equal(play(figure, carry, { type: "settle", rests: true }).state.hand, null);
});

test("what is set at once has a ghost of what was before, and takes along what waits", () => {
  const { state, names, effects } = play(figure, move({ scale: 0.6 }), apply({ steps: 3 }));
  assert.equal(names[1], `${changed} release ${changed} write`);
  assert.deepEqual(
    effects[1].filter(([name]) => name === "tell").map(([, told]) => told),
    [{ scale: 0.6 }, { steps: 3 }],
  );
  assert.deepEqual(
    [state.settings, state.ghost.steps, state.moving],
    [{ scale: 0.6, steps: 3, p: [0, 0] }, 6, false],
  );
});

test("a slider that was taken beyond its ends stays wide until it is reset", () => {
  const beyond = apply({ scale: 1.5 });
  assert.deepEqual([...play(figure, beyond, apply({ scale: 0.5 })).state.widened], ["scale"]);
  const { state, names } = play(figure, beyond, { type: "reset" });
  assert.deepEqual([state.settings, state.widened.size, state.ghost], [figure.settings, 0, null]);
  assert.equal(names[1], `release ${changed} render write`);
});

test("what a button sets, and what is let go, is in the address at once", () => {
  const { effects } = play(figure, apply({ scale: 1 }), move({ steps: 3 }), { type: "settle", rests: true });
  for (const [i, settings] of [
    [0, { scale: 1, steps: 6, p: [0, 0] }],
    [2, { scale: 1, steps: 3, p: [0, 0] }],
  ])
    assert.deepEqual(effects[i].at(-1), ["write", settings]);
});

test("what was set is said when the hand has been still, and written into the address", () => {
  const { state, names, effects } = play(figure, apply({ scale: 1 }), speak, speak);
  assert.equal(state.announced, "s: 1. With s = 1, 6.00.");
  assert.deepEqual(names.slice(1), ["write render", ""]);
  assert.equal(effects[1][0][1].scale, 1);
});

test("from outside, what is allowed is set and nobody told, and what is not is said", () => {
  const set = (changes) => play(figure, { type: "set", changes });
  assert.deepEqual(set({ scale: 0.5, steps: 6, p: [0, 0] }).names, [""]);
  assert.deepEqual(set({ scale: 0.25, steps: 6 }).names, ["render speakSoon"]);
  const { state, names } = set({ scale: 0.25, steps: 99 });
  assert.deepEqual([state.settings.scale, state.settings.steps], [0.25, 6]);
  assert.equal(state.announced, "steps = 99 is not allowed: steps takes an integer from 1 to 12.");
  assert.deepEqual(names, ["render speakSoon write render"]);
  assert.equal(state.complaint, state.announced, "who looks is told, too");
  assert.equal(
    play(figure, { type: "set", changes: { steps: 99 } }, { type: "dismiss" }).state.complaint,
    "",
  );
});

test("a part is lit once, and said where it is walked to", () => {
  const light = (lit) => ({ type: "light", lit });
  const [lit, again] = [1, 2].map(() => light({ kind: "loss", index: 2 }));
  const { state, names } = play(figure, lit, again, light(null));
  assert.deepEqual([names, state.lit], [["render", "", "render"], null]);
  const walked = play(figure, { type: "walk", lit: { kind: "total", index: null } });
  assert.deepEqual([walked.state.announced, walked.state.lit.kind], ["total: 3.", "total"]);
});

test("what is copied is shown until something is set", () => {
  const copied = { type: "copied", text: "Stream()", done: true };
  assert.deepEqual(play(figure, { type: "copy", what: "python" }).effects, [[["copy", "python"]]]);
  assert.equal(play(figure, copied).state.announced, "Copied: Stream()");
  assert.equal(play(figure, copied, apply({ scale: 1 })).state.copied, null);
});

test("a guess is made, committed where it was asked for, told, and made again", () => {
  const guesses = [{ type: "guess", value: 4 }, { type: "commit" }];
  const { state, names } = play(asks, ...guesses, { type: "glide", t: 1 });
  assert.deepEqual(names, [
    "freeze render",
    "release render freeze render glide write",
    `${changed} release render`,
  ]);
  assert.equal(state.announced, "You said 4. It is 6: you were 2 too low.  It is 6.");
  assert.deepEqual([state.attempt.phase, state.settings.scale, state.ghost.scale], ["committed", 1, 0.5]);
  assert.equal(state.concealed.size, 0);
  const again = play(asks, ...guesses, { type: "predict" }).state;
  assert.deepEqual([again.attempt.phase, again.attempt.value, again.announced], ["open", null, "How much?"]);
  assert.ok(again.concealed.has("total"));
});

test("what is to be predicted is not told before; nothing is committed that was not guessed", () => {
  assert.deepEqual(play(asks, { type: "commit" }).names, [""]);
  const { state } = play(asks, apply({ scale: 1 }), speak);
  assert.equal(state.announced, "s: 1. At s = 1: guess.");
  assert.ok(Number.isNaN(state.values.total));
  const skipped = play(asks, { type: "skip" }).state;
  assert.equal(skipped.attempt.feedback, "It is 6.  It is 6.", "the truth, where it was asked for");
  assert.equal(skipped.announced, `${skipped.attempt.feedback} With s = 0.5, 3.00.`);
  assert.deepEqual(play(figure, { type: "guess", value: 4 }, { type: "predict" }).names, ["", ""]);
});

test("a control that is held stands still for everyone until the prediction is made or skipped", () => {
  const held = { ...asks, prediction: { ...prediction, settings: { steps: 12 }, holds: { steps: 3 } } };
  const everyone = [
    move({ steps: 12 }),
    { type: "settle" },
    { type: "drag", control: "steps", to: 12 },
    { type: "frame" },
    apply({ steps: 12, scale: 0.25 }),
    { type: "set", changes: { steps: 12 } },
    { type: "reset" },
    { type: "set", changes: { steps: 10 } },
  ];
  for (let n = 0; n <= everyone.length; n++)
    assert.equal(play(held, ...everyone.slice(0, n)).state.settings.steps, 3);
  assert.equal(play(held, ...everyone.slice(0, 5)).state.settings.scale, 0.25, "the others move");
  const skipped = play(held, ...everyone, { type: "skip" }).state;
  assert.deepEqual([skipped.settings.steps, skipped.values.total], [10, 5], "it goes where it was sent");
  const committed = [...everyone, { type: "guess", value: 4 }, { type: "commit" }, { type: "glide", t: 1 }];
  assert.equal(play(held, ...committed).state.settings.steps, 12);
  const again = play(held, ...committed, { type: "predict" });
  assert.deepEqual([again.state.settings.steps, again.state.ghost], [3, null]);
  assert.deepEqual(again.effects.at(-1).find(([name]) => name === "tell")[1], { steps: 3 });
});

test("the address keeps what was asked of a control that is held", () => {
  const held = { ...asks, prediction: { ...prediction, holds: { steps: 3 } } };
  const { effects } = play(held, { type: "set", changes: { steps: 12, scale: 1 } }, speak);
  assert.deepEqual(effects[1][0], ["write", { scale: 1, steps: 12, p: [0, 0] }]);
});

test("a part in words tells nothing concealed", () => {
  const parts = [{ name: "bound", result: "scale", words: "{total} of it" }];
  const walk = (kind) => ({ type: "walk", lit: { kind, index: null } });
  for (const kind of ["bound", "total"])
    assert.equal(play({ ...asks, parts }, walk(kind)).state.announced, "Shown once you have predicted.");
});

test("a part in words is counted from 1, or from 0", () => {
  const parts = [{ name: "state", result: "scale", words: "box {n} is h{m}" }];
  const walk = { type: "walk", lit: { kind: "state", index: 1 } };
  assert.equal(play({ ...figure, parts }, walk).state.announced, "box 1 is h0");
});

test("one of two pictures is drawn where there is room for it", () => {
  const layout = { type: "layout", layout: "narrow" };
  const { state, names } = play(figure, layout, layout);
  assert.deepEqual([state.layouts, names], [["narrow"], ["render", ""]]);
});

test("a control that plays goes up by one at a time to its end, and a hand stops it", () => {
  const [begin, on] = [{ type: "play", control: "steps" }, { type: "played" }];
  const near = { ...figure, settings: { ...figure.settings, steps: 10 } };
  const { state, effects } = play(near, begin, on, on);
  assert.deepEqual([state.settings.steps, state.playing], [12, null]);
  assert.ok(effects[0].some(([name, control]) => name === "play" && control === "steps"));
  assert.ok(effects[2].some(([name, control]) => name === "play" && control === null));
  const again = play(near, begin, on, on, begin);
  assert.deepEqual([again.state.settings.steps, again.state.playing], [1, "steps"]);
  const held = play(near, begin, on, move({ scale: 0.6 }), on);
  assert.deepEqual([held.state.settings.steps, held.state.playing], [11, null]);
  assert.equal(play(near, begin, begin).state.playing, null);
});
