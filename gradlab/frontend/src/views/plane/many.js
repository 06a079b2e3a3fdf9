// Many alike in a plane, cheaply: a cloud as one path, circles' images as one path each.

import { html } from "../../common/html.js";
import { clip, marker } from "../common/arrows.js";
import { clipOf, numbersOf } from "../common/clips.js";
import { r1 } from "../common/numbers.js";
import { before, pairs, part, read, shapeOf, stance } from "../common/read.js";
import { filled } from "../common/text.js";
import { far, label, unsaid } from "./sheet.js";

/** @param {any} mark @param {any} drawing @param {any} space @param {any} sheet */
export function cloud(mark, drawing, space, sheet) {
  const { x, y } = space;
  const points = pairs(drawing, mark.value) ?? [];
  const [ox, oy] = [x.at(0), y.at(0)];
  const tips = mark.shape === "tips";
  const finite = points.filter((point) => point.every(Number.isFinite));
  const beyond = new Set(finite.filter(([a, b]) => a < x.low || a > x.high || b < y.low || b > y.high));
  const draw = (/** @type {[number, number]} */ [a, b]) =>
    tips ? tip(x.at(a), y.at(b)) : thin(ox, oy, x.at(a), y.at(b));
  const stub = (/** @type {[number, number]} */ [a, b]) => {
    const inside = tips ? null : clip([ox, oy], [x.at(a), y.at(b)], space);
    if (!inside) return "";
    return `M${r1(ox)} ${r1(oy)}L${r1(ox + (x.at(a) - ox) * inside[1])} ${r1(oy + (y.at(b) - oy) * inside[1])}`;
  };
  const path = finite.map((point) => (beyond.has(point) ? stub(point) : draw(point))).join("");
  const chosen = drawing.lit?.kind === mark.value && drawing.lit.index ? points[drawing.lit.index - 1] : null;
  const found = chosen && finite.includes(chosen) && draw(chosen);
  sheet.shapes.push(html`
    <g class=${`gl-role-${mark.role}${chosen ? " gl-dim" : stance(drawing, mark.value)}`} ...${part(mark.value)} data-count=${points.length}>
      <path class=${`gl-cloud${tips ? " gl-tips" : ""}`} d=${path} />
    </g>
    ${found && html`<g class=${`gl-role-${mark.role}`}><path class="gl-cloud gl-lit" d=${found} /></g>`}`);
  const counts = { "beyond the plot": beyond.size, "not finite": points.length - finite.length };
  for (const [words, count] of Object.entries(counts).filter(([, count]) => count)) {
    const height = space.bottom - 9 - 18 * sheet.unsaid.size;
    const text = `${count} of ${points.length} ${words}`;
    sheet.unsaid.add(text);
    sheet.shapes.push(
      html`<text class="gl-muted" x=${space.right - 8} y=${height} text-anchor="end">${text}</text>`,
    );
  }
}

/** A small circle. @param {number} x @param {number} y */
const tip = (x, y) => marker("", x, y, 2);

/** A thin arrow with an open head. @param {number} ox @param {number} oy @param {number} px @param {number} py */
function thin(ox, oy, px, py) {
  const [dx, dy] = [px - ox, py - oy];
  const length = Math.hypot(dx, dy);
  if (length < 2) return tip(px, py);
  const size = Math.min(5, length / 2);
  const [ux, uy] = [(dx / length) * size, (dy / length) * size];
  return (
    `M${r1(ox)} ${r1(oy)}L${r1(px)} ${r1(py)}` +
    `M${r1(px - ux - uy * 0.5)} ${r1(py - uy + ux * 0.5)}L${r1(px)} ${r1(py)}L${r1(px - ux + uy * 0.5)} ${r1(py - uy - ux * 0.5)}`
  );
}

/** Even turns of a circle, so many. @param {number} count */
const turns = (count) =>
  Array.from({ length: count }, (_, i) => [
    Math.cos((2 * i * Math.PI) / count),
    Math.sin((2 * i * Math.PI) / count),
  ]);
const AROUND = turns(48);

const BEND = (4 / 3) * Math.tan(Math.PI / 8);
/** The circle as four cubic curves, nowhere 0.03 % off: what each bends towards, and its end. */
const CIRCLE = turns(4).map(([u, v], i, all) => {
  const [p, q] = all[(i + 1) % 4];
  return [
    [u - BEND * v, v + BEND * u],
    [p + BEND * q, q - BEND * p],
    [p, q],
  ];
});

/** @param {any} mark @param {any} drawing @param {any} space @param {any} sheet */
export function ellipses(mark, drawing, space, sheet) {
  const { x, y } = space;
  const shape = shapeOf(drawing.description, mark.matrix);
  const count = shape.length === 3 ? shape[0] : 1;
  const paths = (/** @type {typeof read} */ from) => {
    const [m, r] = [from(drawing, mark.matrix), Number(from(drawing, mark.radius))];
    return Array.from({ length: m ? count : 0 }, (_, i) => {
      const [a, b, c, d] = m.slice(4 * i, 4 * i + 4);
      if (![a, b, c, d, r].every(Number.isFinite)) return null;
      const at = (/** @type {number[]} */ [u, v]) =>
        `${far(x.at(r * (a * u + b * v)))} ${far(y.at(r * (c * u + d * v)))}`;
      return `M${at([1, 0])}${CIRCLE.map((curve) => `C${curve.map(at).join(" ")}`).join("")}Z`;
    });
  };
  const now = paths(read);
  const [m, r] = [read(drawing, mark.matrix), Number(read(drawing, mark.radius))];
  const clipped = (/** @type {string} */ d) => clipOf(numbersOf(d), space, `${drawing.id}-plane`);
  sheet.shapes.push(
    paths(before).map(
      (path, i) =>
        path && path !== now[i] && html`<path class="gl-ghost" d=${path} clip-path=${clipped(path)} />`,
    ),
  );
  /** @param {string | null} path @param {number} i */
  const ellipse = (path, i) => {
    const index = count > 1 ? i + 1 : undefined;
    const text = mark.label && filled(mark.label, sheet.words, i + 1);
    if (!path) return unsaid(sheet, mark, space, `${text || mark.matrix}: not finite`);
    if (r === 0) return; // its lengths are zero: there is nothing to see
    const [a, b, c, d] = m.slice(4 * i, 4 * i + 4);
    const shown = AROUND.some(([u, v]) => inside(space, r * (a * u + b * v), r * (c * u + d * v)));
    if (!shown)
      unsaid(sheet, mark, space, space.small ? "beyond" : `${text || mark.matrix}: beyond the plot`);
    sheet.shapes.push(html`<path class=${`gl-ellipse gl-role-${mark.role}${stance(drawing, mark.matrix, index)}`} d=${path}
      clip-path=${clipped(path)} ...${part(mark.matrix, index)} />`);
    const [u, v] = [a * r, c * r];
    if (text && inside(space, u, v))
      label(sheet, mark, { text, x: x.at(u), y: y.at(v), towards: [u, -v], part: part(mark.matrix, index) });
  };
  now.forEach(ellipse);
}

/** Tell if a point lies in the plot. @param {any} space @param {number} a @param {number} b */
const inside = ({ x, y }, a, b) => a > x.low && a < x.high && b > y.low && b < y.high;
