// A curve, a point on it, its tangent and the tangent that is reported.
//
// It draws arrays: `abscissae`, `ordinates`, and the scalars `value`, `slope`, `reported`.

import { html } from "../common/html.js";
import { fill } from "../common/template.js";
import { clipOf, numbersOf } from "../views/common/clips.js";
import { r1 } from "../views/common/numbers.js";
import { stance } from "../views/common/read.js";
import { scaleOf } from "../views/common/scales.js";

/** @typedef {import("../common/types.js").Drawing} Drawing */

const LAYOUTS = {
  wide: { width: 688, height: 340, left: 44, right: 668, top: 16, bottom: 300, reach: 0.9 },
  narrow: { width: 320, height: 330, left: 34, right: 312, top: 16, bottom: 292, reach: 0.9 },
};
/** Two rooms, whatever is drawn. */
export const layouts = () => LAYOUTS;

/** @type {[number, number]} */
const ORDINATES = [-0.9, 2.9];
const LETTER = 8; // at most, of a label that has to stay in the picture

/** The room of a layout with its scales, and to which side of the point the tangent is taken. @param {Pick<Drawing, "values" | "layout" | "settings">} drawing */
function frame({ values, layout, settings }) {
  const room = layout === "wide" ? LAYOUTS.wide : LAYOUTS.narrow;
  const across = scaleOf([values.abscissae[0], values.abscissae.at(-1)], room.left, room.right);
  const up = scaleOf(ORDINATES, room.bottom, room.top, 4);
  return { ...room, across, up, x: across.at, y: up.at, side: settings.x > 0.6 ? -1 : 1 };
}

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { values, settings, ghost, description, id, concealed } = drawing;
  const { labels } = description;
  const { across, up, x, y, left, right, top, bottom, width, reach, side } = frame(drawing);
  const told = !concealed.has("reported");
  const shine = (/** @type {string} */ part) => stance(drawing, part);
  const curve = Array.from(
    values.abscissae,
    (/** @type {number} */ a, /** @type {number} */ i) => `${r1(x(a))} ${r1(y(values.ordinates[i]))}`,
  );
  const at = settings.x;
  /** @param {number} slope @param {number} [value] @param {number} [where] */
  const tangent = (slope, value = values.value, where = at) =>
    `M${x(where - reach)} ${y(value - slope * reach)}L${x(where + reach)} ${y(value + slope * reach)}`;
  /** A line that is cut at the plot's edge, and wide enough to be touched. @param {string} d @param {Record<string, string>} named */
  const cut = (d, named, touched = true) => html`
    <g clip-path=${clipOf(numbersOf(d), { left, right, top, bottom }, `${id}-plot`)}>
      ${touched && html`<path ...${named} class="gl-touch" d=${d} />`}
      <path ...${named} d=${d} />
    </g>`;
  const slope = fill(labels.slope, values);
  const end = [x(at + side * reach), y(values.value + side * values.reported * reach)];
  const own = y(values.value + side * values.slope * reach);
  const apart = told && Math.abs(own - end[1]) > 34; // else the slope's own label has its place
  // of the point, where neither curve nor tangent runs
  const crossed = told && values.slope * values.reported < 0;
  const beside = crossed ? 0 : at > 1.5 ? -1 : 1;
  return html`
    <defs><clipPath id=${`${id}-plot`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <g class="gl-axes">
      ${across.ticks.map(({ at, text }) => html`<path d=${`M${at} ${bottom}v5`} /><text x=${at} y=${bottom + 20} text-anchor="middle">${text}</text>`)}
      ${up.ticks.map(({ at, text }) => html`<path class="gl-grid" d=${`M${left} ${at}H${right}`} /><text x=${left - 8} y=${at + 4.5} text-anchor="end">${text}</text>`)}
      <path d=${`M${left} ${bottom}H${right}`} />
      <text x=${right} y=${bottom + 36} text-anchor="end">x</text>
    </g>
    <path class="gl-curve" d=${`M${curve.join("L")}`} clip-path=${`url(#${id}-plot)`} />
    ${cut(tangent(values.slope), { class: `gl-true${shine("slope")}`, "data-part": "slope" })}
    ${told && ghost && cut(tangent(ghost.reported, ghost.value, ghost.x), { class: "gl-ghost" }, false)}
    ${told && cut(tangent(values.reported), { class: `gl-reported${shine("reported")}`, "data-part": "reported" })}
    <circle class=${`gl-point${shine("value")}`} data-part="value" cx=${x(at)} cy=${y(values.value)} r="6" />
    <text class=${`gl-forward${shine("value")}`} data-part="value" x=${x(at) + beside * 12} y=${y(values.value) + (crossed ? 28 : values.slope * beside > 0 ? 20 : -10)}
      text-anchor=${crossed ? "middle" : beside > 0 ? "start" : "end"}>${fill(labels.value, values)}</text>
    ${
      told &&
      html`<text class=${`gl-slope${shine("reported")}`} data-part="reported" x=${Math.min(end[0] + side * 6, width - LETTER * slope.length)} y=${Math.max(top + 12, Math.min(bottom - 6, end[1] - 12))}
      text-anchor=${side > 0 ? "start" : "end"}>${slope}</text>`
    }
    ${
      apart &&
      html`<text class=${`gl-muted${shine("slope")}`} data-part="slope" x=${end[0] - side * 8} y=${Math.max(top + 12, Math.min(bottom - 6, own + (own < end[1] ? -4 : 14)))}
      text-anchor=${side > 0 ? "end" : "start"}>${labels.true}</text>`
    }
    <text class="gl-forward" x=${x(-1.9)} y=${y(-0.15)}>${labels.curve}</text>
  `;
}

/** The tangent's end tilts it; the point slides along the curve. @param {Drawing} drawing @returns {import("../common/types.js").Handle[]} */
export function handles(drawing) {
  const { values, settings, concealed } = drawing;
  const { across, up, x, y, reach, side } = frame(drawing);
  const { value, slope, reported } = values;
  const [beyond, rise] = [settings.x + side * reach, side * reach * reported];
  const tilt = (/** @type {number} */ _, /** @type {number} */ py) =>
    (up.invert(py) - value) / (side * reach * slope);
  /** @type {import("../common/types.js").Handle} */
  const along = { control: "x", x: x(settings.x), y: y(value), axis: "x", value: (px) => across.invert(px) };
  if (!(Math.abs(slope) > 1e-3) || concealed.has("reported")) return [along];
  return [along, { control: "scale", x: x(beyond), y: y(value + rise), axis: "y", value: tilt }];
}
