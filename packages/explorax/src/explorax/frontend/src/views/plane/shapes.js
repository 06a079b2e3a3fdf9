// Points, rings and paths of a plane.

import { along, clamp, clip, clipOf, cut, filled, html, marker, memoize, numbersOf, r1 } from "../../view.js";
import { before, emphasis, pair, pairs, part, read, shapeOf } from "../common/read.js";
import { broken, far, label, unsaid } from "./sheet.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** @param {any} mark @param {any} drawing @param {any} space @param {Sheet} sheet */
export function dot(mark, drawing, space, sheet) {
  const { x, y } = space;
  const points = pairs(drawing, mark.value) ?? [];
  const many = points.length > 1;
  /** @param {[number, number]} point @param {number} i */
  const draw = ([a, b], i) => {
    const index = many ? i + 1 : undefined;
    const text = mark.label && filled(mark.label, sheet.words, i + 1);
    if (![a, b].every(Number.isFinite))
      return unsaid(sheet, mark, space, `${text || mark.value}: ${broken([a, b])}`);
    const px = clamp(x.at(a), space.left, space.right);
    const py = clamp(y.at(b), space.top, space.bottom);
    const beyond = px !== x.at(a) || py !== y.at(b);
    const found = part(mark.value, index);
    sheet.shapes.push(html`<path class=${`gl-spot gl-role-${mark.role}${beyond ? " gl-beyond" : ""}${emphasis(drawing, mark.value, index)}`}
      d=${marker(mark.role, px, py, beyond || mark.small ? 4 : 5)} ...${found} />`);
    sheet.taken.push(around(px, py, 5));
    if (!text && !beyond) return;
    const words = beyond ? `${text} beyond`.trim() : text;
    const side = px > (space.left + space.right) / 2 && beyond ? -1 : 1;
    const [u, v] = mark.towards || [side, 1];
    const gap = mark.drag ? 10 : 6;
    label(sheet, mark, { text: words, x: px, y: py, towards: [u, -v], gap, part: found });
  };
  points.forEach(draw);
}

/** The box about a spot. @param {number} x @param {number} y @param {number} by */
const around = (x, y, by) => ({ left: x - by, right: x + by, top: y - by, bottom: y + by });

/** Tell if a square stands for a ring. @param {any} mark @param {any} drawing @param {typeof read} [from] */
export const isSquare = (mark, drawing, from = read) =>
  Boolean(mark.square && Number(from(drawing, mark.square)));

/** Where a ring of radius 1, or its square, has its handle and label: upwards is positive. @param {any} mark @param {boolean} square */
export function rim(mark, square) {
  const turn = (mark.at * Math.PI) / 180;
  const [u, v] = [Math.cos(turn), Math.sin(turn)];
  const size = square ? Math.max(Math.abs(u), Math.abs(v)) : 1;
  return [u / size, v / size];
}

/** @param {any} mark @param {any} drawing @param {any} space @param {Sheet} sheet */
export function ring(mark, drawing, space, sheet) {
  const { x, y, unit } = space;
  const found = part(mark.radius);
  const circle = (/** @type {typeof read} */ from) => {
    const [center, radius] = [pair(drawing, mark.center, from), Number(from(drawing, mark.radius))];
    const square = isSquare(mark, drawing, from);
    return center && { px: x.at(center[0]), py: y.at(center[1]), radius, r: Math.abs(radius) * unit, square };
  };
  /** @type {any} */
  const now = circle(read);
  const { px, py, r, radius, square } = now;
  const text = mark.label && filled(mark.label, sheet.words);
  if (!Number.isFinite(r + px + py)) {
    const why = radius === Infinity ? "infinite, no ring" : broken([radius]);
    return unsaid(sheet, mark, space, `${text || mark.radius}: ${why}`);
  }
  const was = circle(before);
  /** @param {number} px @param {number} py @param {number} r */
  const clipped = (px, py, r) => clipOf([px - r, py - r, px + r, py + r], space, `${drawing.id}-plane`);
  const moved = was && Number.isFinite(was.r) && (was.square !== square || Math.abs(was.r - r) > 0.5);
  /** @param {any} shape @param {string} name @param {any} [found] */
  const draw = ({ px, py, r, square }, name, found = {}) =>
    square
      ? html`<rect class=${name} x=${r1(px - r)} y=${r1(py - r)} width=${r1(2 * r)} height=${r1(2 * r)} clip-path=${clipped(px, py, r)} ...${found} />`
      : html`<circle class=${name} cx=${r1(px)} cy=${r1(py)} r=${r1(r)} clip-path=${clipped(px, py, r)} ...${found} />`;
  sheet.shapes.push(moved && draw(was, "gl-ghost"));
  const name = `gl-ring gl-role-${mark.role}${mark.filled ? " gl-filled" : ""}${emphasis(drawing, mark.radius)}`;
  sheet.shapes.push(draw(now, name, found));
  const course = () => {
    const rims = Array.from({ length: 49 }, (_, i) => rim({ at: 7.5 * i }, square));
    return along(
      rims.map(([u, v]) => [px + u * r, py - v * r]),
      space,
    );
  };
  sheet.taken.push(...memoize(mark, `course ${space.right}`, [px, py, r, square], course));
  if (!text) return;
  const [ux, up] = rim(mark, square);
  const uy = -up;
  const gap = mark.drag ? 11 : 6;
  label(sheet, mark, { text, x: px + ux * r, y: py + uy * r, towards: [ux, uy], gap, part: found });
}

/** Where the name of a path stands: after its last point, or beside a bare line, on the side away from the origin's level. @param {any} mark @param {number[][]} points @returns {[number, number]} */
function aside({ dots }, points) {
  const [[a, b], [c, d]] = [points.at(-2) ?? [0, 0], points.at(-1) ?? [0, 0]];
  if (dots || Math.hypot(c - a, d - b) === 0) return [1, -0.4];
  const side = (d > 1e-9 ? -1 : 1) * (c < a ? 1 : -1);
  return [side * (b - d), side * (a - c)];
}

/** @param {any} mark @param {any} drawing @param {any} space @param {Sheet} sheet */
export function trail(mark, drawing, space, sheet) {
  const { x, y } = space;
  const at = (/** @type {number[]} */ [a, b]) => /** @type {[number, number]} */ ([x.at(a), y.at(b)]);
  const most = shapeOf(drawing.description, mark.value)[0];
  const trace = (/** @type {typeof read} */ from) => {
    const count = mark.count ? Number(from(drawing, mark.count)) : most;
    const points = (pairs(drawing, mark.value, from) ?? []).slice(0, count);
    const end = points.findIndex((point) => !point.every(Number.isFinite));
    return { points: end < 0 ? points : points.slice(0, end), lost: end < 0 ? null : points[end] };
  };
  const path = (/** @type {number[][]} */ points) =>
    points.map(([a, b], i) => `${i ? "L" : "M"}${far(x.at(a))} ${far(y.at(b))}`).join("");
  const { points, lost } = trace(read);
  const clipped = (/** @type {string} */ d) => clipOf(numbersOf(d), space, `${drawing.id}-plane`);
  const was = drawing.ghost ? path(trace(before).points) : "";
  const now = path(points);
  sheet.shapes.push(was && was !== now && html`<path class="gl-ghost" d=${was} clip-path=${clipped(was)} />`);
  const within = points.filter(([a, b]) => a >= x.low && a <= x.high && b >= y.low && b <= y.high);
  const dots =
    mark.dots && within.length <= 200
      ? within.map(([a, b]) => marker("", x.at(a), y.at(b), space.small ? 1.4 : 2.4)).join("")
      : "";
  const cuts = (mark.dots ? points.slice(1) : []).map((next, i) => {
    const [from, to] = [at(points[i]), at(next)];
    const end = clip(from, to, space)?.[1] ?? 1;
    /** @type {[number, number]} */
    const way = [to[0] - from[0], to[1] - from[1]];
    return end < 1 ? cut([from[0] + way[0] * end, from[1] + way[1] * end], way) : "";
  });
  sheet.shapes.push(html`
    <g class=${`gl-trail${mark.dots ? "" : " gl-bare"} gl-role-${mark.role}${emphasis(drawing, mark.value)}`} ...${part(mark.value)} clip-path=${clipped(now)}>
      <path class="gl-halo-line" d=${now} /><path class="gl-line" d=${now} /><path class="gl-beads" d=${dots} /><path class="gl-cut" d=${cuts.join("")} />
    </g>`);
  const text = mark.label && filled(mark.label, sheet.words);
  if (dots) sheet.taken.push(...within.map(([a, b]) => around(x.at(a), y.at(b), 3)));
  if (!mark.dots) sheet.taken.push(...along(points.map(at), space));
  const end = points.at(-1);
  if (text && end && within.at(-1) !== end) unsaid(sheet, mark, space, `${text} has left the plot`);
  else if (text && end) {
    const found = part(mark.value);
    label(sheet, mark, { text, x: x.at(end[0]), y: y.at(end[1]), towards: aside(mark, points), part: found });
  }
  if (lost)
    unsaid(sheet, mark, space, `${text || mark.value}: ${broken(lost)} after ${points.length} points`);
}
