// Text in pictures: its measures in each layout, and keys of signs with words.

import { html } from "../../common/html.js";
import { fill } from "../../common/template.js";
import { arrow, marker } from "./arrows.js";

/** The width of a letter and the height of a line: 13 px wide, 14.5 narrow, which is shown smaller. @param {{layout: string}} drawing */
export const typeOf = ({ layout }) =>
  layout === "narrow" ? { letter: 7.6, size: 18 } : { letter: 6.9, size: 17 };

/** A template with the number of its row, where it has any. @param {string} template @param {any} words @param {number} [n] */
export function filled(template, words, n) {
  if (!template.includes("{")) return template;
  if (n === undefined) return fill(template, words);
  return fill(template, { ...words, n: String(n) });
}

/** Words in lines of at most so many letters. @param {string} text @param {number} most */
export function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The length that a template's text will have, about; some letters are as wide as two. @param {string} template */
const lengthOf = (template) => template.replace(/\{[^}]*\}/g, "00.00").replace(/[MWmw]/g, "nn").length;

/** The sign's room in a key, the height of a further line, and the pitch of entries. */
const SIGN = 32;

/**
 * The room that a key takes: its width and height, and the letters that a line holds.
 * @param {string[]} templates @param {{letter: number, size: number}} type @param {number} widest
 */
export function keyRoom(templates, { letter, size }, widest) {
  const longest = Math.max(0, ...templates.map(lengthOf));
  const width = Math.min(widest, SIGN + longest * letter + 6);
  const letters = Math.floor((width - SIGN) / letter);
  const lines = templates.map((template) => wrapped(template.replace(/\{[^}]*\}/g, "00.00"), letters).length);
  return { width, letters, height: lines.reduce((sum, n) => sum + n * size + 10, 0) };
}

/** Labels that have been placed. @param {import("./labels.js").Placed[]} labels */
export const Labels = (labels) =>
  labels.map(
    ({ at, part, text, ...label }) => html`
      <text class=${label.class} x=${at[0].toFixed(1)} y=${at[1].toFixed(1)} text-anchor="middle" ...${part}>${text}</text>`,
  );

/** The sign that a key shows for a kind of mark. @param {string} kind @param {string} role @param {number} x @param {number} y */
export function sign(kind, role, x, y) {
  switch (kind) {
    case "vector": {
      const { shaft, head } = arrow([x, y], [x + 24, y], role);
      return html`<path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} />`;
    }
    case "before":
      return html`<path class="gl-outline" d=${`M${x} ${y - 2}h13v-3.5l11 5.5l-11 5.5v-3.5h-13z`} />`;
    case "dots":
    case "tips":
      return html`<path class=${`gl-cloud gl-${kind}`} d=${[3, 12, 21].map((dx) => (kind === "dots" ? `M${x + dx} ${y}h0` : marker("", x + dx, y, 2))).join("")} />`;
    case "band":
    case "bars":
      return html`<path class=${kind === "band" ? "gl-span" : "gl-bar"} d=${`M${x + 6} ${y - 6}h12v12h-12z`} />`;
    case "outline":
      return html`<path class="gl-outline" d=${`M${x + 6} ${y - 6}h12v12h-12z`} />`;
    case "trail":
      return html`<path class="gl-line" d=${`M${x} ${y}h24`} /><path class="gl-beads" d=${marker("", x + 12, y, 2.4)} />`;
    case "line":
      return html`<path class="gl-line" d=${`M${x} ${y}h24`} />${["parameter", "loss", "cotangent"].includes(role) && html`<path class="gl-spot" d=${marker(role, x + 12, y, 4)} />`}`;
    case "ring":
    case "image":
      return html`<path class=${`gl-${kind === "ring" ? "ring" : "ellipse"}`} d=${marker("", x + 12, y, 6.5)} />`;
    default:
      return html`<path class="gl-spot" d=${marker(role, x + 12, y, 5)} />`;
  }
}

/**
 * A key: a sign and its words an entry, from a corner downwards.
 * @param {{kind: string, role: string, text: string, part: any, emphasis: string}[]} entries
 * @param {{x: number, y: number, letters: number}} place @param {number} size the height of a line
 */
export function Key(entries, { x, y, letters }, size) {
  let top = y;
  return entries.map(({ kind, role, text, part, emphasis }) => {
    const lines = wrapped(text, letters);
    const middle = top + size / 2;
    top += lines.length * size + 10;
    return html`
      <g class=${`gl-key gl-role-${role}${emphasis}`} ...${part}>
        ${sign(kind, role, x, middle)}
        ${lines.map((line, i) => html`<text x=${x + SIGN} y=${(middle + 4.7 + i * size).toFixed(1)}>${line}</text>`)}
      </g>`;
  });
}

/** A key that flows in rows. @param {any[]} entries @param {any[]} places of `keyRows` @param {any} drawing */
export const RowKey = (entries, places, drawing) =>
  entries.map((entry, i) => Key([entry], places[i], typeOf(drawing).size));

/**
 * The places of the entries of a key that flows in rows.
 * @param {string[]} templates @param {{letter: number, size: number}} type @param {number} left @param {number} right
 */
export function keyRows(templates, { letter, size }, left, right) {
  let [x, y] = [left, 0];
  const places = templates.map((template) => {
    const width = SIGN + lengthOf(template) * letter;
    if (x > left && x + width > right) [x, y] = [left, y + size + 6];
    const place = { x, y, letters: 999 };
    x += width + 22;
    return place;
  });
  return { places, height: places.length ? y + size + 8 : 0 };
}
