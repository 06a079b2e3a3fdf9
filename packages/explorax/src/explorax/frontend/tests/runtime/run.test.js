import assert from "node:assert/strict";
import test from "node:test";
import { load } from "../../src/runtime/program.js";
import { results } from "../../src/runtime/run/records.js";
import { withRun } from "../../src/runtime/run/update.js";
import { initial } from "../../src/runtime/state.js";
import { makeUpdate } from "../../src/runtime/update.js";
import * as fixtures from "./fixtures.js";

const { choice, control, leaf, plain, playOn, question } = fixtures;

const STEPS = 12;
const LOSS = { loss: { at: [1, 3, 12], values: [1, 0.5, 0.05] } };
/** A number that each step multiplies by a rate: the loss is what is left of it. */
const figure = {
  ...plain,
  name: "Decay",
  python: ["Decay(", ")"],
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
    recorded: [{ settings: { rate: 0.5 }, taken: 12, points: LOSS }],
  },
  controls: [control("rate", "range", { symbol: "r" })],
  settings: { rate: 0.5 },
  sight: ["rate"],
  outputs: [leaf("loss", STEPS), leaf("last_loss")],
  sentences: [
    "Press Run.",
    "After {steps}: {last_loss}.",
    "At the end: {last_loss}.",
    "Stopped after {steps}.",
  ],
};
const conceals = ["loss", "last_loss", "loss_at", "steps", "reached", "case"];
const asks = { ...figure, prediction: question("last_loss", { conceals, settings: { rate: 0.6 } }) };
const evaluate = await load(figure);

/** Play events from the first state, and keep what became of the run after each. */
function play(description, ...events) {
  const update = withRun(description, evaluate, makeUpdate(description, evaluate));
  const first = initial(description, description.settings, evaluate, ["wide"]);
  const { state, effects } = playOn(update, first, events);
  const runs = (all) => all.filter(([name]) => name === "run").map(([, { what }]) => what);
  return { state, effects: effects.map(runs), all: effects };
}
const records = { loss: Float64Array.from({ length: STEPS }, (_, i) => 2 - i / 10) };
const advance = (taken, ended = false, lost = false) => {
  return { type: "advance", values: results(figure.run, records, taken, lost), ended };
};
const apply = (rate) => fixtures.apply({ rate });
const [run, pause, reset] = ["run", "pause", "reset"].map((type) => ({ type }));
const [skip, clear] = ["skip", "clear"].map((type) => ({ type }));
/** Set a rate, and run to an end. */
const ran = (rate, taken = 12) => [apply(rate), run, advance(taken, true)];
const labels = ({ run }) => run.earlier.map(({ label }) => label);
const taken = ({ run }) => run.earlier.map(({ label, values }) => [label, values.steps]);
const RECORDED = "r = 0.5, recorded";

test("where a run was recorded it is there at once, and elsewhere it has not begun", () => {
  const there = evaluate({ rate: 0.5 });
  assert.deepEqual([there.steps, there.case, there.reached], [12, 2, 5]);
  assert.deepEqual([...there.loss_at], [1, 0.75, 0.05 + (0.45 * 7) / 9, 0.05 + (0.45 * 2) / 9, 0.05]);
  const elsewhere = evaluate({ rate: 0.6 });
  assert.deepEqual([elsewhere.steps, elsewhere.case], [0, 0]);
});

test("a paused run goes on when run again; a pause and each end are announced", () => {
  const { state, effects } = play(figure, run, advance(3), pause, run, advance(12, true));
  assert.deepEqual(effects, [["start"], [], ["pause"], ["resume"], []]);
  assert.equal(state.run.phase, "idle");
  assert.equal(state.announced, "At the end: 0.9.");
  assert.equal(play(figure, run, advance(3), pause).state.announced, "Paused. After 3: 1.8.");
  assert.equal(play(figure, run, advance(5, true, true)).state.announced, "Stopped after 5.");
});

test("an earlier run keeps its dash while it is drawn", () => {
  const dashes = (...events) =>
    new Map(play(figure, ...events).state.run.earlier.map(({ label, dash }) => [label, dash]));
  const begun = [0.1, 0.2, 0.3].flatMap((rate) => ran(rate, 2));
  const [before, after] = [dashes(...begun, apply(0.4)), dashes(...begun, ...ran(0.4, 2), apply(0.6))];
  const both = [...after.keys()].filter((label) => before.has(label));
  assert.equal(both.length, 2);
  for (const label of both) assert.equal(after.get(label), before.get(label));
  assert.deepEqual([...after.values()].toSorted(), [1, 2, 3]);
});

test("what was set isn't announced again at the end of a run, and is in the address", () => {
  const { state, all } = play(figure, ...ran(0.6));
  assert.equal(state.touched.size, 0);
  assert.deepEqual(all.at(-1)[0], ["write", { rate: 0.6 }]);
});

test("a run to its end at the settings asked about has found the answer out", () => {
  assert.equal(play(asks, ...ran(0.6)).state.attempt.phase, "found");
  assert.equal(play(asks, ...ran(0.7)).state.attempt.phase, "open");
});

test("a figure's own runs stand behind its first, and a reset brings them back", () => {
  const behind = { ...figure, settings: { rate: 0.6 }, run: { ...figure.run, before: [{ rate: 0.5 }] } };
  const { state } = play(behind);
  assert.deepEqual([taken(state), state.run.label], [[[RECORDED, STEPS]], "r = 0.6"]);
  const there = play({ ...behind, settings: { rate: 0.5 } });
  assert.deepEqual(there.state.run.earlier, [], "it is the present one");
  const cleared = play(behind, clear);
  assert.deepEqual([cleared.state.run.earlier, cleared.state.announced], [[], "Cleared."]);
  assert.equal(play(behind, clear, reset).state.run.earlier.length, 1);
});

test("who answers sees the run that was asked about; who skips the question keeps the present one", () => {
  const { state, effects } = play(asks, { type: "guess", value: 1 }, { type: "commit" });
  assert.deepEqual([effects[1], state.run.phase, state.settings], [["start"], "running", { rate: 0.6 }]);
  assert.deepEqual([labels(state), state.values.steps], [[RECORDED], 0]);
  const skipped = play(asks, skip);
  assert.deepEqual(
    [skipped.effects, skipped.state.values.steps, skipped.state.settings],
    [[[]], STEPS, { rate: 0.5 }],
  );
});

test("a run is named by the option chosen, without what the option sets", () => {
  const remedy = choice("remedy", ["none", "nothing"], ["clip", "clip"]);
  const controls = [{ ...remedy, sets: [["rate", [1, 0.3]]] }, ...figure.controls];
  const chooses = { ...figure, controls, settings: { remedy: "none", rate: 1 } };
  const whole = [run, advance(12, true)];
  const clipped = fixtures.apply({ remedy: "clip", rate: 0.3 });
  const { state } = play(chooses, ...whole, clipped, ...whole, apply(0.2));
  assert.deepEqual([state.run.label, ...labels(state)], ["clip, r = 0.2", "clip", "nothing"]);
});

test("a recorded run is shown at the first settings alone: elsewhere nothing is there before it runs", async () => {
  const [first] = figure.run.recorded;
  const recorded = [first, { ...first, settings: { rate: 0.6 } }];
  const two = { ...asks, run: { ...figure.run, recorded } };
  const both = await load(two);
  const begun = initial(two, two.settings, both, ["wide"]);
  assert.deepEqual([begun.values.steps, begun.run.label], [STEPS, RECORDED]);
  const update = withRun(two, both, makeUpdate(two, both));
  const { state } = update(begun, apply(0.6));
  assert.deepEqual([state.values.steps, labels(state)], [0, [RECORDED]]);
  const shown = update(begun, { type: "show" }).state;
  assert.deepEqual([shown.values.steps, shown.settings.rate], [STEPS, 0.6], "unless it is asked for");
});

test("a run at the settings of the recorded one stands before it, unless it ends as that did", () => {
  const other = play(figure, run, advance(12, true)).state;
  assert.deepEqual([other.run.label, labels(other)], ["r = 0.5", [RECORDED]]);
  const { recorded, ...same } = evaluate({ rate: 0.5 });
  assert.equal(recorded, 1);
  const { state } = play(figure, run, { type: "advance", values: same, ended: true });
  assert.deepEqual([state.run.label, state.run.earlier], ["r = 0.5", []]);
});

test("a run that is repeated takes its own place among the earlier ones", () => {
  const back = [...ran(0.6), apply(0.7), apply(0.6)];
  const { state } = play(figure, ...back);
  assert.equal(state.values.steps, 0, "it is to be run again");
  assert.deepEqual(labels(state), ["r = 0.6", RECORDED]);
  assert.deepEqual(labels(play(figure, ...back, run).state), [RECORDED]);
});
