// A guess that is made on the picture: placed in a plane, or a level across it.

import { html } from "../../common/html.js";
import { arrow, marker } from "./arrows.js";
import { along } from "./labels.js";
import { r1 } from "./numbers.js";
import { asks } from "./read.js";
import { clamp } from "./scales.js";

/** @typedef {{x: import("./scales.js").Scale, y: import("./scales.js").Scale, left: number, right: number, top: number, bottom: number}} Space */

/** The place of the guess, or where its sliders stand until it is placed. @param {any} drawing @param {Space} space @returns {[number, number]} pixels */
function spot({ guess, description }, { x, y }) {
  const [across, up] = guess.value ?? description.prediction.guess.initial;
  return [x.at(across), y.at(up)];
}

/** The guessed place, dashed and hollow; once committed, tied to the truth. @param {any} drawing @param {Space} space */
export function GuessedPlace(drawing, space) {
  const { guess, spec } = drawing;
  if (!asks(drawing, "place")) return null;
  const [x, y] = spot(drawing, space);
  /** @type {[number, number]} */
  const from = [space.x.at(0), space.y.at(0)];
  const shaft = guess.value && spec.guess === "arrow" && arrow(from, [x, y], "").shaft;
  const crowded = spec.marks?.some((/** @type {any} */ { kind }) => kind === "cloud"); // a rim would hide an arrow beneath
  const [, answer] = guessedWay(drawing, space);
  return html`
    <g class="gl-guess">
      ${answer && html`<path class="gl-gap-to" d=${`M${r1(x)} ${r1(y)}L${r1(answer[0])} ${r1(answer[1])}`} />`}
      ${shaft && html`${crowded && html`<path class="gl-guessed-rim" d=${shaft} />`}<path class="gl-guessed" d=${shaft} />`}
      <path class="gl-guessed" d=${marker("", x, y, 8)} />
    </g>`;
}

/** The way from a committed guess to the truth; no spots where there is none. @param {any} drawing @param {Space} space @returns {[number, number][]} */
function guessedWay(drawing, space) {
  const { guess } = drawing;
  if (!asks(drawing, "place") || !guess.committed || !guess.answer?.every(Number.isFinite)) return [];
  return [spot(drawing, space), [space.x.at(guess.answer[0]), space.y.at(guess.answer[1])]];
}

/** Its label, to be placed among the others. @param {any} drawing @param {Space} space @returns {any[]} */
export function guessLabels(drawing, space) {
  if (!asks(drawing, "place")) return [];
  const [x, y] = spot(drawing, space);
  const side = x < (space.left + space.right) / 2 ? 1 : -1;
  const text = drawing.spec.guess_label;
  return [{ text, x, y, towards: [side, -0.8], gap: 14, class: "gl-named gl-role-ink" }];
}

/** The room that it takes, for labels to keep off: its ring, the arrow to it, and its tie to the truth. @param {any} drawing @param {Space} space */
export function guessRoom(drawing, space) {
  if (!asks(drawing, "place")) return [];
  const [x, y] = spot(drawing, space);
  const arrowed = drawing.guess.value && drawing.spec.guess === "arrow";
  /** @type {[number, number]} */
  const from = [space.x.at(0), space.y.at(0)];
  const arrowWay = arrowed ? along([from, [x, y]], space) : [];
  return [...knobs([{ x, y }]), ...arrowWay, ...along(guessedWay(drawing, space), space)];
}

/** The handle that places it, until it is committed. @param {any} drawing @param {Space} space */
export function placeHandles(drawing, space) {
  if (!asks(drawing, "place") || drawing.guess.committed) return [];
  const [x, y] = spot(drawing, space);
  /** @param {import("./scales.js").Scale} scale @param {number} px */
  const inside = ({ invert, low, high }, px) => clamp(invert(px), low, high);
  /** @param {number} px @param {number} py */
  const value = (px, py) => [inside(space.x, px), inside(space.y, py)];
  return [{ control: "guess", x, y, axis: "both", label: drawing.spec.guess_label, value }];
}

/** The room that knobs take, for labels to keep off. @param {{x: number, y: number}[]} handles */
export const knobs = (handles) =>
  handles.map(({ x, y }) => ({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
