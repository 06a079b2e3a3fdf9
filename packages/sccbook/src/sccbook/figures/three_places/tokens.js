// The tokens: one on a place, the others below, each to be dragged to any place.

import { at, clamp, fill, html, r1, typeOf } from "explorax/view";
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
    const width = text.length * letter + 38;
    if (i && i % across === 0) [x, line] = [0, line + 1];
    const below = { name, text, i, x, y: y + line * (HIGH + 8), width, on: false };
    x += width + 12;
    if (name !== settings.token) return [{ ...below, free: true }];
    const { left, right, foot } = fieldOf(room, at);
    // to the right, but off the lines of the narrow board
    const start = drawing.layout === "narrow" && at !== 1 ? left : Math.min(right + 8, room.width) - width;
    const on = { ...below, x: start, y: foot + HIGH / 2, on: true, free: true };
    return [{ ...below, free: false }, on];
  });
}

/** Those below, where the one on the board is to lie while the hand carries it, and that one. @param {any} drawing */
export function Tokens(drawing) {
  const all = tokensOf(drawing);
  const [below, [here]] = [all.filter(({ on }) => !on), all.filter(({ on }) => on)];
  const { hand } = drawing;
  const { width, height } = roomOf(drawing);
  const held = hand && {
    x: clamp(hand[0] - 13, 0, width - here.width),
    y: clamp(hand[1], HIGH / 2, height - HIGH / 2),
  };
  return [
    ...below.map((token) => Token(token, token.free ? "" : "gl-away", token.name)),
    hand && Token({ ...here, text: "", free: false }, "gl-away", "slot"),
    Token({ ...here, ...held }, hand ? "gl-on gl-carried" : "gl-on", "on"),
  ].filter(Boolean);
}

/** @param {any} token @param {string} kind @param {string} key */
function Token({ text, i, x, y, width, free }, kind, key) {
  const held = free ? { "data-handle": "station", "data-handle-index": i } : {};
  return html`
    <g class=${`gl-token ${kind}`} ...${held} ...${at(x, y)} key=${key}>
      <rect x="0" y=${-HIGH / 2} width=${r1(width)} height=${HIGH} rx=${HIGH / 2} />
      <circle cx="13" cy="0" r="6" />
      <text x="24" y="4.7">${text}</text>
    </g>`;
}

/** A token is taken with the hand, and laid on the place that is nearest. @param {any} drawing */
export function handles(drawing) {
  const room = roomOf(drawing);
  const stations = namesOf(drawing, "station");
  /** The place beneath the middle of a token. @param {number} width */
  const beneath = (width) => (/** @type {number} */ dot, /** @type {number} */ y) => {
    const x = dot - 13 + width / 2;
    if (y > room.tray.y - HIGH) return undefined;
    const away = stations.map((_, i) => {
      const { left, right, top, foot } = fieldOf(room, i);
      return Math.hypot(Math.max(0, left - x, x - right), Math.max(0, top - y, y - foot));
    });
    return stations[away.indexOf(Math.min(...away))];
  };
  const handle = { control: "station", axis: /** @type {const} */ ("both"), carried: true };
  return tokensOf(drawing)
    .filter(({ free }) => free)
    .map(({ name, i, x, y, width }) => ({
      ...handle,
      index: i,
      x: x + 13,
      y,
      value: beneath(width),
      sets: { token: name },
    }));
}
