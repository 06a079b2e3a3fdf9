// A guess made on a profile: a value sketched for each step, or one level across.

import { along, clamp, clamped, filled, html, memoize, r1, typeOf, widthOf } from "../../view.js";
import { asks, concealed, read, templateValues } from "../common/read.js";
import { slot } from "./marks.js";
import { placedOf } from "./room.js";

const LABEL = 76; // about as wide as the label is
const UNMADE = 10; // above zero, clear of the steps' numbers

/** The height of a guess; at zero until it is made. @param {any} space @param {any} value */
const heightOf = ({ y }, value) => (typeof value === "number" ? clamped(y, value).px : y.zero);

/** The highest that guess and truth reach where the label stands. @param {any} space @param {any[]} drawn @param {any} answer @param {number} first @param {number} x */
function labelled(space, drawn, answer, first, x) {
  const under = drawn.flatMap((value, i) =>
    i >= first && space.place(i) - space.pitch / 2 < x + LABEL ? [value, answer?.[i]] : [],
  );
  return Math.min(...under.map((value) => heightOf(space, value)));
}

/** A guess's path with its label; a level's is at its end. @param {string} path @param {number} [x] @param {number} [y] @param {string} [label] */
const Guess = (path, x, y, label) =>
  html`<g class="gl-guess"><path class="gl-guessed-rim" d=${path} /><path class="gl-guessed" d=${path} />
    ${label && html`<text x=${x} y=${y}>${label}</text>`}</g>`;

/** The height of a level that is asked for: as it's guessed, or where its slider starts. @param {any} drawing @param {any} space @returns {number | null} */
export function askedLevel(drawing, space) {
  const { guess, spec, description } = drawing;
  if (!spec.level || !asks(drawing, "number")) return null;
  return clamped(space.y, guess.value ?? description.prediction.guess.initial).px;
}

/** The height of a guessed level, where there is one. @param {any} drawing @param {any} space @returns {number | null} */
export function guessedLevel(drawing, space) {
  return typeof drawing.guess?.value === "number" ? askedLevel(drawing, space) : null;
}

/** A guessed level, as boxes. @param {any} drawing @param {any} space */
export function guessedIn(drawing, space) {
  const level = guessedLevel(drawing, space);
  return level === null ? [] : [around([space.left, space.right], [level])];
}

/** @param {any} drawing @param {any} space */
export function Guessed(drawing, space) {
  const { guess, spec } = drawing;
  const { left, place, count, pitch, top } = space;
  const level = guessedLevel(drawing, space);
  if (level !== null) return Guess(`M${left} ${r1(level)}H${space.right}`);
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
  const { right, bottom } = space;
  const sheet = html`<rect class="gl-sheet" x=${left} y=${top} width=${right - left} height=${bottom - top} data-handle="guess" />`;
  const label = made < 0 ? `${spec.guess_label}: drag the rings` : spec.guess_label;
  return html`${Guess(path, r1(x), r1(y), label)}${!guess.committed && sheet}`;
}

/** One for each step, or one for the level. @param {any} drawing @param {any} space */
export function guessHandles(drawing, space) {
  const { guess, spec } = drawing;
  if (!guess || guess.committed) return [];
  const { y, right, top, bottom, place, count, pitch } = space;
  const value = (/** @type {number} */ _, /** @type {number} */ py) => y.invert(clamp(py, top, bottom));
  const handle = { control: "guess", axis: "y", value };
  const at = askedLevel(drawing, space);
  if (at !== null) return [{ ...handle, x: right, y: at, label: spec.guess_label }];
  if (!asks(drawing, "sketch")) return [];
  const [first] = spec.series;
  const { start, width } = slot(spec.series, first, pitch);
  const middle = first?.mark === "bars" ? start + width / 2 : 0;
  return Array.from({ length: count }, (_, index) => {
    const each = guess.value?.[index];
    const raised = typeof each === "number" ? 0 : UNMADE;
    const at = { x: place(index) + middle, y: heightOf(space, each) - raised };
    return { ...handle, ...at, index, label: `${spec.guess_label}, ${index + 1}` };
  });
}

/** @typedef {import("../common/labels.js").Box} Box */

const PAD = 3;

/** The room about what is drawn. @param {number[]} xs @param {number[]} ys @returns {Box} */
export const around = (xs, ys) => ({
  left: Math.min(...xs) - PAD,
  right: Math.max(...xs) + PAD,
  top: Math.min(...ys) - PAD,
  bottom: Math.max(...ys) + PAD,
});

/** The finite spots of a series, no farther out than the plot. @param {any} series @param {any} drawing @param {any} space @returns {[number, number][]} */
export function spots(series, drawing, space) {
  const { count, place } = placedOf(series, drawing, space);
  const [all, at] = [read(drawing, series.value), read(drawing, series.at || drawing.spec.at)];
  const spot = (/** @type {number} */ i) => [place(i), clamped(space.y, Number(all[i])).px];
  const found = () => [...Array(count).keys()].filter((i) => Number.isFinite(all[i])).map(spot);
  const room = `spots ${space.left} ${space.right} ${space.top} ${count}`;
  return memoize(series, room, [all, at], /** @type {any} */ (found));
}

/** @param {any[]} shown the series that are drawn @param {any} drawing @param {any} space @returns {Box[]} */
export const drawnIn = (shown, drawing, space) => [
  ...shown.flatMap((series) => seriesIn(series, spots(series, drawing, space), space)),
  ...drawing.spec.thresholds.flatMap((/** @type {any} */ threshold) =>
    thresholdIn(threshold, drawing, space),
  ),
];

/** A series, piece by piece; a line that stays is measured once. @param {any} series @param {[number, number][]} course @param {any} space @returns {Box[]} */
function seriesIn(series, course, space) {
  const { mark } = series;
  if (mark === "line") return memoize(series, `along ${space.width}`, [course], () => along(course, space));
  const foot = mark === "points" ? [] : [space.y.zero];
  return course.map(([px, py]) => around([px], [py, ...foot]));
}

/** A threshold's line; a level's name stands above it at its right end. @param {any} threshold @param {any} drawing @param {any} space @returns {Box[]} */
function thresholdIn(threshold, drawing, { x, y, left, right, top, bottom, beside }) {
  const { value, axis, label } = threshold;
  const at = Number(read(drawing, value));
  if (concealed(drawing, value) || Number.isNaN(at)) return [];
  if (axis === "x") return [around([clamped(x, at).px], [top, bottom])];
  const { letter, size } = typeOf(drawing);
  const { px } = clamped(y, at);
  const wide =
    label && !beside.includes(threshold) ? widthOf(filled(label, templateValues(drawing)), letter) : 0;
  const name = { left: right - 12 - wide, right: right - 12, top: px - 8 - size, bottom: px - 4 };
  return [around([left, right], [px]), ...(wide ? [name] : [])];
}
