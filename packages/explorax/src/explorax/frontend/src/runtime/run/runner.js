// Takes the steps of a run in slices of a frame, so that the hand is never kept waiting.

import { importText, leaf } from "../program.js";
import { empty, results } from "./records.js";

/** @typedef {import("../../common/types.js").Description} Description */
/** @typedef {import("../../common/types.js").Settings} Settings */

const SLICE = 8; // milliseconds of a frame

/**
 * A run's steps, one by one.
 * @param {Description} description
 * @returns {Promise<(settings: Settings) => () => Record<string, number>>} from settings to what takes one step and gives its record
 */
export async function loadRun({ run, program, controls }) {
  const [start, step] = await Promise.all([importText(run.start), importText(program)]);
  const count = run.numbers.length;
  const numbers = (/** @type {any[]} */ leaves) =>
    leaves.map((array, i) => (run.numbers[i] ? array[0] : array)).slice(0, count);
  return (settings) => {
    const values = controls.map((control) => leaf(control, settings[control.name]));
    let carry = numbers(start.evaluate(...values));
    return () => {
      const found = step.evaluate(...carry, ...values);
      carry = numbers(found);
      return Object.fromEntries(
        run.records.map((/** @type {string} */ name, /** @type {number} */ i) => [name, found[count + i][0]]),
      );
    };
  };
}

/**
 * The runner of a figure: it sends `advance` with the results after each frame in which it took steps. It waits while
 * the figure is out of sight; in a page that is hidden there are no frames.
 * @param {Description} description @param {Element} figure @param {(event: import("../state.js").Event) => void} send
 */
export function makeRunner(description, figure, send) {
  const { run } = description;
  /** @type {Promise<any> | undefined} */
  let loading;
  /** @type {{step: () => Record<string, number>, records: Record<string, Float64Array>, taken: number} | null} */
  let current = null;
  let [frame, turn, inSight, held] = [0, 0, true, false];
  const sight = new IntersectionObserver(([{ isIntersecting }]) => {
    inSight = isIntersecting;
    if (inSight && frame < 0) ask();
  });

  const ask = () => {
    frame = requestAnimationFrame(slice);
  };

  function pause() {
    held = true;
    if (frame > 0) cancelAnimationFrame(frame);
    frame = 0;
  }

  function slice() {
    frame = 0;
    if (!current) return;
    if (!inSight) {
      frame = -1; // goes on when it is seen again
      return;
    }
    const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const most = quick ? run.steps : Math.ceil(run.steps / run.frames);
    const { records, step } = current;
    const until = performance.now() + SLICE;
    let lost = false;
    for (let n = 0; n < most && current.taken < run.steps && !lost; n++) {
      const found = step();
      lost = !Object.values(found).every(Number.isFinite);
      if (lost) break;
      for (const name of run.records) records[name][current.taken] = found[name];
      current.taken += 1;
      if (performance.now() > until) break;
    }
    const ended = lost || current.taken === run.steps;
    if (!ended) ask();
    send({ type: "advance", values: results(run, records, current.taken, lost), ended });
  }

  return {
    async start(/** @type {Settings} */ settings) {
      sight.observe(figure);
      const mine = ++turn;
      pause();
      held = false;
      current = null;
      loading ??= loadRun(description);
      const begin = await loading;
      if (mine !== turn) return; // another has been started, or this one stopped
      current = { step: begin(settings), records: empty(run), taken: 0 };
      if (!held) ask(); // it may have been held while the program was loaded
    },
    resume() {
      held = false;
      if (current) ask();
    },
    pause,
    stop() {
      turn += 1;
      pause();
      current = null;
      sight.disconnect();
    },
  };
}
