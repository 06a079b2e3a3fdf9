// Labels that keep out of each other's way.

import { clamp } from "./scales.js";

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */
/** @typedef {{text: string, x: number, y: number, towards: [number, number], gap?: number, class?: string, part?: any}} Label */
/** @typedef {Label & {at: [number, number]}} Placed */

/** The width of a text at most, in the drawing's units. @param {string} text @param {number} letter */
export const widthOf = (text, letter) => text.replace(/[\u0300-\u036f]/g, "").length * letter;

/** Places for a label, the best first: how far it is turned, and how many lines farther off it stands. */
const PLACES = [0, 1, 2].flatMap((farther) =>
  [0, 45, -45, 90, -90, 135, -135, 180].map((degrees) => [(degrees * Math.PI) / 180, farther]),
);

/** @param {Box} a @param {Box} b */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/**
 * Places labels about their points: each where it was meant, or at the first place about it that is
 * free, within the bounds.
 * @param {Label[]} labels
 * @param {Box} bounds
 * @param {{letter: number, size: number}} type the width of a letter and the height of a line
 * @param {Box[]} [taken] what else they must not cover
 * @returns {Placed[]}
 */
export function placeLabels(labels, bounds, { letter, size }, taken = []) {
  /** @type {Box[]} */
  const boxes = [];
  const covered = (/** @type {Box} */ box, /** @type {Box[]} */ others) =>
    others.reduce((sum, other) => sum + overlap(box, other), 0);
  return labels.map((label) => {
    const width = widthOf(label.text, letter);
    const length = Math.hypot(...label.towards) || 1;
    const gap = label.gap ?? 6;
    /** @type {any} */
    let best = { cost: Infinity };
    for (const [rank, [turn, farther]] of PLACES.entries()) {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const ux = (label.towards[0] * c - label.towards[1] * s) / length;
      const uy = (label.towards[0] * s + label.towards[1] * c) / length;
      const reach = gap + farther * size;
      // the text's box touches a circle of radius reach about the point
      const left = label.x + ux * (reach + width / 2) - width / 2;
      const middle = label.y + uy * (reach + size / 2);
      const box = { left, right: left + width, top: middle - size / 2, bottom: middle + size / 2 };
      const outside = width * size - overlap(box, bounds);
      const cost = rank + 1000 * outside + 20 * covered(box, boxes) + 2 * covered(box, taken);
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
