// The way from some settings to others, so that an answer is seen to come about.

import { between } from "./settings.js";

/** @typedef {import("../common/types.js").Control} Control */
/** @typedef {import("../common/types.js").Settings} Settings */
/** @typedef {{from: Settings, to: Settings, reveals: boolean}} Glide `reveals` whether what was concealed comes in */

const LASTS = 600; // milliseconds

/** Slow at both ends. @param {number} t from 0 to 1 */
const eased = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

/** The settings at a time from 0 to 1. @param {Control[]} controls @param {Glide} glide @param {number} t @returns {Settings} */
export function settingsAt(controls, { from, to }, t) {
  const along = (/** @type {Control} */ c) => [c.name, between(c, from[c.name], to[c.name], eased(t))];
  return Object.fromEntries(controls.map(along));
}

/**
 * Run a glide, a frame after another, to its end; where less motion is wanted it ends at once.
 * @param {(t: number) => boolean} go sets what holds at a time from 0 to 1, and says if it goes on
 */
export function run(go) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return void go(1);
  const start = performance.now();
  const frame = (/** @type {number} */ now) => {
    const t = Math.min(1, Math.max(0, now - start) / LASTS);
    if (go(t)) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
