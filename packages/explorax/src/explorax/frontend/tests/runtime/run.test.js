import assert from "node:assert/strict";
import test from "node:test";
import { load } from "../../src/runtime/program.js";
import { results } from "../../src/runtime/run/records.js";
import { loadRun } from "../../src/runtime/run/runner.js";
import { IDLE, withRun } from "../../src/runtime/run/update.js";
import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import { control } from "./fixtures.js";

const STEPS = 12;
/** A number that is multiplied by a rate with each step: the loss is what is left of it. */
const figure = {
  name: "Decay",
  python: ["Decay(", ")"],
  title: "Decay",
  look: "",
  source: "",
  view: { kind: "history", series: [{ value: "loss", label: "", role: "loss" }], y: { span: [0, 2] } },
  program: "export function evaluate(x, rate) { return [Float64Array.of(x * rate), Float64Array.of(x)]; }",
  run: {
    start: "export function evaluate(rate) { return [Float64Array.of(1)]; }",
    steps: STEPS,
    frames: 60,
    before: [],
    at: [1, 2, 5, 10, 12],
    numbers: [true],
    records: ["loss"],
    recorded: [
      { settings: { rate: 0.5 }, taken: 12, points: { loss: { at: [1, 3, 12], values: [1, 0.5, 0.05] } } },
    ],
  },
  controls: [control("rate", "range", { symbol: "r" })],
  settings: { rate: 0.5 },
  sight: ["rate"],
  more: [],
  outputs: [
    { name: "loss", shape: [STEPS], dtype: "float64" },
    { name: "last_loss", shape: [], dtype: "float64" },
  ],
  sentences: [
    "Press Run.",
    "After {steps}: {last_loss}.",
    "At the end: {last_loss}.",
    "Stopped after {steps}.",
  ],
  table: null,
  labels: {},
  parts: [],
  presets: [],
  stills: [],
  equation: [],
  prediction: null,
  note: "",
};
const evaluate = await load(figure);

/** Plays events from the first state; beside it the names of what was to be done about each. */
function play(description, ...events) {
  const update = withRun(description, evaluate, makeUpdate(description, evaluate));
  let state = initial(description, description.settings, evaluate, ["wide"]);
  const effects = events.map((event) => {
    const next = update(state, event);
    state = next.state;
    return next.effects.filter(([name]) => name === "run").map(([, { what }]) => what);
  });
  return { state, effects };
}
const records = { loss: Float64Array.from({ length: STEPS }, (_, i) => 2 - i / 10) };
const advance = (taken, ended = false, lost = false) => ({
  type: "advance",
  values: results(figure.run, records, taken, lost),
  ended,
});
const apply = (rate) => ({ type: "apply", changes: { rate } });
const run = { type: "run" };

test("where a run was recorded it is there at once, and elsewhere it has not begun", () => {
  const there = evaluate({ rate: 0.5 });
  assert.deepEqual([there.steps, there.case, there.reached], [12, 2, 5]);
  assert.deepEqual([...there.loss_at], [1, 0.75, 0.05 + (0.45 * 7) / 9, 0.05 + (0.45 * 2) / 9, 0.05]);
  assert.deepEqual([evaluate({ rate: 0.6 }).steps, evaluate({ rate: 0.6 }).case], [0, 0]);
});

test("a run takes its steps one by one, from the first carry", async () => {
  const step = (await loadRun(figure))({ rate: 0.25 });
  assert.deepEqual([step(), step(), step()], [{ loss: 1 }, { loss: 0.25 }, { loss: 0.0625 }]);
});

test("run, pause, run: it goes on; the end is told", () => {
  const { state, effects } = play(figure, run, advance(3), { type: "pause" }, run, advance(12, true));
  assert.deepEqual(effects, [["start"], [], ["pause"], ["resume"], []]);
  assert.equal(state.run.phase, "idle");
  assert.equal(state.announced, "At the end: 0.9.");
  assert.equal(play(figure, run, advance(3), { type: "pause" }).state.announced, "Paused. After 3: 1.8.");
});

test("a change ends the run, and its lines stay behind the next, named by what differs", () => {
  const { state, effects } = play(figure, apply(0.6), run, advance(3), apply(0.7));
  assert.deepEqual(effects, [[], ["start"], [], ["stop"]]);
  assert.equal(state.run.phase, "idle");
  assert.deepEqual([state.values.steps, state.values.case], [0, 0]);
  assert.deepEqual(
    state.run.earlier.map(({ label, values }) => [label, values.steps]),
    [
      ["r = 0.6", 3],
      ["r = 0.5, recorded", 12],
    ],
  );
  assert.equal(state.run.label, "r = 0.7");
});

test("no more than three earlier runs are kept, one for each setting, and none that is empty", () => {
  const each = [0.1, 0.2, 0.3, 0.4].flatMap((rate) => [apply(rate), run, advance(2, true)]);
  const { state } = play(figure, ...each, apply(0.3), run, advance(4, true), apply(0.9), apply(0.8));
  assert.deepEqual(
    state.run.earlier.map(({ label, values }) => [label, values.steps]),
    [
      ["r = 0.3", 4],
      ["r = 0.4", 2],
      ["r = 0.2", 2],
    ],
  );
});

test("an earlier run keeps its dash for as long as it is drawn", () => {
  const each = (/** @type {number} */ rate) => [apply(rate), run, advance(2, true)];
  const dashes = (/** @type {any[]} */ ...events) =>
    new Map(play(figure, ...events).state.run.earlier.map(({ label, dash }) => [label, dash]));
  const begun = [...each(0.1), ...each(0.2), ...each(0.3)];
  const [before, after] = [dashes(...begun, apply(0.4)), dashes(...begun, ...each(0.4), apply(0.6))];
  const both = [...after.keys()].filter((label) => before.has(label));
  assert.equal(both.length, 2);
  for (const label of both) assert.equal(after.get(label), before.get(label));
  assert.deepEqual([...after.values()].toSorted(), [1, 2, 3]);
});

test("a reset forgets all runs, and shows the recorded one, also where no setting was changed", () => {
  const { state, effects } = play(figure, run, advance(3), { type: "reset" });
  assert.deepEqual(effects.at(-1), ["stop"]);
  assert.deepEqual([state.run.earlier, state.run.phase, state.values.steps], [[], "idle", 12]);
});

test("the same settings set again end nothing", () => {
  const { state, effects } = play(figure, run, advance(3), { type: "set", changes: { rate: 0.5 } });
  assert.deepEqual(effects.flat(), ["start"]);
  assert.equal(state.run.phase, "running");
});

test("what was set is not said again over the end of a run, and is in the address", () => {
  const { state } = play(figure, apply(0.6), run, advance(12, true));
  assert.equal(state.touched.size, 0);
  const update = withRun(figure, evaluate, makeUpdate(figure, evaluate));
  const touched = play(figure, apply(0.6), run).state;
  assert.deepEqual(update(touched, advance(12, true)).effects[0], ["write", { rate: 0.6 }]);
});

test("a run that stops says so", () => {
  const { state } = play(figure, run, advance(5, true, true));
  assert.equal(state.announced, "Stopped after 5.");
});

test("nothing runs before the reader has answered", () => {
  const prediction = { question: "?", how: "number", answer: "last_loss", settings: {}, conceals: ["loss"] };
  const asks = {
    ...figure,
    prediction: { ...prediction, unit: "", reveal: [], guess: control("g", "range") },
  };
  assert.deepEqual(play(asks, run).effects, [[]]);
  const { effects, state } = play(asks, { type: "skip" }, run);
  assert.deepEqual([effects[1], state.run.phase], [["start"], "running"]);
});

test("results are copies: what is recorded afterwards does not change them", () => {
  const growing = { loss: Float64Array.of(1, Number.NaN) };
  const first = results({ steps: 2, at: [1, 2] }, growing, 1);
  growing.loss[1] = 2;
  assert.ok(Number.isNaN(first.loss[1]));
  assert.equal(IDLE.earlier.length, 0);
});

test("a question that is asked again ends the run, and shows none of it", () => {
  const prediction = {
    question: "?",
    how: "number",
    answer: "last_loss",
    settings: {},
    holds: {},
    unit: "",
    reveal: [],
    conceals: ["loss", "last_loss", "loss_at", "steps", "reached", "case"],
    waiting: "Wait.",
    guess: control("g", "range"),
  };
  const asks = { ...figure, prediction };
  const { state, effects } = play(asks, { type: "skip" }, run, advance(3), { type: "predict" });
  assert.deepEqual(effects.at(-1), ["stop"]);
  assert.ok(Number.isNaN(state.values.steps) && state.values.loss.every(Number.isNaN));
  assert.ok(Number.isNaN(play(asks, { type: "reset" }).state.values.steps), "nor does a reset");
});

test("a figure's own runs stand behind its first, also while it asks; a reset brings them back", () => {
  const behind = { ...figure, settings: { rate: 0.6 }, run: { ...figure.run, before: [{ rate: 0.5 }] } };
  const { state } = play(behind);
  assert.deepEqual(
    [state.run.earlier.map(({ label }) => label), state.run.label],
    [["r = 0.5, recorded"], "r = 0.6"],
  );
  assert.equal(state.run.earlier[0].values.steps, STEPS);
  const there = play({ ...behind, settings: { rate: 0.5 } });
  assert.deepEqual(there.state.run.earlier, [], "it is the present one");
  const cleared = play(behind, { type: "clear" });
  assert.deepEqual([cleared.state.run.earlier, cleared.state.announced], [[], "Cleared."]);
  assert.equal(play(behind, { type: "clear" }, { type: "reset" }).state.run.earlier.length, 1);
});

const question = {
  question: "?",
  how: "number",
  answer: "last_loss",
  settings: { rate: 0.6 },
  holds: {},
  unit: "",
  reveal: [],
  conceals: ["loss", "last_loss", "loss_at", "steps", "reached", "case"],
  waiting: "Wait.",
  guess: control("g", "range"),
};

test("who commits sees the run that was asked about; who skips, the present one, and neither twice", () => {
  const asks = { ...figure, prediction: question, run: { ...figure.run, before: [{ rate: 0.5 }] } };
  const first = play(asks).state;
  assert.deepEqual(
    [first.run.earlier.map(({ label }) => label), first.concealed.size],
    [["r = 0.5, recorded"], 6],
  );
  const { state, effects } = play(asks, { type: "guess", value: 1 }, { type: "commit" });
  assert.deepEqual([effects[1], state.run.phase, state.settings], [["start"], "running", { rate: 0.6 }]);
  assert.deepEqual(
    [state.run.earlier.map(({ label }) => label), state.values.steps],
    [["r = 0.5, recorded"], 0],
  );
  const skipped = play(asks, { type: "skip" }).state;
  assert.deepEqual([skipped.run.earlier, skipped.values.steps], [[], STEPS]);
});

test("a run is named by what was chosen, without what the choice has set", () => {
  const remedy = control("remedy", "choice", {
    options: [
      ["none", "nothing"],
      ["clip", "clip"],
    ],
    sets: [["rate", [1, 0.3]]],
  });
  const chooses = {
    ...figure,
    controls: [remedy, ...figure.controls],
    settings: { remedy: "none", rate: 1 },
    program: figure.program,
  };
  const change = (changes) => ({ type: "apply", changes });
  const all = [run, advance(12, true), change({ remedy: "clip", rate: 0.3 }), run, advance(12, true)];
  const { state } = play(chooses, ...all, change({ rate: 0.2 }));
  assert.deepEqual(
    [state.run.label, ...state.run.earlier.map(({ label }) => label)],
    ["clip, r = 0.2", "clip", "nothing"],
  );
});

const two = {
  ...figure,
  run: {
    ...figure.run,
    recorded: [...figure.run.recorded, { ...figure.run.recorded[0], settings: { rate: 0.6 } }],
  },
};
const both = await load(two);

test("a recorded run is shown at the first settings alone: elsewhere nothing is there before it runs", () => {
  const update = withRun(two, both, makeUpdate(two, both));
  const first = initial(two, two.settings, both, ["wide"]);
  assert.deepEqual([first.values.steps, first.run.label], [STEPS, "r = 0.5, recorded"]);
  const { state } = update(first, apply(0.6));
  assert.equal(state.values.steps, 0);
  assert.deepEqual(
    state.run.earlier.map(({ label }) => label),
    ["r = 0.5, recorded"],
  );
});

test("a run at the settings of the recorded one stands before it, unless it ends as that did", () => {
  const other = play(figure, run, advance(12, true)).state;
  assert.deepEqual(
    [other.run.label, other.run.earlier.map(({ label }) => label)],
    ["r = 0.5", ["r = 0.5, recorded"]],
  );
  const { recorded, ...same } = evaluate({ rate: 0.5 });
  assert.equal(recorded, 1);
  const { state } = play(figure, run, { type: "advance", values: same, ended: true });
  assert.deepEqual([state.run.label, state.run.earlier], ["r = 0.5", []]);
});

test("a run that is repeated takes its own place among the earlier ones", () => {
  const { state } = play(figure, apply(0.6), run, advance(12, true), apply(0.7), apply(0.6));
  assert.equal(state.values.steps, 0, "it is to be run again");
  const labels = (/** @type {any} */ state) => state.run.earlier.map(({ label }) => label);
  assert.deepEqual(labels(state), ["r = 0.6", "r = 0.5, recorded"]);
  const again = play(figure, apply(0.6), run, advance(12, true), apply(0.7), apply(0.6), run).state;
  assert.deepEqual(labels(again), ["r = 0.5, recorded"]);
});
