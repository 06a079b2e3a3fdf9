// A guess that is made on the picture: placed in a plane, or a level across it.

import { html } from "../../common/html.js";
import { arrow, marker } from "./arrows.js";
import { along } from "./labels.js";
import { r1 } from "./numbers.js";
import { asks } from "./read.js";
import { clamp } from "./scales.js";

/** @typedef {{x: import("./scales.js").Scale, y: import("./scales.js").Scale, left: number, right: number, top: number, bottom: number}} Space */

/**
 * The place of the guess, or where its sliders stand until it is placed; the arrow to it, and its tie to the truth once
 * it is committed, as far as there are any. Null where no place is asked for.
 * @param {any} drawing @param {Space} space
 */
function guessed(drawing, space) {
  if (!asks(drawing, "place")) return null;
  const { guess, spec, description } = drawing;
  /** @type {(place: [number, number]) => [number, number]} */
  const at = ([across, up]) => [space.x.at(across), space.y.at(up)];
  const spot = at(guess.value ?? description.prediction.guess.initial);
  const way = guess.value && spec.guess === "arrow" ? [at([0, 0]), spot] : [];
  const tied = guess.committed && guess.answer?.every(Number.isFinite);
  return { spot, way, tie: tied ? [spot, at(guess.answer)] : [] };
}

/** The guessed place, dashed and hollow; once committed, tied to the truth. @param {any} drawing @param {Space} space */
export function GuessedPlace(drawing, space) {
  const found = guessed(drawing, space);
  if (!found) return null;
  const [x, y] = found.spot;
  const [from] = found.way;
  const [, answer] = found.tie;
  const shaft = from && arrow(from, [x, y], "").shaft;
  const crowded = drawing.spec.marks?.some((/** @type {any} */ { kind }) => kind === "cloud"); // a rim would hide an arrow beneath
  return html`
    <g class="gl-guess">
      ${answer && html`<path class="gl-gap-to" d=${`M${r1(x)} ${r1(y)}L${r1(answer[0])} ${r1(answer[1])}`} />`}
      ${shaft && html`${crowded && html`<path class="gl-guessed-rim" d=${shaft} />`}<path class="gl-guessed" d=${shaft} />`}
      <path class="gl-guessed" d=${marker("", x, y, 8)} />
    </g>`;
}

/** Its label, to be placed among the others. @param {any} drawing @param {Space} space @returns {any[]} */
export function guessLabels(drawing, space) {
  const [x, y] = guessed(drawing, space)?.spot ?? [];
  if (x === undefined) return [];
  const side = x < (space.left + space.right) / 2 ? 1 : -1;
  const text = drawing.spec.guess_label;
  return [{ text, x, y, towards: [side, -0.8], gap: 14, class: "gl-named gl-role-ink" }];
}

/** The room that it takes, for labels to keep off: its ring, the arrow to it, and its tie to the truth. @param {any} drawing @param {Space} space */
export function guessRoom(drawing, space) {
  const found = guessed(drawing, space);
  if (!found) return [];
  const [x, y] = found.spot;
  return [...knobs([{ x, y }]), ...along(found.way, space), ...along(found.tie, space)];
}

/** The handle that places it, until it is committed. @param {any} drawing @param {Space} space */
export function placeHandles(drawing, space) {
  const [x, y] = guessed(drawing, space)?.spot ?? [];
  if (x === undefined || drawing.guess.committed) return [];
  /** @param {import("./scales.js").Scale} scale @param {number} px */
  const inside = ({ invert, low, high }, px) => clamp(invert(px), low, high);
  /** @param {number} px @param {number} py */
  const value = (px, py) => [inside(space.x, px), inside(space.y, py)];
  return [{ control: "guess", x, y, axis: "both", label: drawing.spec.guess_label, value }];
}

/** The room that knobs take, for labels to keep off. @param {{x: number, y: number}[]} handles */
export const knobs = (handles) =>
  handles.map(({ x, y }) => ({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
