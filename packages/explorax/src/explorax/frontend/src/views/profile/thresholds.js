// Dashed lines across a profile: levels and places, with points on them.

import { clamped, filled, html, marker, r1, typeOf, widthOf } from "../../view.js";
import { before, concealed, emphasis, part, read, templateValues } from "../common/read.js";
import { isThere } from "./room.js";

/** @param {any} drawing @param {any} space */
export function Thresholds(drawing, space) {
  const values = templateValues(drawing);
  return drawing.spec.thresholds.map((/** @type {any} */ threshold) => {
    const { value, role, axis, label } = threshold;
    const named = label && !space.small && !space.beside.includes(threshold);
    if (!isThere(drawing, threshold)) return null;
    const text = named ? filled(label, values) : "";
    return html`
      <g class=${`gl-threshold gl-role-${role}${emphasis(drawing, value)}`} ...${part(value)}>
        ${(axis === "x" ? upright : level)(threshold, drawing, space, text)}
      </g>`;
  });
}

/** @param {any} threshold @param {any} drawing @param {any} space @param {string} text */
function level(threshold, drawing, { x, y, left, right, top, bottom, small }, text) {
  const value = Number(read(drawing, threshold.value));
  if (typeof threshold.on === "number")
    return text && html`<text x=${r1(x.at(threshold.on))} y=${r1(y.at(value)) + 5}>${text}</text>`;
  if (Number.isNaN(value))
    return html`<text x=${right - 12} y=${bottom - 8} text-anchor="end">${`${text}: NaN`}</text>`;
  const { px, beyond } = clamped(y, value);
  const was = before(drawing, threshold.value);
  const old = was === undefined ? null : clamped(y, Number(was));
  const above = px - top > 24 && !(threshold.under && Number(read(drawing, threshold.under)));
  return html`
    ${old && !old.beyond && Math.abs(old.px - px) > 0.5 && html`<path class="gl-ghost" d=${`M${left} ${r1(old.px)}H${right}`} />`}
    ${!beyond && html`<path class=${(small || threshold.role === "muted") && !threshold.drag ? "gl-level gl-still" : "gl-level"} d=${`M${left} ${r1(px)}H${right}`} />`}
    ${text && html`<text x=${right - 12} y=${r1(px) + (beyond < 0 ? -8 : above ? -8 : 20)} text-anchor="end">${beyond && Number.isFinite(value) ? `${text} (${beyond > 0 ? "above" : "below"} the plot)` : text}</text>`}`;
}

/** @param {any} threshold @param {any} drawing @param {any} space @param {string} text */
function upright({ value: name, foot, dots, spans = [] }, drawing, { x, y, left, right, top, bottom }, text) {
  const place = (/** @type {number} */ value) => (value >= x.low && value <= x.high ? x.at(value) : null);
  const px = place(Number(read(drawing, name)));
  if (px === null) return null;
  const old = place(Number(before(drawing, name)));
  const moving = drawing.moving !== false; // once it rests, a line without a name would be read as another's
  const room = widthOf(text, typeOf(drawing).letter) + 12;
  const others = drawing.spec.thresholds
    .filter((/** @type {any} */ { axis, value }) => axis === "x" && value !== name)
    .map((/** @type {any} */ { value }) => place(Number(read(drawing, value))));
  const struck = (/** @type {number} */ from, /** @type {number} */ to) =>
    others.some((/** @type {any} */ at) => at !== null && at > from && at < to);
  const onLeft =
    px - room > left && (px + room > right || (struck(px + 3, px + room) && !struck(px - room, px - 3)));
  return html`
    ${old !== null && moving && Math.abs(old - px) > 0.5 && html`<path class="gl-ghost" d=${`M${r1(old)} ${top}V${bottom}`} />`}
    <path class="gl-level" d=${`M${r1(px)} ${top}V${bottom}`} />
    ${text && html`<text class=${foot ? "gl-foot" : null} x=${r1(px) + (onLeft ? -12 : 12)} y=${foot ? bottom - 9 : top + 16} text-anchor=${onLeft ? "end" : "start"}>${text}</text>`}
    ${spans.map((/** @type {[any, any, string, string?]} */ [from, to, role, label = ""]) => {
      const [start, end] = [from, to].map((end) =>
        concealed(drawing, end) ? Number.NaN : clamped(y, Number(read(drawing, end))).px,
      );
      const words = Math.abs(end - start) > 34 ? filled(label, templateValues(drawing)) : "";
      const back = px + widthOf(words, typeOf(drawing).letter) + 10 > right;
      return (
        Number.isFinite(start + end) &&
        html`<path class=${`gl-bar-across gl-role-${role}`} d=${`M${r1(px)} ${r1(start)}V${r1(end)}`} />
          <text class=${`gl-named gl-role-${role}`} x=${r1(px + (back ? -9 : 9))} y=${r1((start + end) / 2 + 5)} text-anchor=${back ? "end" : "start"}>${words}</text>`
      );
    })}
    ${dots.map((/** @type {[string, string]} */ [name, role]) => {
      const level = concealed(drawing, name) ? Number.NaN : Number(read(drawing, name));
      const spot = Number.isNaN(level) ? null : clamped(y, level);
      return (
        spot &&
        html`<path class=${`gl-spot gl-role-${role}${spot.beyond ? " gl-beyond" : ""}`} d=${marker(role === "cotangent" ? "" : role, px, spot.px, 5.5)} ...${part(name)} />`
      );
    })}`;
}

/** The shade beyond a place, which sets in before it on a logarithmic axis, or up to another, under all lines. @param {any} drawing @param {any} space */
export function Shade(drawing, { x, left, right, top, bottom, strip = 0 }) {
  const box = (/** @type {number} */ from, /** @type {number} */ to) =>
    `M${r1(from)} ${top - strip}H${r1(to)}V${bottom}H${r1(from)}Z`;
  const wash = "stop-color:var(--gl-wash)";
  const soft = drawing.spec.x.scale === "log" ? x.at(10 * x.low) - left : 0; // a tenth of the place is as good as off it
  return [
    ...sidesOf(drawing, x).map(({ px }) => {
      const [id, from] = [`${drawing.id}-shade`, r1(px - soft)];
      return html`
        <linearGradient id=${id} gradientUnits="userSpaceOnUse" x1=${from} x2=${r1(px)}>
          <stop offset="0" stop-opacity="0" style=${wash} /><stop offset="1" style=${wash} />
        </linearGradient>
        <path class="gl-shade" style=${`fill:url(#${id})`} d=${box(Math.max(left, from), right)} />`;
    }),
    ...betweens(drawing, x).map(([from, to]) => html`<path class="gl-band0" d=${box(from, to)} />`),
  ];
}

/** The places from which it is shaded up to others. @param {any} drawing @param {any} x @returns {number[][]} */
const betweens = (drawing, x) =>
  drawing.spec.thresholds
    .filter((/** @type {any} */ { to }) => to)
    .map((/** @type {any} */ { value, to }) => [value, to].map((end) => Number(read(drawing, end))))
    .filter((/** @type {number[]} */ ends) => ends.every(Number.isFinite))
    .map((/** @type {number[]} */ ends) => ends.map((end) => clamped(x, end).px));

/** The names of a place's two sides, over the plot, where they have room. @param {any} drawing @param {any} space */
export const Sides = (drawing, { x, left, right, top, small }) =>
  sidesOf(drawing, x).map(({ px, sides }) => {
    const named = (/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) =>
      !small &&
      to - from > widthOf(text, typeOf(drawing).letter) + 16 &&
      html`<text class="gl-foot" x=${r1((from + to) / 2)} y=${top - 12} text-anchor="middle">${text}</text>`;
    return html`<g class="gl-threshold gl-role-muted">${named(sides[0], left, px)}${named(sides[1], px, right)}</g>`;
  });

/** The places whose sides are named, and shown. @param {any} drawing @param {any} x @returns {{px: number, sides: string[]}[]} */
const sidesOf = (drawing, x) =>
  drawing.spec.thresholds.flatMap((/** @type {any} */ { value, sides = [] }) => {
    const place = Number(read(drawing, value));
    if (!sides.length || concealed(drawing, value) || Number.isNaN(place)) return [];
    return [{ px: clamped(x, place).px, sides }];
  });
