// Two streams that meet at a state, once for each place of a clip: bands as wide as the gradients are long.
//
// It draws lengths: those of the results that `heads`, `following`, `whole`, `hook`, `cut` and `branch` name in the spec,
// which is packages/sccbook/src/sccbook/figures/meeting_streams/figure.py's Streams.

import { emphasis, html, part, r1, read, short } from "explorax/view";

export const kind = "streams";

const WIDTH = 320;
const PITCH = 154; // from one row to the next
const UNIT = 11; // pixels that a gradient of length 1 is wide
const H = { x: 172, y: 74 };

export const layouts = () => {
  const size = { width: WIDTH, height: 2 * PITCH - 9 };
  return { wide: size, narrow: size };
};

/** A band along a path. @param {any} drawing @param {string} name @param {string} role @param {string} d @param {number} length */
const Band = (drawing, name, role, d, length) =>
  length > 0 &&
  html`<path class=${`gl-use gl-role-${role}${emphasis(drawing, name)}`} stroke-opacity="0.55" d=${d} stroke-width=${r1(Math.max(1.5, UNIT * length))} ...${part(name)} />`;

/** A clip across a band. @param {number} x @param {number} y @param {string} role */
const Gate = (x, y, role) => html`
  <g class=${`gl-role-${role}`}>
    <path class="gl-bar-across" d=${`M${x} ${y - 20}V${y + 18}`} /><text class="gl-named" x=${x} y=${y - 26} text-anchor="middle">clip</text>
  </g>`;

/** One row: both streams, the clip on one or on their sum, and what goes on. @param {any} drawing @param {"hook" | "branch"} name @param {string} role @param {number} top */
function Row(drawing, name, role, top) {
  const { labels } = drawing.description;
  const at = (/** @type {string} */ result) => Number(read(drawing, `${result}_length`));
  const onSum = name === "hook";
  const [y, high, low] = [top + H.y, top + 40, top + 108];
  const [heads, next, cut] = [at("heads"), at("following"), onSum ? at("following") : at("cut")];
  const [sum, out] = [onSum ? at("whole") : at(name), at(name)];
  const into = (/** @type {number} */ from, /** @type {number} */ start, /** @type {number} */ other) => {
    const to = r1(y + ((from < y ? -1 : 1) * UNIT * other) / 2);
    return `M${start} ${from}H258C222 ${from} 226 ${to} ${H.x} ${to}`;
  };
  const tall = r1(Math.max(34, UNIT * (heads + cut) + 8));
  const clip = onSum ? 96 : 282;
  const numbers = (/** @type {number} */ was, /** @type {number} */ is) =>
    short(was) === short(is) ? short(is) : `${short(was)} → ${short(is)}`;
  const known = !Number.isNaN(out);
  return html`
    <text class=${`gl-named gl-symbolic gl-role-${role}`} x="0" y=${top + 15}>${labels[name]}</text>
    <text class="gl-named gl-role-own" x=${WIDTH} y=${top + 15} text-anchor="end">${labels.heads} ${short(heads)}</text>
    <text class="gl-named gl-role-cotangent" x=${WIDTH} y=${top + 139} text-anchor="end">${labels.following} ${numbers(next, cut)}</text>
    ${Band(drawing, "heads", "own", into(high, WIDTH, cut), heads)}
    ${Band(drawing, "following", "cotangent", into(low, onSum ? WIDTH : 282, heads), cut)}
    ${!onSum && Band(drawing, "following", "cotangent", `M${WIDTH} ${low}H282`, next)}
    ${onSum && Band(drawing, name, role, `M${H.x} ${y}H96`, sum)}
    ${known && Band(drawing, name, role, `M${onSum ? 96 : H.x} ${y}H14`, out)}
    ${known && html`<path class=${`gl-tip gl-role-${role}`} d=${`M0 ${y}l15 ${-9 - (UNIT * out) / 2}v${r1(18 + UNIT * out)}z`} />`}
    ${Gate(clip, onSum ? y : low, role)}
    <rect class="gl-beads gl-role-state" x=${H.x - 15} y=${y - tall / 2} width="30" height=${tall} rx="10" /><text class="gl-symbolic" x=${H.x} y=${y + 5} text-anchor="middle">h</text>
    <text class=${`gl-named gl-symbolic gl-role-${role}`} x="0" y=${top + 139}>${known ? numbers(onSum ? sum : out, out) : "?"}</text>`;
}

/** @param {any} drawing */
export const draw = (drawing) => [
  Row(drawing, "hook", "state", 0),
  Row(drawing, "branch", "parameter", PITCH),
];
