// Beside a measured ledger: what all lengths add up to at every s, and the one length of their sum that is known.

import { html } from "../../common/html.js";
import { fill } from "../../common/template.js";
import { marker } from "../../views/common/arrows.js";
import { Axes } from "../../views/common/axes.js";
import { widthOf } from "../../views/common/labels.js";
import { r1 } from "../../views/common/numbers.js";
import { before, part, read, stance } from "../../views/common/read.js";
import { clamp, scaleOf } from "../../views/common/scales.js";
import { typeOf } from "../../views/common/text.js";

/** The box of the chart with its scales. @param {any} drawing @param {any} space */
export function plotOf({ spec, layout }, { chart }) {
  const { left, right, top, bottom } = chart;
  const x = scaleOf(spec.x, left, right, layout === "wide" ? 5 : 4);
  return { ...chart, x, y: scaleOf(spec.y, bottom, top, 5) };
}

/** @param {any} drawing @param {any} space */
export function Chart(drawing, space) {
  const plot = plotOf(drawing, space);
  const { left, right, top, bottom, x, y } = plot;
  const { labels } = drawing.description;
  const values = { ...drawing.settings, ...drawing.values };
  const [scales, bounds] = [read(drawing, "scales"), read(drawing, "bounds")];
  const height = (/** @type {number} */ value) => r1(clamp(y.at(value), top, bottom));
  const path = Array.from(
    scales,
    (/** @type {number} */ s, /** @type {number} */ i) => `${r1(x.at(s))} ${height(bounds[i])}`,
  );
  const [at, known] = [r1(x.at(Number(read(drawing, "scale")))), r1(x.at(values.recorded))];
  const old = before(drawing, "scale");
  const { letter } = typeOf(drawing);
  const words = [fill(labels.sum, values), fill(labels.where, values)];
  const wide = Math.max(...words.map((text) => widthOf(text, letter + 1)));
  const low = height(values.total);
  const middle = clamp(known, left + wide / 2 + 4, right - wide / 2 - 4);
  const heights = [low + 23, low - 33, bottom - 26].filter((y) => y > top + 14 && y < bottom - 20);
  const under = Array.from(scales, (/** @type {number} */ s, /** @type {number} */ i) => [
    x.at(s),
    y.at(bounds[i]),
  ]).filter(([px]) => Math.abs(px - middle) < wide / 2 + 4);
  // where the curve does not run through the words
  const first = heights.find((y) => under.every(([, py]) => py > y + 26 || py < y - 18)) ?? low + 23;
  const word = (/** @type {string} */ text, /** @type {number} */ i) =>
    html`<text class="gl-plate" x=${r1(middle)} y=${r1(first + 17 * i)} text-anchor="middle">${text}</text>`;
  return html`
    <text class="gl-paneltitle" x=${left - 42} y=${top - 24}>${labels.chart}</text>
    ${Axes(drawing, plot, { x: "s", y: "", grid: "both" })}
    <g class=${`gl-role-cotangent${stance(drawing, "most")}`} ...${part("most")}>
      <path class="gl-line" d=${`M${path.join("L")}`} />
    </g>
    ${old !== undefined && Math.abs(x.at(old) - at) > 0.5 && html`<path class="gl-ghost" d=${`M${r1(x.at(old))} ${top}V${bottom}`} />`}
    <g class="gl-threshold gl-role-ink"><path class="gl-level" d=${`M${at} ${top}V${bottom}`} /></g>
    <path class="gl-spot gl-role-cotangent" d=${marker("cotangent", at, height(values.most), 5.5)} ...${part("most")} />
    <g class=${`gl-named gl-role-parameter${stance(drawing, "total")}`} ...${part("total")}>
      <path class="gl-spot" d=${marker("parameter", known, low, 6)} />
      ${words.map(word)}
    </g>
    <text class=${`gl-named gl-plate gl-role-cotangent${stance(drawing, "most")}`} x=${right - 6} y=${r1(Math.max(top + 16, height(bounds.at(-1)) - 12))} text-anchor="end" ...${part("most")}>${fill(labels.most, values)}</text>`;
}

/** The line at s is dragged across. @param {any} drawing @param {any} space @returns {import("../../common/types.js").Handle[]} */
export function chartHandles(drawing, space) {
  const { left, right, bottom, x } = plotOf(drawing, space);
  const value = (/** @type {number} */ px) => x.invert(clamp(px, left, right));
  return [
    { control: "scale", axis: "x", x: x.at(Number(read(drawing, "scale"))), y: bottom, role: "ink", value },
  ];
}
