// Dashed lines across a profile: levels and places, with points on them.

import { html } from "../../common/html.js";
import { marker } from "../common/arrows.js";
import { widthOf } from "../common/labels.js";
import { r1 } from "../common/numbers.js";
import { before, concealed, part, read, stance, words } from "../common/read.js";
import { held } from "../common/scales.js";
import { filled, typeOf } from "../common/text.js";

/** @param {any} drawing @param {any} space */
export function Thresholds(drawing, space) {
  const said = words(drawing);
  return drawing.spec.thresholds.map((/** @type {any} */ one) => {
    if (concealed(drawing, one.value)) return null;
    const named = typeof one.value === "string";
    return html`
      <g class=${`gl-threshold gl-role-${one.role}${named ? stance(drawing, one.value) : ""}`} ...${named ? part(one.value) : {}}>
        ${one.axis === "x" ? upright(one, drawing, space, said) : level(one, drawing, space, said)}
      </g>`;
  });
}

/** @param {any} one @param {any} drawing @param {any} space @param {any} said */
function level(one, drawing, { y, left, right, top, bottom, small }, said) {
  const value = Number(read(drawing, one.value));
  const text = one.label && !small ? filled(one.label, said) : "";
  if (Number.isNaN(value))
    return html`<text x=${right - 12} y=${bottom - 8} text-anchor="end">${`${text}: NaN`}</text>`;
  const { px, beyond } = held(y, value);
  const was = before(drawing, one.value);
  const old = was === undefined ? null : held(y, Number(was));
  const above = px - top > 24;
  return html`
    ${old && !old.beyond && Math.abs(old.px - px) > 0.5 && html`<path class="gl-ghost" d=${`M${left} ${r1(old.px)}H${right}`} />`}
    ${!beyond && html`<path class="gl-level" d=${`M${left} ${r1(px)}H${right}`} />`}
    ${text && html`<text x=${right - 12} y=${r1(px) + (beyond < 0 ? -8 : above ? -8 : 20)} text-anchor="end">${beyond && Number.isFinite(value) ? `${text} (${beyond > 0 ? "above" : "below"} the plot)` : text}</text>`}`;
}

/** @param {any} one @param {any} drawing @param {any} space @param {any} said */
function upright(one, drawing, { x, y, left, right, top, bottom, small }, said) {
  const value = Number(read(drawing, one.value));
  if (!(value >= x.low && value <= x.high)) return null;
  const px = x.at(value);
  const was = before(drawing, one.value);
  const old = was !== undefined && Number(was) >= x.low && Number(was) <= x.high ? x.at(Number(was)) : null;
  const text = one.label && !small ? filled(one.label, said) : "";
  const room = widthOf(text, typeOf(drawing).letter) + 12;
  const onLeft = px + room > right && px - room > left;
  return html`
    ${old !== null && Math.abs(old - px) > 0.5 && html`<path class="gl-ghost" d=${`M${r1(old)} ${top}V${bottom}`} />`}
    <path class="gl-level" d=${`M${r1(px)} ${top}V${bottom}`} />
    ${text && html`<text class=${one.foot ? "gl-foot" : null} x=${r1(px) + (onLeft ? -12 : 12)} y=${one.foot ? bottom - 9 : top + 16} text-anchor=${onLeft ? "end" : "start"}>${text}</text>`}
    ${one.dots.map((/** @type {[string, string]} */ [name, role]) => {
      const level = concealed(drawing, name) ? Number.NaN : Number(read(drawing, name));
      const spot = Number.isNaN(level) ? null : held(y, level);
      return (
        spot &&
        html`<path class=${`gl-spot gl-role-${role}${spot.beyond ? " gl-beyond" : ""}`} d=${marker(role, px, spot.px, 5.5)} ...${part(name)} />`
      );
    })}`;
}
