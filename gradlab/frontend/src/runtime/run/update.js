// What becomes of a figure that runs: its button, its progress, and the runs before this one.

import { visibleSentence } from "../sentences.js";
import { forSpeech, settingText } from "../settings.js";
import { alike, empty, results } from "./records.js";

/** @typedef {import("../../common/types.js").Description} Description */
/** @typedef {import("../../common/types.js").Settings} Settings */
/** @typedef {import("../../common/types.js").Values} Values */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../state.js").Step} Step */
/** @typedef {{settings: Settings, values: Values, label: string, dash: number}} Earlier `dash` is from 1, and stays */
/** @typedef {{phase: "idle" | "running" | "paused", earlier: Earlier[], label: string}} Run `label` says how its settings differ from those of earlier runs */

const KEPT = 3;

/** @type {Run} */
export const IDLE = { phase: "idle", earlier: [], label: "" };

/** Tell if the reader is to answer before anything runs. @param {State} state */
export const waits = ({ concealed }) => concealed.size > 0;

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
  const said = (/** @type {State} */ state) => forSpeech(visibleSentence(description, state));
  const phased = (/** @type {State} */ state, /** @type {Run["phase"]} */ phase) => ({
    ...state,
    run: { ...runOf(state), phase },
  });

  /** Tell where a run stands; what was to be said of the controls is not said over it. @param {State} state @param {string} announced @param {import("../state.js").Effect[]} effects @returns {Step} */
  function announce(state, announced, ...effects) {
    const write = state.touched.size ? [["write", state.asked]] : [];
    const next = { ...state, announced, touched: new Set() };
    /** @type {any} */
    const all = [...effects, ...write, ["release"], ["render"]];
    return { state: next, effects: all };
  }

  /** @type {Record<string, (state: State, event: any) => Step>} */
  const on = {
    run(state) {
      if (waits(state)) return { state, effects: [] };
      const { settings } = state;
      const resumes = runOf(state).phase === "paused";
      /** @type {import("../state.js").Effect} */
      const effect = ["run", resumes ? { what: "resume" } : { what: "start", settings }];
      const next = phased(resumes ? state : { ...state, values: ready }, "running");
      return { state: next, effects: [effect, ["freeze"], ["render"]] };
    },
    pause: (state) => announce(phased(state, "paused"), `Paused. ${said(state)}`, ["run", { what: "pause" }]),
    clear: (state) => announce({ ...state, run: { ...runOf(state), earlier: [], label: "" } }, "Cleared."),
    advance(state, { values, ended }) {
      if (!ended) return { state: { ...state, values }, effects: [["render"]] };
      const next = phased({ ...state, values }, "idle");
      return announce(next, said(next));
    },
  };

  return (state, event) => {
    if (on[event.type]) return on[event.type](state, event);
    const { state: next, effects } = update(state, event);
    const reset = event.type === "reset";
    const turns = waits(next) !== waits(state); // a question is put, or done with
    if (!reset && !turns && alike(state.settings, next.settings)) return { state: next, effects };
    const fresh = reset || waits(next);
    const earlier = fresh ? given(description, evaluate, next.settings, waits(next)) : kept(state, next);
    const run = { phase: IDLE.phase, ...labelled(description, earlier, next.settings, waits(next)) };
    /** @type {any} */
    const stop = runOf(state).phase === "idle" ? [] : [["run", { what: "stop" }], ["release"]];
    const values = reset && !waits(next) ? evaluate(next.settings) : next.values;
    const done = { state: { ...next, run, values }, effects: [...stop, ...effects] };
    if (event.type !== "commit") return done;
    const begun = on.run(done.state, event); // who has committed sees it run
    return { state: begun.state, effects: [...done.effects, ...begun.effects] };
  };
}

/** @param {State} state @returns {Run} */
export const runOf = ({ run }) => run ?? IDLE;

/** Those that stand behind a figure's first, which is one of them at most while it is not seen. @param {Description} description @param {(settings: Settings) => Values} evaluate @param {Settings} present @param {boolean} unseen @returns {Earlier[]} */
const given = ({ run }, evaluate, present, unseen) =>
  run.before
    .filter((/** @type {Settings} */ settings) => unseen || !alike(settings, present))
    .map((/** @type {Settings} */ settings) => ({
      settings,
      values: evaluate(settings),
      label: "",
      dash: 1,
    }));

/** How a figure's run begins. @param {Description} description @param {(settings: Settings) => Values} evaluate @param {Settings} settings @param {boolean} unseen @returns {Run} */
export const begun = (description, evaluate, settings, unseen) => ({
  phase: IDLE.phase,
  ...labelled(description, given(description, evaluate, settings, unseen), settings, unseen),
});

/** The runs that stand behind the next one, the latest first, each of other settings; each keeps its dash. @param {State} before @param {State} next @returns {Earlier[]} */
function kept(before, next) {
  const { settings, values } = before;
  const { earlier } = runOf(before);
  const others = earlier.filter((one) => !alike(one.settings, settings));
  const all = values.steps ? [{ settings, values, label: "", dash: 0 }, ...others] : earlier;
  const behind = all
    .filter((one) => !alike(one.settings, next.settings) || !next.values.steps)
    .slice(0, KEPT);
  const free = [1, 2, 3].find((n) => behind.every(({ dash }) => dash !== n)) ?? 1;
  return behind.map((one) => ({ ...one, dash: one.dash || free }));
}

/** Each run with the settings in which it differs from the others. @param {Description} description @param {Earlier[]} earlier @param {Settings} settings @param {boolean} unseen whether the next run is the one that is asked about */
function labelled({ controls, prediction }, earlier, settings, unseen) {
  const all = [{ ...settings, ...(unseen && prediction?.settings) }, ...earlier.map((one) => one.settings)];
  const differing = controls.filter(({ name }) => !all.every((one) => alike({ [name]: all[0][name] }, one)));
  /** Tell if a choice has set it, so that the choice's own words say it. @param {Settings} settings @param {string} name */
  const implied = (settings, name) =>
    differing.some(({ name: by, options, sets = [] }) => {
      const place = options?.findIndex(([option]) => option === settings[by]);
      return sets.some(([other, values]) => other === name && values[place] === settings[name]);
    });
  const label = (/** @type {Settings} */ settings) =>
    differing
      .filter(({ name }) => !implied(settings, name))
      .map((control) => {
        const text = settingText(control, settings[control.name]);
        return control.kind === "choice" ? text : `${control.symbol || control.label} = ${text}`;
      })
      .join(", ");
  return { earlier: earlier.map((one) => ({ ...one, label: label(one.settings) })), label: label(settings) };
}
