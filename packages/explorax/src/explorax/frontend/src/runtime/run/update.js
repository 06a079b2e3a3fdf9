// What becomes of a figure that runs: its button, its progress, and the runs before this one.

import { visibleSentence } from "../sentences.js";
import { forSpeech, settingText } from "../settings.js";
import { alike, atFirst, empty, results } from "./records.js";

/** @typedef {import("../../common/types.js").Description} Description */
/** @typedef {import("../../common/types.js").Settings} Settings */
/** @typedef {import("../../common/types.js").Values} Values */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Step} Step */
/** @typedef {{settings: Settings, values: Values, label: string, dash: number}} Earlier `dash` is from 1, and stays */
/** @typedef {{phase: "idle" | "running" | "paused", earlier: Earlier[], label: string}} Run `label` says how its settings differ from those of earlier runs */

const KEPT = 3;

/**
 * The function from a state and an event to the next, for a figure that runs: `run` starts it, or goes on, `pause`
 * holds it, `advance` comes with each frame of it. A setting that is changed ends it, and its lines are kept.
 * @param {Description} description
 * @param {(settings: Settings) => Values} evaluate
 * @param {(state: State, event: import("../state.js").Event) => Step} update
 * @returns {(state: State, event: import("../state.js").Event) => Step}
 */
export function withRun(description, evaluate, update) {
  const ready = results(description.run, empty(description.run), 0);
  const shown = atFirst(description, evaluate);
  const said = (/** @type {State} */ state) => forSpeech(visibleSentence(description, state));
  /** @type {(state: State, phase: Run["phase"]) => State} */
  const phased = (state, phase) => ({ ...state, run: { ...runOf(state), phase } });

  /** The runs behind one that begins: one of its own settings makes way, but a recorded one stays to be compared. @param {State} state @param {Values} values */
  function restarted(state, values) {
    const next = { settings: state.settings, values };
    return labelled(description, kept(runOf(state), state, next, true), next);
  }

  /** Tell where a run stands; what was to be said of the controls is not said over it. @param {State} state @param {string} announced @param {import("../state.js").Effect[]} effects @returns {Step} */
  function announce(state, announced, ...effects) {
    const write = state.touched.size ? [["write", state.settings]] : [];
    const next = { ...state, announced, touched: new Set() };
    /** @type {any} */
    const all = [...effects, ...write, ["release"], ["render"]];
    return { state: next, effects: all };
  }

  /** @type {Record<string, (state: State, event: any) => Step>} */
  const on = {
    run(state) {
      const { settings } = state;
      const resumes = runOf(state).phase === "paused";
      /** @type {import("../state.js").Effect} */
      const effect = ["run", resumes ? { what: "resume" } : { what: "start", settings }];
      const next = resumes ? state : { ...state, values: ready, run: restarted(state, ready) };
      return { state: phased(next, "running"), effects: [effect, ["freeze"], ["render"]] };
    },
    pause: (state) => announce(phased(state, "paused"), `Paused. ${said(state)}`, ["run", { what: "pause" }]),
    clear(state) {
      const run = { ...labelled(description, [], state), phase: runOf(state).phase };
      return announce({ ...state, run }, "Cleared.");
    },
    advance(state, { values, ended }) {
      if (!ended) return { state: { ...state, values }, effects: [["render"]] };
      const there = { settings: state.settings, values };
      const earlier = runOf(state).earlier.filter((one) => !repeated(one, there));
      const run = labelled(description, earlier, there);
      const next = { ...state, values, run };
      const { state: told, effects } = announce(next, said(next));
      const found = update(told, { type: "find" });
      return { state: found.state, effects: [...effects, ...found.effects] };
    },
  };

  return (state, event) => {
    if (on[event.type]) return on[event.type](state, event);
    const { state: next, effects } = update(state, event);
    const reset = event.type === "reset";
    const answers = event.type === "commit" && next !== state; // who answers sees it run
    const shows = event.type === "show"; // who asks for it sees the run on record
    if (!reset && !answers && !shows && alike(state.settings, next.settings)) return { state: next, effects };
    const values = answers ? ready : (shows ? evaluate : shown)(next.settings);
    const there = { settings: next.settings, values };
    const earlier = reset ? given(description, evaluate, next.settings) : kept(runOf(state), state, there);
    const run = labelled(description, earlier, there);
    /** @type {any} */
    const stop = runOf(state).phase === "idle" ? [] : [["run", { what: "stop" }], ["release"]];
    const done = { state: { ...next, run, values }, effects: [...stop, ...effects] };
    const begins = answers || (event.type === "preset" && !values.recorded); // a preset has something to show
    if (!begins) return done;
    const running = on.run(done.state, event);
    return { state: running.state, effects: [...done.effects, ...running.effects] };
  };
}

/** @type {(state: any) => Run} */
export const runOf = ({ run }) => run;

/** The runs behind a figure's first. @param {Description} description @param {(settings: Settings) => Values} evaluate @param {Settings} present @returns {Earlier[]} */
const given = ({ run }, evaluate, present) =>
  run.before
    .filter((/** @type {Settings} */ settings) => !alike(settings, present))
    .map((/** @type {Settings} */ settings) => ({
      settings,
      values: evaluate(settings),
      label: "",
      dash: 1,
    }));

/** How a figure's run begins. @param {Description} description @param {(settings: Settings) => Values} evaluate @param {Settings} settings @returns {Run} */
export const begun = (description, evaluate, settings) =>
  labelled(description, given(description, evaluate, settings), { settings, values: evaluate(settings) });

/** Tell if a recorded run has been repeated here, as one that is not chaotic is on every machine. @param {Earlier} one @param {{settings: Settings, values: Values}} there */
const repeated = ({ settings, values }, there) =>
  values.recorded &&
  alike(settings, there.settings) &&
  Object.keys(values).every(
    (name) =>
      !name.startsWith("last_") ||
      Math.abs(values[name] - there.values[name]) <= 1e-4 * Math.abs(values[name]),
  );

/** Tell if two runs are one: of the same settings, both taken here or both recorded. @param {{settings: Settings, values: Values}} a @param {{settings: Settings, values: Values}} b */
const twins = (a, b) => alike(a.settings, b.settings) && a.values.recorded === b.values.recorded;

/**
 * The runs that stand behind the next one, the latest first, none twice; each keeps its dash.
 * @param {Run} run @param {{settings: Settings, values: Values}} before @param {{settings: Settings, values: Values}} next
 * @param {boolean} [begins] whether the next one is about to be taken
 * @returns {Earlier[]}
 */
function kept({ earlier }, before, next, begins = false) {
  const { settings, values } = before;
  const others = earlier.filter((one) => !twins(one, before));
  const all = values.steps ? [{ settings, values, label: "", dash: 0 }, ...others] : earlier;
  const drawn = begins || next.values.steps;
  const behind = all.filter((one) => !drawn || !twins(one, next)).slice(0, KEPT);
  const free = [1, 2, 3].find((n) => behind.every(({ dash }) => dash !== n)) ?? 1;
  return behind.map((one) => ({ ...one, dash: one.dash || free }));
}

/**
 * Runs, of which none is under way, each with the settings in which it differs from the others; one that has none
 * beside it, with its first.
 * @param {Description} description @param {Earlier[]} earlier @param {{settings: Settings, values: Values}} present
 * @returns {Run}
 */
function labelled({ controls }, earlier, { settings, values }) {
  const all = [settings, ...earlier.map((one) => one.settings)];
  const differs = controls.filter(({ name }) => !all.every((one) => alike({ [name]: all[0][name] }, one)));
  const differing = differs.length ? differs : controls.slice(0, 1);
  /** Tell if a choice has set it, so that the choice's own words say it. @param {Settings} settings @param {string} name */
  const implied = (settings, name) =>
    differing.some(({ name: by, options, sets = [] }) => {
      const place = options?.findIndex(([option]) => option === settings[by]);
      return sets.some(([other, values]) => other === name && values[place] === settings[name]);
    });
  const label = (/** @type {Settings} */ settings, /** @type {any} */ recorded) =>
    differing
      .filter(({ name }) => !implied(settings, name))
      .map((control) => {
        const text = settingText(control, settings[control.name]);
        return control.kind === "choice" ? text : `${control.symbol || control.label} = ${text}`;
      })
      .concat(recorded ? "recorded" : [])
      .join(", ");
  return {
    phase: "idle",
    earlier: earlier.map((one) => ({ ...one, label: label(one.settings, one.values.recorded) })),
    label: label(settings, values.recorded),
  };
}
