// Arrows of a plane: from the origin or from a place; outlined where they were before.

import { along, arrow, clip, cut, filled, html, outlined, r1, short } from "../../view.js";
import { before, emphasis, pair, pairs, part, read } from "../common/read.js";
import { broken, label, unsaid } from "./sheet.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** The ends of the arrows of a vector, in values. @param {any} mark @param {any} drawing @param {typeof read} [from] */
export function courses(mark, drawing, from = read) {
  const heads = pairs(drawing, mark.value, from);
  /** @type {[number, number][] | undefined} */
  const tails = mark.tail === "" ? [[0, 0]] : pairs(drawing, mark.tail, from);
  if (!heads || !tails) return [];
  return heads.map(([dx, dy], i) => {
    const tail = tails[i] ?? tails[0];
    return { tail, head: [tail[0] + dx, tail[1] + dy] };
  });
}

/** The room of an arrow's head, which is wider than the arrow. @param {[number, number]} tip */
const around = ([x, y]) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 });

/** @param {any} mark @param {any} drawing @param {any} space @param {Sheet} sheet */
export function vector(mark, drawing, space, sheet) {
  /** @type {(point: number[]) => [number, number]} */
  const at = ([a, b]) => [space.x.at(a), space.y.at(b)];
  const now = courses(mark, drawing);
  const many = now.length > 1;
  const crowded = drawing.spec.marks.some((/** @type {any} */ { kind }) => kind === "cloud");
  const bold = crowded && drawing.layout !== "narrow";
  const ghost = (/** @type {(typeof now)[0]} */ was, /** @type {number} */ i) => {
    const [tail, head] = [at(was.tail), at(was.head)];
    const moved = now[i] && Math.hypot(head[0] - at(now[i].head)[0], head[1] - at(now[i].head)[1]) > 1;
    if (!moved || clip(tail, head, space)?.[1] !== 1) return null;
    sheet.taken.push(around(head));
    return html`<path class="gl-ghost" d=${outlined(tail, head, 1.6)} />`;
  };
  sheet.shapes.push(!mark.before && courses(mark, drawing, before).map(ghost));
  const beside = mark.unless ? (pairs(drawing, mark.unless) ?? []) : [];
  const values = beside.length ? (pairs(drawing, mark.value) ?? []) : [];
  /** @param {(typeof now)[0]} course @param {number} i */
  const draw = ({ tail, head }, i) => {
    if (beside[i] && Math.hypot(beside[i][0] - values[i][0], beside[i][1] - values[i][1]) < 1e-9) return;
    const index = many ? i + 1 : undefined;
    const text = mark.label && filled(mark.label, sheet.words, i + 1);
    const found = part(mark.value, index);
    const name = text || mark.value;
    if (![...tail, ...head].every(Number.isFinite))
      return unsaid(sheet, mark, space, `${name}: ${broken([...tail, ...head])}`);
    const [from, to] = [at(tail), at(head)];
    const inside = clip(from, to, space);
    if (!inside) return unsaid(sheet, mark, space, `${name}: beyond the plot`);
    /** @type {[number, number]} */
    const way = [to[0] - from[0], to[1] - from[1]];
    /** @type {(t: number) => [number, number]} */
    const on = (t) => [from[0] + way[0] * t, from[1] + way[1] * t];
    const [start, end] = inside.map(on);
    const whole = inside[1] === 1;
    const shape = !whole
      ? html`<path class=${mark.before ? "gl-outline" : "gl-shaft"} d=${`M${start.map(r1).join(" ")}L${end.map(r1).join(" ")}`} />
            <path class="gl-cut" d=${cut(end, way)} />`
      : mark.before
        ? html`<path class="gl-outline" d=${outlined(start, end, bold ? 4.4 : crowded ? 3.4 : 2.4)} />`
        : arrowOf(arrow(start, end, mark.role, space.small ? 0.8 : bold ? 1.6 : crowded ? 1.3 : 1), crowded);
    const stands = emphasis(drawing, mark.value, index);
    sheet.shapes.push(html`<g class=${`gl-vector gl-role-${mark.role}${stands}`} ...${found}>${shape}</g>`);
    sheet.taken.push(...along([start, end], space), around(end));
    if (!text) return;
    const long = short(Math.hypot(head[0] - tail[0], head[1] - tail[1]));
    const words = whole || /\d/.test(text) ? text : `${text}, ${long} long`; // one number is enough
    const beyond = Math.hypot(...way) < 1 ? [1, -1] : whole ? way : [-way[0], -way[1]];
    const aside = mark.towards && pair(drawing, mark.towards);
    /** @type {[number, number]} */
    const towards = aside ? [aside[0], -aside[1]] : /** @type {[number, number]} */ (beyond);
    const [x, y] = whole && mark.at < 1 ? on(mark.at) : end;
    const near = whole && typeof mark.towards === "string" && mark.towards !== ""; // a side that is computed is meant
    label(sheet, mark, { text: words, x, y, towards, gap: 7, near, part: found });
  };
  now.forEach(draw);
}

/** An arrow; over a crowd, with a rim. @param {{shaft: string, head: string}} shapes @param {boolean} crowded */
const arrowOf = ({ shaft, head }, crowded) => html`
  ${crowded && html`<path class="gl-rim" d=${shaft + head} />`}
  <path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} />`;

/** An arc about the origin, from the direction of one arrow to that of another. @param {any} mark @param {any} drawing @param {any} space @param {Sheet} sheet */
export function arc(mark, drawing, { x, y, unit }, sheet) {
  const [from, to] = [pair(drawing, mark.start), pair(drawing, mark.value)];
  if (!from || !to || ![...from, ...to].every(Number.isFinite)) return;
  if (!Math.hypot(...from) || !Math.hypot(...to)) return; // no direction
  const start = Math.atan2(from[1], from[0]);
  const turned = Math.atan2(to[1], to[0]) - start;
  const turn = Math.atan2(Math.sin(turned), Math.cos(turned));
  if (Math.abs(turn) < 0.02) return; // less than the arrows are wide
  const radius = Math.min(mark.radius, Math.max(Math.hypot(...from), Math.hypot(...to))) * unit;
  const at = (/** @type {number} */ angle) => [
    x.at(0) + radius * Math.cos(angle),
    y.at(0) - radius * Math.sin(angle),
  ];
  const [a, b, middle] = [start, start + turn, start + turn / 2].map(at);
  const found = part(mark.label ? mark.value : "");
  const count = Math.ceil((radius * Math.abs(turn)) / 6);
  for (let i = 0; i <= count; i++) {
    const [px, py] = at(start + (i / count) * turn);
    sheet.taken.push({ left: px - 1.5, right: px + 1.5, top: py - 1.5, bottom: py + 1.5 });
  }
  sheet.shapes.push(html`<path class=${`gl-arc gl-role-${mark.role}`}
    d=${`M${a.map(r1).join(" ")}A${r1(radius)} ${r1(radius)} 0 0 ${turn > 0 ? 0 : 1} ${b.map(r1).join(" ")}`} />`);
  const text = mark.label && filled(mark.label, sheet.words);
  if (!text) return;
  const towards = /** @type {[number, number]} */ ([middle[0] - x.at(0), middle[1] - y.at(0)]);
  label(sheet, mark, { text, x: middle[0], y: middle[1], towards, gap: 5, near: true, part: found });
}
