// The tokens: one on a place, the others below, each to be dragged to any place.

import { html } from "../../common/html.js";
import { fill } from "../../common/template.js";
import { r1 } from "../../views/common/numbers.js";
import { typeOf } from "../../views/common/text.js";
import { fieldOf, roomOf } from "./room.js";

const HIGH = 26;

/** The names of a choice. @param {any} drawing @param {string} name @returns {string[]} */
export const namesOf = ({ description }, name) =>
  description.controls
    .find((/** @type {any} */ control) => control.name === name)
    .options.map((/** @type {[string, string]} */ [option]) => option);

/** Every token with its words and where it lies: `on` the board, or below. @param {any} drawing */
export function tokensOf(drawing) {
  const { settings, description } = drawing;
  const room = roomOf(drawing);
  const { letter } = typeOf(drawing);
  const { y, across } = room.tray;
  const names = namesOf(drawing, "token");
  const at = namesOf(drawing, "station").indexOf(settings.station);
  let x = 0;
  let line = 0;
  return names.flatMap((name, i) => {
    const text = fill(description.labels[name], settings);
    const width = text.length * letter + 34;
    if (i && i % across === 0) [x, line] = [0, line + 1];
    const below = { name, text, i, x, y: y + line * (HIGH + 8), width, on: false };
    x += width + 12;
    if (name !== settings.token) return [{ ...below, free: true }];
    const { left, right, bottom } = fieldOf(room, at);
    // to the right, but off the line that rises in the left column of the narrow board
    const start = drawing.layout === "narrow" && left === 0 ? 0 : Math.min(right + 8, room.width) - width;
    const on = { ...below, x: start, y: bottom + 9, on: true, free: true };
    return [{ ...below, free: false }, on];
  });
}

/** @param {any} drawing */
export const Tokens = (drawing) =>
  tokensOf(drawing).map(({ text, i, x, y, width, on, free }) => {
    const held = free ? { "data-handle": "station", "data-handle-index": i } : {};
    return html`
      <g class=${`gl-token${on ? " gl-on" : ""}${free ? "" : " gl-away"}`} ...${held}>
        <rect x=${r1(x)} y=${y - HIGH / 2} width=${r1(width)} height=${HIGH} rx=${HIGH / 2} />
        <circle cx=${r1(x + 13)} cy=${y} r="6" />
        <text x=${r1(x + 24)} y=${y + 4.7}>${text}</text>
      </g>`;
  });

/** A token is taken with the hand, and laid on the place that is nearest. @param {any} drawing */
export function handles(drawing) {
  const room = roomOf(drawing);
  const stations = namesOf(drawing, "station");
  const nearest = (/** @type {number} */ x, /** @type {number} */ y) => {
    if (y > room.tray.y - HIGH) return undefined;
    const away = stations.map((_, i) => {
      const { left, right, top, bottom } = fieldOf(room, i);
      return Math.hypot(Math.max(0, left - x, x - right), Math.max(0, top - y, y - bottom));
    });
    return stations[away.indexOf(Math.min(...away))];
  };
  const handle = { control: "station", axis: "both", role: "ink", value: nearest };
  return tokensOf(drawing)
    .filter(({ free }) => free)
    .map(({ name, i, x, y }) => ({ ...handle, index: i, x: x + 13, y, sets: { token: name } }));
}
