// A place of the board: its two arrows, as they are and as they would be without the token.

import { arrow, clip, cut, emphasis, fill, html, outlined, part, r1 } from "explorax/view";
import { fieldOf } from "./room.js";

export const ROLES = ["state", "state", "cotangent", "parameter", "parameter", "parameter"];

/** @typedef {[number, number]} Point */
/** @typedef {{was: Point, is: Point, at: Point, whole: boolean, changed: boolean}} Arrow `at`: as far as it is seen */
/** @typedef {{name: string, i: number, box: any, arrows: Arrow[], unit: number}} Placed */

/** Where a place's arrows end, in pixels from its middle. @param {any} drawing @param {any} room @param {string} name @param {number} i @returns {Placed} */
export function placeOf({ values }, room, name, i) {
  const box = fieldOf(room, i);
  const unit = room.unit * (name === "update" ? 2 : 1); // whose arrows are short
  /** @param {any} all @param {number} n @returns {Point} */
  const end = (all, n) => [all[4 * i + 2 * n] * unit, -all[4 * i + 2 * n + 1] * unit];
  const arrows = [0, 1].map((n) => {
    const [was, is] = [end(values.before, n), end(values.after, n)];
    return { was, is, ...seen(is, box), changed: Math.hypot(was[0] - is[0], was[1] - is[1]) > 0.05 };
  });
  return { name, i, box, arrows, unit };
}

/** What has become of a place's arrows, in words. @param {any} drawing @param {Placed} place */
function fate({ values, description: { labels } }, { name, arrows }) {
  const moves = values[`${name}_moves`]; // from the gradient on, of both columns as one vector
  if (moves >= 0) return fill(labels[`${name} ${moves}`], values);
  const changed = arrows.filter((each) => each.changed);
  if (!changed.length) return labels.kept;
  const most = Math.max(...arrows.map(({ is }) => Math.hypot(...is)));
  if (most < 1) return most ? labels["next to none"] : labels.none;
  const turned = changed.filter(
    ({ was: [a, b], is: [c, d] }) => Math.abs(a * d - b * c) > 1 || a * c + b * d < 0,
  ).length;
  if (turned) return `${labels[`arrows ${turned}`]} ${labels.turned}`;
  const [ratio, other = ratio] = changed.map(
    ({ was, is }) => `× ${(Math.hypot(...is) / Math.hypot(...was)).toFixed(2)}`,
  );
  return ratio === other
    ? `${labels[`arrows ${changed.length}`]} ${ratio}`
    : `${ratio} ${labels.and} ${other}`;
}

/** @param {any} drawing @param {any} room @param {Placed} place */
export function Place(drawing, room, place) {
  const { settings, values, description, id } = drawing;
  const { labels } = description;
  const { name, i, box, arrows, unit } = place;
  const { left, right, top, foot, middle } = box;
  const changed = arrows.some((each) => each.changed);
  const ring = name === settings.station ? Math.abs(Number(values.ring)) * unit : 0;
  return html`
    <g class=${`gl-place gl-role-${ROLES[i]}${changed ? " gl-changed" : ""}`}>
      <rect class="gl-field" x=${left} y=${top} width=${right - left} height=${foot - top} rx="4" />
      ${
        ring > 0 &&
        html`<clipPath id=${`${id}-at-${i}`}><rect x=${left} y=${top} width=${right - left} height=${foot - top} /></clipPath>
        <circle class="gl-ring gl-role-limit" cx=${middle[0]} cy=${middle[1]} r=${r1(ring)} clip-path=${`url(#${id}-at-${i})`} />`
      }
      <text x=${left} y=${top - 7}><tspan class="gl-muted">${i + 1}</tspan>${" "}<tspan class="gl-named gl-symbolic">${labels[name]}</tspan>${" "}<tspan class="gl-muted">${labels[`${name} name`]}</tspan></text>
      ${arrows.map(
        (each, n) => html`
          <g class=${`gl-vector${emphasis(drawing, name, n + 1)}`} ...${part(name, n + 1)}>
            ${each.changed && html`<path class="gl-outline" d=${outlined(middle, seen(each.was, box).at, 2.6)} />`}
            ${After(middle, each)}
          </g>`,
      )}
      ${unit > room.unit && html`<text class="gl-muted" x=${right - 6} y=${top + 17} text-anchor="end">${labels.twice}</text>`}
      <text class=${changed ? "gl-named" : "gl-muted"} x=${left + 6} y=${foot - 5.5}>${fate(drawing, place)}</text>
    </g>`;
}

/** The part of an arrow that the place has room for. @param {Point} by @param {any} box @returns {{at: Point, whole: boolean}} */
function seen([x, y], box) {
  const [cx, cy] = box.middle;
  const [, end] = clip(box.middle, [cx + x, cy + y], box.inside) ?? [0, 1];
  return { at: [cx + x * end, cy + y * end], whole: end === 1 };
}

/** @param {Point} from @param {Arrow} arrow */
function After(from, { at, is, whole }) {
  if (!whole) {
    return html`<path class="gl-shaft" d=${`M${from.map(r1).join(" ")}L${at.map(r1).join(" ")}`} />
      <path class="gl-cut" d=${cut(at, is)} />`;
  }
  const { shaft, head } = arrow(from, at, "", 1.2);
  return html`<path class="gl-hit" d=${shaft} /><path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} />`;
}
