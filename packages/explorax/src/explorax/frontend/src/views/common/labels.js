// Labels that keep out of each other's way.

import { clip } from "./arrows.js";
import { clamp } from "./scales.js";

const STRIDE = 6; // pixels that a box on a path is wide or high at most, without its margin
const HALF = 3.5; // its margin

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{text: string, x: number, y: number, towards: [number, number], gap?: number, slides?: boolean, near?: boolean, class?: string, part?: any}} Label */
/** @typedef {Label & {at: [number, number]}} Placed */

/** The width of a text at most, in the drawing's units. @param {string} text @param {number} letter */
export const widthOf = (text, letter) => text.replace(/[\u0300-\u036f]/g, "").length * letter;

/** Places for a label, the best first: how far it is turned, and how many lines farther off it stands. */
const PLACES = [0, 1, 2].flatMap((farther) =>
  [0, 45, -45, 90, -90, 135, -135, 180].map((degrees) => [(degrees * Math.PI) / 180, farther]),
);

const NEAR = PLACES.slice(0, 3);

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom
    ? 0
    : (Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
      (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** How much of a box others cover. @param {Box} box @param {Box[]} others */
const covered = (box, others) => others.reduce((sum, other) => sum + overlap(box, other), 0);

/**
 * How much farther a box must go along (u, v), from where it lies aslant of a point, to keep clear of a circle about that.
 * @param {number} u @param {number} v @param {number} a half its width @param {number} b half its height @param {number} reach
 */
function clear(u, v, a, b, reach) {
  const [p, q] = [Math.abs(u), Math.abs(v)];
  const [dx, dy] = [p * (reach + a) - a, q * (reach + b) - b]; // of its nearest corner
  if (Math.hypot(Math.max(0, dx), Math.max(0, dy)) >= reach) return 0;
  const m = dx * p + dy * q;
  const far = Math.sqrt(Math.max(0, m * m - dx * dx - dy * dy + reach * reach)) - m;
  if (dx + far * p < 0) return (reach - dy) / q;
  return dy + far * q < 0 ? (reach - dx) / p : far;
}

/** Tell if two boxes share any room. @param {Box} a @param {Box} b */
export const meet = (a, b) => overlap(a, b) > 0;

/** The box of a label that has been placed. @param {Placed} label @param {{letter: number, size: number}} type @returns {Box} */
export function boxOf({ text, at: [x, y] }, { letter, size }) {
  const half = widthOf(text, letter) / 2;
  return { left: x - half, right: x + half, top: y - size * 0.83, bottom: y + size * 0.17 };
}

/** Boxes along a path, as far as it lies in a room, for labels to keep off; one for a piece that's level or upright. @param {[number, number][]} path @param {Box} room @returns {Box[]} */
export function along(path, room) {
  /** @type {Box[]} */
  const boxes = [];
  let [x, y] = path[0] ?? [0, 0];
  for (const [i, [u, v]] of path.entries()) {
    if (!i || (i < path.length - 1 && Math.abs(u - x) + Math.abs(v - y) < STRIDE)) continue;
    const [start, end] = clip([x, y], [u, v], room) ?? [0, 0];
    const parts = Math.ceil((Math.min(Math.abs(u - x), Math.abs(v - y)) * (end - start)) / STRIDE) || 1;
    for (let k = 0; k < (end > start ? parts : 0); k++) {
      const [near, far] = [k, k + 1].map((n) => start + ((end - start) * n) / parts);
      const [left, right] = [x + (u - x) * (u < x ? far : near), x + (u - x) * (u < x ? near : far)];
      const [top, bottom] = [y + (v - y) * (v < y ? far : near), y + (v - y) * (v < y ? near : far)];
      boxes.push({ left: left - HALF, right: right + HALF, top: top - HALF, bottom: bottom + HALF });
    }
    [x, y] = [u, v];
  }
  return boxes;
}

/**
 * Places labels about their points: each where it was meant, or at the first place about it that is
 * free, within the bounds; one that slides moves along until it is within their sides, and one that is
 * to be near turns a little, and goes no farther off.
 * @param {Label[]} labels
 * @param {Box} bounds
 * @param {{letter: number, size: number}} type the width of a letter and the height of a line
 * @param {Box[]} [taken] what else they must not cover
 * @returns {Placed[]}
 */
export function placeLabels(labels, bounds, { letter, size }, taken = []) {
  /** @type {Box[]} */
  const boxes = [];
  return labels.map((label) => {
    const width = widthOf(label.text, letter);
    const length = Math.hypot(...label.towards) || 1;
    const gap = label.gap ?? 6;
    const far = width + gap + 3 * size; // no place is farther off
    const near = { left: label.x - far, right: label.x + far, top: label.y - far, bottom: label.y + far };
    const others = taken.filter((box) => meet(box, near));
    /** @type {any} */
    let best = { cost: Infinity };
    for (const [rank, [turn, farther]] of (label.near ? NEAR : PLACES).entries()) {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const ux = (label.towards[0] * c - label.towards[1] * s) / length;
      const uy = (label.towards[0] * s + label.towards[1] * c) / length;
      const reach = gap + farther * size;
      const more = clear(ux, uy, width / 2, size / 2, reach);
      const wanted = label.x + ux * (reach + width / 2 + more) - width / 2;
      const left = label.slides ? clamp(wanted, bounds.left, bounds.right - width) : wanted;
      const middle = label.y + uy * (reach + size / 2 + more);
      const box = { left, right: left + width, top: middle - size / 2, bottom: middle + size / 2 };
      const outside = width * size - overlap(box, bounds);
      const least = rank + 1000 * outside;
      const cost = least < best.cost ? least + 20 * covered(box, boxes) + 2 * covered(box, others) : least;
      if (cost < best.cost) best = { cost, box, at: [left + width / 2, middle + size * 0.33] };
      if (cost <= rank) break;
    }
    boxes.push(best.box);
    return { ...label, at: best.at };
  });
}

/**
 * Heights of labels beside each other in a column, moved apart as little as needed.
 * @param {number[]} wanted @param {number} low @param {number} high @param {number | number[]} size of all, or of each
 */
export function spread(wanted, low, high, size) {
  /** @param {{i: number}} a @param {{i: number}} b */
  const apart = (a, b) => (typeof size === "number" ? size : (size[a.i] + size[b.i]) / 2);
  const order = wanted.map((y, i) => ({ y: clamp(y, low, high), i })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < order.length; i++)
    order[i].y = Math.max(order[i].y, order[i - 1].y + apart(order[i - 1], order[i]));
  let limit = high;
  for (let i = order.length - 1; i >= 0; i--) {
    order[i].y = Math.min(order[i].y, limit);
    if (i) limit = order[i].y - apart(order[i - 1], order[i]);
  }
  return order.sort((a, b) => a.i - b.i).map(({ y }) => y);
}
