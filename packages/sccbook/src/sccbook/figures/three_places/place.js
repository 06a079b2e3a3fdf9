// A place of the board: its two arrows, as they are and as they would be without the token.

import { arrow, clip, cut, emphasis, fill, html, outlined, part, r1 } from "explorax/view";
import { fieldOf } from "./room.js";

export const ROLES = ["state", "state", "cotangent", "parameter", "parameter", "parameter"];

/** @typedef {[number, number]} Point */

/** @param {any} drawing @param {any} room @param {{name: string, i: number, here: boolean}} place */
export function Place(drawing, room, { name, i, here }) {
  const { settings, values, description, id } = drawing;
  const { labels } = description;
  const box = fieldOf(room, i);
  const { left, right, top, bottom, middle } = box;
  /** @type {(all: any, at: number) => Point} */
  const head = (all, at) => [middle[0] + all[at] * room.unit, middle[1] - all[at + 1] * room.unit];
  const arrows = [0, 1].map((n) => {
    const at = 4 * i + 2 * n;
    return { n, was: head(values.before, at), is: head(values.after, at) };
  });
  const changed = arrows.map(({ was, is }) => Math.hypot(was[0] - is[0], was[1] - is[1]) > 0.05);
  const own = here && settings.token === "scale" && Number(values.muzero) === i; // concealed, it is NaN
  const moved = labels[`${name} ${values[`${name}_moves`]}`]; // the gradient, or by their step the weights
  const kept = changed.includes(true) ? labels.changed : labels.kept;
  const foot = own ? labels.muzero : moved ? fill(moved, values) : kept;
  const ring = here ? Math.abs(Number(values.ring)) * room.unit : 0;
  return html`
    <g class=${`gl-place gl-role-${ROLES[i]}${changed.includes(true) ? " gl-changed" : ""}${own ? " gl-home" : ""}`}>
      <rect class="gl-field" x=${left} y=${top} width=${right - left} height=${bottom - top} rx="4" />
      ${
        ring > 0 &&
        html`<clipPath id=${`${id}-at-${i}`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath>
        <circle class="gl-ring gl-role-limit" cx=${middle[0]} cy=${middle[1]} r=${r1(ring)} clip-path=${`url(#${id}-at-${i})`} />`
      }
      <text x=${left} y=${top - 7}><tspan class="gl-named gl-symbolic">${labels[name]}</tspan>${" "}<tspan class="gl-muted">${labels[`${name} name`]}</tspan></text>
      ${arrows.map(
        ({ n, was, is }) => html`
          <g class=${`gl-vector${emphasis(drawing, name, n + 1)}`} ...${part(name, n + 1)}>
            ${changed[n] && html`<path class="gl-outline" d=${outlined(middle, seen(middle, was, box).at, 2.6)} />`}
            ${After(middle, is, box)}
          </g>`,
      )}
      <text class=${own || changed.includes(true) ? "gl-named" : "gl-muted"} x=${left + 6} y=${bottom - 5.5}>${foot}</text>
    </g>`;
}

/** The part of an arrow that the place has room for. @param {Point} from @param {Point} to @param {any} box */
function seen(from, to, box) {
  const [, end] = clip(from, to, box) ?? [0, 1];
  /** @type {Point} */
  const at = [from[0] + (to[0] - from[0]) * end, from[1] + (to[1] - from[1]) * end];
  return { at, whole: end === 1 };
}

/** @param {Point} from @param {Point} to @param {any} box */
function After(from, to, box) {
  const { at, whole } = seen(from, to, box);
  if (!whole) {
    return html`<path class="gl-shaft" d=${`M${from.map(r1).join(" ")}L${at.map(r1).join(" ")}`} />
      <path class="gl-cut" d=${cut(at, [to[0] - from[0], to[1] - from[1]])} />`;
  }
  const { shaft, head } = arrow(from, to, "", 1.2);
  return html`<path class="gl-hit" d=${shaft} /><path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} />`;
}
