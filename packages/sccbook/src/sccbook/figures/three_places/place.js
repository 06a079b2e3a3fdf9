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
  const foot = own ? labels.muzero : fill(moved ?? labels[`${name} foot`] ?? "", values);
  const ring = here ? Math.abs(Number(values.ring)) * room.unit : 0;
  return html`
    <g class=${`gl-place gl-role-${ROLES[i]}${changed.includes(true) ? " gl-changed" : ""}${own ? " gl-home" : ""}`}>
      <rect class="gl-field" x=${left} y=${top} width=${right - left} height=${bottom - top} rx="4" />
      <path class="gl-lines" d=${`M${left} ${middle[1]}H${right}M${middle[0]} ${top}V${bottom}`} />
      ${
        ring > 0 &&
        html`<clipPath id=${`${id}-at-${i}`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath>
        <circle class="gl-ring gl-role-limit" cx=${middle[0]} cy=${middle[1]} r=${r1(ring)} clip-path=${`url(#${id}-at-${i})`} />`
      }
      <text x=${left} y=${top - 7}><tspan class="gl-named gl-symbolic">${labels[name]}</tspan>${" "}<tspan class="gl-muted">${labels[`${name} name`]}</tspan></text>
      ${foot && html`<text class=${own || moved ? "gl-named" : "gl-muted"} x=${left + 6} y=${bottom - (here ? 18 : 8)}>${foot}</text>`}
      ${arrows.map(
        ({ n, was, is }) => html`
          <g class=${`gl-vector${emphasis(drawing, name, n + 1)}`} ...${part(name, n + 1)}>
            ${changed[n] && html`<path class="gl-outline" d=${outlined(middle, seen(middle, was, box).at, 2.6)} />`}
            ${After(middle, is, box)}
          </g>`,
      )}
      ${arrows.map(({ is, n, was }) => Numeral(middle, is, box, n + 1, [was, arrows[1 - n].was, arrows[1 - n].is]))}
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

/** How far a spot is from the nearest of some arrows. @param {Point} from @param {Point[]} heads @param {Point} spot */
function clearance(from, heads, [x, y]) {
  const away = heads.map(([a, b]) => {
    const [dx, dy] = [a - from[0], b - from[1]];
    const along = Math.max(
      0,
      Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1)),
    );
    return Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
  });
  return Math.min(...away);
}

/**
 * Which of the two an arrow is: beyond its head or, where that is beyond the place, beside it; and clear of its outline
 * and of the other arrow.
 * @param {Point} from @param {Point} head @param {any} box @param {number} n @param {Point[]} others
 */
function Numeral(from, head, box, n, others) {
  const spots = spotsOf(from, head, box, n);
  const far = spots.map((spot) => clearance(from, others, spot));
  const clear = far.findIndex((each) => each > 9.5);
  const [x, y] = spots[clear < 0 ? far.indexOf(Math.max(...far)) : clear] ?? seen(from, head, box).at;
  return html`<text class="gl-named" x=${r1(x)} y=${r1(y + 4.7)} text-anchor="middle">${n}</text>`;
}

/** The spots in a place for a numeral at a tip, the best first. @param {Point} from @param {Point} to @param {any} box @param {number} n @returns {Point[]} */
function spotsOf(from, to, box, n) {
  const { at } = seen(from, to, box);
  const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
  const size = Math.hypot(dx, dy);
  if (size < 1) return [-9, 10].map((down) => [at[0] + (n === 1 ? -9 : 9), at[1] + down]);
  const [ux, uy] = [dx / size, dy / size];
  return [0, 6, 16]
    .flatMap((back) =>
      (back ? [10, -10] : [0]).map((side) => {
        const along = back ? -back : 10;
        return /** @type {Point} */ ([at[0] + ux * along - uy * side, at[1] + uy * along + ux * side]);
      }),
    )
    .filter(([x, y]) => x > box.left + 5 && x < box.right - 5 && y > box.top + 8 && y < box.bottom - 8);
}
