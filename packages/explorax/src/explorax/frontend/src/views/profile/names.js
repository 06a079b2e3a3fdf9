// The names of lines: at their right ends, or beside them where they all end in one place.

import { clamped, html, knobs, placeLabels, r1, spread, widthOf } from "../../view.js";
import { emphasis, part, read, templateValues } from "../common/read.js";
import { filled, Labels, typeOf } from "../common/text.js";
import { askedLevel, drawnIn, guessedIn, spots } from "./guessed.js";
import { isThere } from "./room.js";

const SAME = 2; // pixels within which two lines end as one
const MOVED = 4; // pixels from the end of a line from which on a thin one leads to its name
const LINE = 17; // from one name to the next under it

/** The names of lines, of levels beside the plot, and of a guessed level, at their right ends, apart from each other. @param {any[]} shown @param {any} drawing @param {any} space */
export function Ends(shown, drawing, space) {
  const { ends, beside, y, count, right, top, bottom, gap } = space;
  const levels = beside.filter((/** @type {any} */ one) => isThere(drawing, one));
  const lines = ends.filter((/** @type {any} */ series) => shown.includes(series));
  const words = templateValues(drawing);
  const entry = (/** @type {any} */ { value, at, label, role }) => {
    const found = read(drawing, value);
    const last =
      typeof found === "number" ? found : found.slice(0, at ? undefined : count).findLast(Number.isFinite);
    const y0 = last === undefined ? bottom : clamped(y, last).px;
    return { at: y0, rows: [[{ value, role, text: filled(label, words) }]] };
  };
  const guess = askedLevel(drawing, space);
  const guessed = { role: "ink", text: drawing.spec.guess_label };
  const named = [...levels.map(entry), ...joined(lines.map(entry), drawing, space)];
  if (guess !== null) named.push({ at: guess, rows: [[guessed]] });
  const sizes = named.map(({ rows }) => LINE * rows.length);
  const wanted = named.map(({ at }) => at);
  const heights = spread(wanted, top + 6, bottom - 4, sizes);
  const leads = named.flatMap(({ at }, i) =>
    Math.abs(heights[i] - at) > MOVED ? `M${right + 1} ${r1(at)}L${right + gap - 2} ${r1(heights[i])}` : [],
  );
  const texts = named.flatMap(({ rows }, i) =>
    rows.map((/** @type {any[]} */ names, /** @type {number} */ row) => {
      const place = { x: right + gap, y: r1(heights[i] + 4.5 + LINE * (row - (rows.length - 1) / 2)) };
      const kind = (/** @type {any} */ { role, value }) =>
        `gl-named gl-role-${role}${emphasis(drawing, value)}`;
      const [first, ...others] = names;
      const more = row < rows.length - 1;
      if (!others.length)
        return html`<text class=${kind(first)} x=${place.x} y=${place.y} ...${part(first.value)}>${first.text}${more && ","}</text>`;
      return html`<text x=${place.x} y=${place.y}>${names.map(
        (one, n) =>
          html`<tspan class=${kind(one)} ...${part(one.value)}>${one.text}${n < others.length ? ", " : more && ","}</tspan>`,
      )}</text>`;
    }),
  );
  return leads.length ? [html`<path class="gl-lead" d=${leads.join("")} />`, ...texts] : texts;
}

/** Lines that end as one, named in rows, as many in each as there is room for. @param {any[]} entries @param {any} drawing @param {any} space @returns {any[]} */
function joined(entries, drawing, { width, right, gap }) {
  const room = width - right - gap;
  const length = (/** @type {any[]} */ names) =>
    widthOf(names.map(({ text }) => text).join(", "), typeOf(drawing).letter);
  /** @type {any[]} */
  const found = [];
  for (const { at, rows } of entries) {
    const other = found.find((one) => Math.abs(one.at - at) < SAME);
    const last = other?.rows.at(-1);
    if (!other) found.push({ at, rows });
    else if (length([...last, ...rows[0]]) <= room) last.push(...rows[0]);
    else other.rows.push(...rows);
  }
  return found;
}

/** The names of lines beside them, clear of all that is drawn. @param {any[]} shown @param {any} drawing @param {any} space @param {any[]} hands */
export function Names(shown, drawing, space, hands) {
  if (!shown.some(({ named }) => typeof named === "number")) return null;
  const { x, left, right, top, bottom } = space;
  const words = templateValues(drawing);
  const courses = shown.map((series) => spots(series, drawing, space));
  const heightAt = (/** @type {[number, number][]} */ course, /** @type {number} */ px) =>
    course.reduce((best, spot) => (Math.abs(spot[0] - px) < Math.abs(best[0] - px) ? spot : best))[1];
  const labels = shown.flatMap(({ value, named, label, role }, i) => {
    if (typeof named !== "number" || !label) return [];
    const px = x.at(named);
    const heights = courses.map((course) => heightAt(course, px));
    const others = heights.filter((_, j) => j !== i);
    const under = others.filter((height) => height < heights[i] - 1).length > others.length / 2;
    /** @type {[number, number]} */
    const towards = [0, under ? 1 : -1];
    const place = { x: px, y: heights[i], towards, gap: 7, slides: true };
    const kind = `gl-named gl-role-${role}${emphasis(drawing, value)}`;
    return { text: filled(label, words), ...place, class: kind, part: part(value) };
  });
  const taken = [...drawnIn(shown, drawing, space), ...guessedIn(drawing, space), ...knobs(hands)];
  const foot = drawing.spec.thresholds.some((/** @type {any} */ threshold) => threshold.foot) ? 26 : 2;
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - foot };
  return Labels(placeLabels(labels, bounds, typeOf(drawing), taken));
}
