// A figure comes alive: its state is kept here, and what `update` asks for is done.

import { render } from "preact";
import { html } from "../common/html.js";
import { answers, answerTo } from "./answers.js";
import { addViews } from "./engine.js";
import { Live } from "./figure.js";
import { freezeLayout } from "./freezeLayout.js";
import { run } from "./glide.js";
import { drag, point, walk } from "./interaction.js";
import { load } from "./program.js";
import { withRoom } from "./reserve.js";
import { atFirst } from "./run/records.js";
import { makeRunner } from "./run/runner.js";
import { withRun } from "./run/update.js";
import { python, reach, settingText } from "./settings.js";
import { initial, shownAt } from "./state.js";
import { onPaper, stillsOf } from "./stills.js";
import { makeUpdate } from "./update.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {{at: Settings, values: Record<string, any>}} Given */

const QUIET = 500; // milliseconds after which what was set is said
const PLAYED = 800; // milliseconds from one value to the next
const WIDE = 688;
const SLIM = 480;

/**
 * Makes a figure answer. `root` may hold the same figure as rendered before. `onChange` hears each
 * change that was made here; `address` keeps the state, where the page's address can, and `remembers` says whether the
 * browser keeps what was answered.
 * @param {HTMLElement} root
 * @param {Description} described
 * @param {{id: string, onChange?: (changed: Settings) => void,
 *   address?: import("./address.js").Address | null, remembers?: boolean}} options
 */
export async function hydrate(root, described, { id, onChange, address = null, remembers = false }) {
  await addViews(described.views);
  const program = await load(described);
  /** Numbers that another program has computed, and where. @type {Given | null} */
  let given = null;
  const givenAt = (/** @type {Settings} */ settings) =>
    given && Object.entries(given.at).every(([name, value]) => settings[name] === value)
      ? given.values
      : null;
  const evaluate = (/** @type {Settings} */ settings) => ({ ...program(settings), ...givenAt(settings) });
  const description = withRoom(described, evaluate);
  /** @type {HTMLElement} */
  const figure = root.closest(".gl-figure") ?? root;
  const { freeze, release } = freezeLayout(figure, root);
  const runner = description.run && makeRunner(description, figure, (event) => send(event));
  const plain = makeUpdate(description, evaluate);
  const update = runner ? withRun(description, evaluate, plain) : plain;
  const restored = address?.read() ?? { settings: {}, complaints: [] };
  const layouts = Object.keys(viewOf(description).layouts);
  /** Others in the page, who hear whenever it is shown anew. @type {Set<() => void>} */
  const listeners = new Set();
  const settings = { ...description.settings, ...restored.settings };
  const first = initial(description, settings, runner ? atFirst(description, evaluate) : evaluate, layouts);
  const complaint = restored.complaints.join(" ");
  let state = { ...first, links: Boolean(address), announced: complaint, complaint };
  const { question = "" } = description.prediction ?? {};
  const answer = remembers && question ? answerTo(question) : null;
  /** @type {import("./state.js").State | undefined} */
  let shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speaking;
  let since = 0; // milliseconds: when it was set last
  let frame = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;

  /** @type {Record<string, (detail: any) => void>} */
  const effects = {
    render() {
      if (shown === state) return;
      shown = state;
      render(html`<${Live} description=${description} state=${state} send=${send} id=${id} />`, root);
      figure.classList.toggle("gl-given", Boolean(givenAt(state.settings)));
      for (const hear of listeners) hear();
    },
    tell: (changed) => onChange?.(changed),
    freeze,
    release,
    frame() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        send({ type: "frame" });
      });
    },
    glide: () => run(glideTo),
    play(control) {
      clearInterval(playing);
      playing = control && setInterval(() => send({ type: "played" }), PLAYED);
    },
    speakSoon() {
      since = performance.now();
      speaking ??= setTimeout(speak, QUIET);
    },
    run: ({ what, settings }) => runner[what](settings),
    write: (settings) => address?.write(settings),
    remember: (attempt) => answer?.write(attempt),
    async copy(what) {
      const text =
        what === "link"
          ? (address?.link(state.glide?.to ?? state.settings) ?? "")
          : python(description, state.settings);
      const writing = navigator.clipboard?.writeText(text); // not every page may
      send({ type: "copied", what, text, done: Boolean(await writing?.then(() => true).catch(() => false)) });
    },
  };

  /** Says what was set, when the hand has been still; a timer for each frame would cost it a part of its time. */
  function speak() {
    const still = performance.now() - since;
    speaking = still < QUIET ? setTimeout(speak, QUIET - still) : undefined;
    if (!speaking) send({ type: "speak" });
  }

  /** @param {import("./state.js").Event} event */
  function send(event) {
    const next = update(state, event);
    state = next.state;
    for (const [name, detail] of next.effects) effects[name](detail);
  }

  /** Go on with a glide, and say if it goes on. @param {number} t */
  function glideTo(t) {
    if (state.glide) send({ type: "glide", t });
    return Boolean(state.glide);
  }

  const kept = answer?.read();
  if (kept) state = update(state, { type: "recall", ...kept }).state;
  if (answer && answers.all) state = update(state, { type: "share", all: true }).state;
  const deaf = answer ? answers.listen(send) : () => {};
  effects.render(null);
  for (const hand of ["pointerdown", "keydown"])
    root.addEventListener(hand, () => state.glide && glideTo(1), { capture: true });
  const present = () => state;
  drag(root, description, present, send);
  point(root, send);
  walk(root, description, present, send);
  const resized = new ResizeObserver(([entry]) => {
    const { width } = entry.contentRect;
    if (!width) return;
    figure.classList.add("gl-sized");
    figure.classList.toggle("gl-slim", Boolean(description.width) || width <= SLIM);
    send({ type: "layout", layout: width >= WIDE ? "wide" : "narrow" });
  });
  resized.observe(root);
  const noPaper = onPaper(figure, () => stillsOf(description, evaluate, id));

  return {
    get settings() {
      return state.settings;
    },
    set: (/** @type {Settings} */ changes) => send({ type: "set", changes }),
    send,
    /**
     * Show numbers that another program has computed in place of the figure's own, as long as its settings are the ones
     * that they're for; with null, show its own again.
     * @param {Given | null} next
     * @returns {string} why they can't be shown, or ""
     */
    replace(next) {
      const own = program({ ...state.settings, ...next?.at });
      for (const [name, all] of Object.entries(next?.values ?? {}))
        if (all.length !== own[name].length)
          return `${name} has ${all.length} numbers, not ${own[name].length}.`;
      given = next;
      send({ type: "set", changes: next?.at ?? {} });
      state = shownAt({ description, evaluate, controlOf: {} }, state);
      effects.render(null);
      return "";
    },
    listen: (/** @type {() => void} */ hear) => void listeners.add(hear),
    // a control as it is: its value in numbers and words, and its ends
    control(/** @type {string} */ name) {
      const control = description.controls.find((each) => each.name === name);
      if (!control) return null;
      const value = state.settings[name];
      const [low, high] = reach(control, state.widened.has(name));
      return { ...control, value, low, high, text: settingText(control, value) };
    },
    destroy() {
      runner?.stop();
      release();
      state = { ...state, glide: null };
      clearTimeout(speaking);
      clearInterval(playing);
      cancelAnimationFrame(frame);
      resized.disconnect();
      noPaper();
      deaf();
      render(null, root);
    },
  };
}
