// Arrows as paths: solid, outlined, and cut where they leave the plot.

import { points, r1 } from "./numbers.js";

/** @typedef {[number, number]} Point pixels */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/**
 * The part of a segment that lies in a box, as two fractions of it; null where none does.
 * @param {Point} from @param {Point} to @param {Box} box
 * @returns {[number, number] | null}
 */
export function clip(from, to, box) {
  let [start, end] = [0, 1];
  const sides = [
    [from[0] - to[0], from[0] - box.left],
    [to[0] - from[0], box.right - from[0]],
    [from[1] - to[1], from[1] - box.top],
    [to[1] - from[1], box.bottom - from[1]],
  ];
  for (const [along, room] of sides) {
    if (Math.abs(along) < 1e-9) {
      if (room < -1e-6) return null;
    } else if (along < 0) start = Math.max(start, room / along);
    else end = Math.min(end, room / along);
  }
  return start <= end ? [start, end] : null;
}

/** Each role's head, from its point backward: how far back, and how far to the side. */
const HEADS = {
  triangle: points("0 0, 10 4.6, 10 -4.6"),
  barbed: points("0 0, 12 5.6, 8 0, 12 -5.6"),
  kite: points("0 0, 6 4.8, 12 0, 6 -4.8"),
  square: points("0 4.4, 9 4.4, 9 -4.4, 0 -4.4"),
};
/** @type {Record<string, keyof typeof HEADS>} */
const SIGNS = { cotangent: "barbed", parameter: "kite", loss: "square" };

/** The course of a segment: its length, and a function that writes points given back from its end and to the side. @param {Point} from @param {Point} to */
function course(from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const spot = (/** @type {number[]} */ [back, side]) =>
    `${r1(to[0] - ux * back + uy * side)} ${r1(to[1] - uy * back - ux * side)}`;
  return { length, spot, scale: Math.min(1, length / 18) };
}

/** A small ring, for an arrow of no length. @param {Point} at */
const dot = ([x, y]) => marker("", x, y, 3.5);

/**
 * An arrow: the path of its shaft and of its head. Short arrows have small heads; one of no length
 * is a small ring.
 * @param {Point} from @param {Point} to @param {string} role @param {number} [size] of the head
 */
export function arrow(from, to, role, size = 1) {
  const { length, spot, scale } = course(from, to);
  if (length < 1) return { shaft: dot(from), head: "" };
  const kind = SIGNS[role] ?? "triangle";
  const scaled = (/** @type {number[]} */ point) => spot(point.map((x) => x * size * scale));
  const neck = kind === "square" ? 7 : 8; // a shaft ends before the point, so that it does not show through
  return {
    shaft: `M${r1(from[0])} ${r1(from[1])}L${scaled([neck, 0])}`,
    head: `M${HEADS[kind].map(scaled).join("L")}Z`,
  };
}

/** An arrow as one outline, for what was before. @param {Point} from @param {Point} to @param {number} [half] of the shaft's width */
export function outlined(from, to, half = 2.4) {
  const { length, spot, scale } = course(from, to);
  if (length < 1) return dot(from);
  const [neck, wing] = [12 * scale, 6.5 * scale];
  const side = [
    [length, half],
    [neck, half],
    [neck, wing],
  ];
  const mirrored = side.map(([back, side]) => [back, -side]).reverse();
  return `M${[...side, [0, 0], ...mirrored].map(spot).join("L")}Z`;
}

/** Two short strokes across an arrow where it leaves the plot. @param {Point} at @param {Point} along a direction */
export function cut(at, along) {
  const length = Math.hypot(...along) || 1;
  const [ux, uy] = [along[0] / length, along[1] / length];
  return [3, 8]
    .map((back) => {
      const [x, y] = [at[0] - ux * back, at[1] - uy * back];
      const [sx, sy] = [-uy * 6 + ux * 3, ux * 6 + uy * 3];
      return `M${r1(x - sx)} ${r1(y - sy)}L${r1(x + sx)} ${r1(y + sy)}`;
    })
    .join("");
}

/** A marker's path about a point: each role has its own. @param {string} role @param {number} x @param {number} y @param {number} [size] */
export function marker(role, x, y, size = 5) {
  const [a, b, s] = [r1(x), r1(y), size];
  switch (role) {
    case "cotangent":
      return `M${a - s * 1.1} ${b}l${s * 1.9} ${-s * 1.1}v${s * 2.2}z`;
    case "parameter":
      return `M${a} ${b - s * 1.3}l${s * 1.2} ${s * 1.3}l${-s * 1.2} ${s * 1.3}l${-s * 1.2} ${-s * 1.3}z`;
    case "loss":
      return `M${a - s} ${b - s}h${2 * s}v${2 * s}h${-2 * s}z`;
    case "own":
      return `M${a} ${b - s * 1.2}l${s * 1.15} ${s * 2}h${-s * 2.3}z`;
    case "limit":
      return `M${a - s} ${b - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`;
    default:
      return `M${a - s} ${b}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`;
  }
}
