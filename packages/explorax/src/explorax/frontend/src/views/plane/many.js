// Many alike in a plane, cheaply: a cloud as one path, circles' images as one path each.

import { clipOf, filled, html, marker, numbersOf, r1 } from "../../view.js";
import { before, emphasis, pair, pairs, part, read, shapeOf } from "../common/read.js";
import { far, label, unsaid } from "./sheet.js";

/** @param {any} mark @param {any} drawing @param {any} space @param {any} sheet */
export function cloud(mark, drawing, space, sheet) {
  const { x, y } = space;
  const points = pairs(drawing, mark.value) ?? [];
  const tails = mark.tails ? (pairs(drawing, mark.tails) ?? []) : points;
  const tips = mark.shape === "tips";
  const finite = (/** @type {number[]} */ point) => point.every(Number.isFinite);
  const shown = points.map((point, i) => finite(point) && finite(tails[i]) && inside(space, ...point));
  const moved = points.map(([a, b], i) => Math.hypot(a - tails[i][0], b - tails[i][1]) * space.unit > 0.5);
  const drawn = (/** @type {boolean} */ far) =>
    points
      .map(([a, b], i) => (shown[i] && moved[i] === far ? marker("", x.at(a), y.at(b), far ? 2.3 : 2) : ""))
      .join("");
  const threads = points
    .map(([a, b], i) => {
      const [c, d] = tails[i];
      return !tips && moved[i] && shown[i]
        ? `M${r1(x.at(c))} ${r1(y.at(d))}L${r1(x.at(a))} ${r1(y.at(b))}`
        : "";
    })
    .join("");
  const clipped = clipOf(numbersOf(threads), space, `${drawing.id}-plane`);
  const standing = tips && mark.tails ? "" : drawn(false);
  sheet.shapes.push(html`
    <g class=${`gl-role-${mark.role}${emphasis(drawing, mark.value)}`} ...${part(mark.value)} data-count=${points.length}>
      <path class="gl-thread" d=${threads} clip-path=${clipped} />
      <path class=${`gl-cloud gl-${mark.shape}`} d=${standing} />
      <path class=${`gl-cloud gl-${mark.shape} gl-moved`} d=${mark.tails ? drawn(true) : ""} />
    </g>`);
  if (!tips) sheet.taken.push(...points.filter((_, i) => shown[i]).map(([a, b]) => speck(x.at(a), y.at(b))));
  const text = mark.label && filled(mark.label, sheet.words);
  if (text) {
    const [a, b] = pair(drawing, mark.at) ?? [0, 0];
    // it names a place, not the colour of what lies there
    const place = { x: x.at(a), y: y.at(b), towards: /** @type {[number, number]} */ ([0, 1]), gap: 0 };
    label(sheet, { role: "ink" }, { text, ...place, part: part(mark.value) });
  }
  const lost = points.filter((point) => !finite(point)).length;
  const counts = { "beyond the plot": shown.filter((is) => !is).length - lost, "not finite": lost };
  for (const [words, count] of Object.entries(counts).filter(([, count]) => count)) {
    const height = space.bottom - 9 - 18 * sheet.unsaid.size;
    const text = `${count} of ${points.length} ${words}`;
    sheet.unsaid.add(text);
    sheet.shapes.push(
      html`<text class="gl-muted" x=${space.right - 8} y=${height} text-anchor="end">${text}</text>`,
    );
  }
}

/** A small box: a label should rather lie on a few dots than far from its place. @param {number} x @param {number} y */
const speck = (x, y) => ({ left: x - 0.25, right: x + 0.25, top: y - 0.25, bottom: y + 0.25 });

/** Even turns of a circle, so many. @param {number} count */
const turns = (count) =>
  Array.from({ length: count }, (_, i) => (2 * i * Math.PI) / count).map((turn) => [
    Math.cos(turn),
    Math.sin(turn),
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
    if (!path) return unsaid(sheet, mark, space, `${mark.matrix}: not finite`);
    if (r === 0) return; // its lengths are zero: there is nothing to see
    const [a, b, c, d] = m.slice(4 * i, 4 * i + 4);
    const shown = AROUND.some(([u, v]) => inside(space, r * (a * u + b * v), r * (c * u + d * v)));
    if (!shown) unsaid(sheet, mark, space, space.small ? "beyond" : `${mark.matrix}: beyond the plot`);
    sheet.shapes.push(html`<path class=${`gl-ellipse gl-role-${mark.role}${emphasis(drawing, mark.matrix, index)}`} d=${path}
      clip-path=${clipped(path)} ...${part(mark.matrix, index)} />`);
  };
  now.forEach(ellipse);
}

/** Tell if a point lies in the plot. @param {any} space @param {number} a @param {number} b */
const inside = ({ x, y }, a, b) => a >= x.low && a <= x.high && b >= y.low && b <= y.high;
