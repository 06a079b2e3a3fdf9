// Many alike in a plane, cheaply: a cloud as one path, circles' images as one path each.

import { along, clipOf, filled, html, marker, memoizeDrawn, numbersOf, r1 } from "../../view.js";
import { before, emphasis, pair, part, read, shapeOf } from "../common/read.js";
import { far, label, unsaid } from "./sheet.js";

/** @param {any} mark @param {any} drawing @param {any} space @param {any} sheet */
export function cloud(mark, drawing, space, sheet) {
  const { x, y } = space;
  const [data, tails] = [read(drawing, mark.value), mark.tails && read(drawing, mark.tails)];
  const { spots, threads, clipped, counts } = memoizeDrawn(
    drawing,
    `cloud ${mark.value}`,
    [data, tails, space.unit],
    () => {
      const counts = { "beyond the plot": 0, "not finite": 0 };
      let [spots, threads, clipped] = ["", "", false];
      for (let i = 0; i < data.length; i += 2) {
        const [px, py] = [r1(x.at(data[i])), r1(y.at(data[i + 1]))];
        const [qx, qy] = tails ? [r1(x.at(tails[i])), r1(y.at(tails[i + 1]))] : [px, py];
        if (!Number.isFinite(px + py + qx + qy)) counts["not finite"]++;
        else if (!inside(space, data[i], data[i + 1])) counts["beyond the plot"]++;
        else {
          spots += mark.shape === "tips" ? marker("", px, py, 2) : `M${px} ${py}h0`; // a stroke of no length is a dot
          if (Math.abs(px - qx) + Math.abs(py - qy) < 0.5) continue;
          threads += `M${qx} ${qy}L${px} ${py}`;
          clipped ||= !inside(space, tails[i], tails[i + 1]);
        }
      }
      return { spots, threads, clipped, counts };
    },
  );
  const count = data.length / 2;
  sheet.shapes.push(html`
    <g class=${`gl-role-${mark.role}${emphasis(drawing, mark.value)}`} ...${part(mark.value)}>
      <path class="gl-thread" d=${threads} clip-path=${clipped ? `url(#${drawing.id}-plane)` : undefined} />
      <path class=${`gl-cloud gl-${mark.shape}`} d=${spots} />
    </g>`);
  const text = mark.label && filled(mark.label, sheet.words);
  if (text) {
    const [a, b] = pair(drawing, mark.at) ?? [0, 0];
    // it names a place, not the colour of what lies there
    const place = { x: x.at(a), y: y.at(b), towards: /** @type {[number, number]} */ ([0, 1]), gap: 0 };
    label(sheet, { role: "ink" }, { text, ...place, part: part(mark.value) });
  }
  for (const [words, some] of Object.entries(counts).filter(([, some]) => some)) {
    const height = space.bottom - 9 - 18 * sheet.unsaid.size;
    const text = `${some} of ${count} ${words}`;
    sheet.unsaid.add(text);
    sheet.shapes.push(
      html`<text class="gl-muted" x=${space.right - 8} y=${height} text-anchor="end">${text}</text>`,
    );
  }
}

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
    const rim = AROUND.map(([u, v]) => [r * (a * u + b * v), r * (c * u + d * v)]);
    const shown = rim.some(([p, q]) => inside(space, p, q));
    const spots = rim
      .filter((_, i) => i % 4 === 0)
      .map(([p, q]) => /** @type {[number, number]} */ ([x.at(p), y.at(q)]));
    if (count === 1) sheet.taken.push(...along(spots, space));
    if (!shown) unsaid(sheet, mark, space, space.small ? "beyond" : `${mark.matrix}: beyond the plot`);
    sheet.shapes.push(html`<path class=${`gl-ellipse gl-role-${mark.role}${emphasis(drawing, mark.matrix, index)}`} d=${path}
      clip-path=${clipped(path)} ...${part(mark.matrix, index)} />`);
  };
  now.forEach(ellipse);
}

/** Tell if a point lies in the plot. @param {any} space @param {number} a @param {number} b */
const inside = ({ x, y }, a, b) => a >= x.low && a <= x.high && b >= y.low && b <= y.high;
