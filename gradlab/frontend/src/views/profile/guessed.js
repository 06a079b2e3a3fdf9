// A guess made on a profile: a value sketched for each step, or one level across.

import { html } from "../../common/html.js";
import { r1 } from "../common/numbers.js";
import { asks } from "../common/read.js";
import { clamp, clamped } from "../common/scales.js";
import { slot } from "./bars.js";

const LABEL = 76; // about as wide as the label is

/** The height of a guess; at zero until it is made. @param {any} space @param {any} value */
const heightOf = ({ y }, value) => (typeof value === "number" ? clamped(y, value).px : y.zero);

/** The highest that guess and truth reach where the label stands. @param {any} space @param {any[]} drawn @param {any} answer @param {number} first @param {number} x */
function labelled(space, drawn, answer, first, x) {
  const under = drawn.flatMap((value, i) =>
    i >= first && space.place(i) - space.pitch / 2 < x + LABEL ? [value, answer?.[i]] : [],
  );
  return Math.min(...under.map((value) => heightOf(space, value)));
}

/** A guess's path with its label. @param {string} path @param {number} x @param {number} y @param {string} label */
const Guess = (path, x, y, label) =>
  html`<g class="gl-guess"><path class="gl-guessed-rim" d=${path} /><path class="gl-guessed" d=${path} />
    <text x=${x} y=${y}>${label}</text></g>`;

/** Where a level's label stands: its left end and its base. @param {any} space @param {number} value @returns {[number, number]} */
function nameAt(space, value) {
  const py = r1(heightOf(space, value));
  return [space.left + 14, py - space.top > 20 ? py - 8 : py + 20];
}

/** The room of a guessed level's label. @param {any} drawing @param {any} space */
export function guessedName({ guess }, space) {
  const [x, y] = nameAt(space, guess.value);
  return { left: x, right: x + LABEL, top: y - 14, bottom: y + 4 };
}

/** @param {any} drawing @param {any} space */
export function Guessed(drawing, space) {
  const { guess, spec } = drawing;
  const { left, right, place, count, pitch, top } = space;
  if (spec.level && asks(drawing, "number") && typeof guess.value === "number") {
    const py = r1(heightOf(space, guess.value));
    return Guess(`M${left} ${py}H${right}`, ...nameAt(space, guess.value), spec.guess_label);
  }
  if (!asks(drawing, "sketch")) return null;
  const drawn = Array.from({ length: count }, (_, i) => guess.value?.[i] ?? null);
  const [first] = spec.series;
  const bars = first?.mark === "bars" && pitch > 5;
  const { start, width } = slot(spec.series, first, pitch);
  const path = drawn
    .map((value, i) => {
      const [px, py] = [r1(place(i)), r1(heightOf(space, value))];
      if (value === null) return "";
      if (bars)
        return `M${r1(px + start - 1)} ${r1(space.y.zero)}V${py}h${r1(width + 2)}V${r1(space.y.zero)}`;
      return `${i > 0 && drawn[i - 1] !== null ? "L" : "M"}${px} ${py}`;
    })
    .join("");
  const made = drawn.findIndex((value) => value !== null);
  const x = made < 0 ? left + 12 : place(made) + (bars ? start : 0);
  const y = made < 0 ? top + 18 : Math.max(top + 14, labelled(space, drawn, guess.answer, made, x) - 9);
  return Guess(path, r1(x), r1(y), spec.guess_label);
}

/** One for each step, or one for the level. @param {any} drawing @param {any} space */
export function guessHandles(drawing, space) {
  const { guess, spec } = drawing;
  if (!guess || guess.committed) return [];
  const { y, left, top, bottom, place, count, pitch } = space;
  const value = (/** @type {number} */ _, /** @type {number} */ py) => y.invert(clamp(py, top, bottom));
  const handle = { control: "guess", axis: "y", value };
  if (spec.level && asks(drawing, "number")) {
    const at = typeof guess.value === "number" ? clamped(y, guess.value).px : (top + bottom) / 2;
    return [{ ...handle, x: left, y: at, label: spec.guess_label }];
  }
  if (!asks(drawing, "sketch")) return [];
  const [first] = spec.series;
  const { start, width } = slot(spec.series, first, pitch);
  const middle = first?.mark === "bars" ? start + width / 2 : 0;
  return Array.from({ length: count }, (_, index) => {
    const at = { x: place(index) + middle, y: heightOf(space, guess.value?.[index]) };
    return { ...handle, ...at, index, label: `${spec.guess_label}, ${index + 1}` };
  });
}
