// A plane with the gradients at a state, and two rows for the places of a clip: bands as wide as the gradients are large.
//
// It draws the spec's `plane` as the engine does; and lengths: those of the results that `heads`, `following`, `whole`,
// `hook`, `cut` and `branch` name in packages/sccbook/src/sccbook/figures/meeting_streams/figure.py's Streams.

import { emphasis, html, part, r1, read, short, viewNamed } from "explorax/view";

export const kind = "streams";

const UNIT = 11; // pixels that a gradient of length 1 is wide

/** @type {Record<string, any>} */
const PLANE = {
  wide: { left: 36, right: 432, top: 24, bottom: 323.2, key: { x: 36, y: 347, letters: 99 } },
  narrow: { left: 36, right: 283, top: 24, bottom: 210.6, key: { x: 0, y: 235.4, letters: 99 } },
};
/** Where the rows start and end, how far apart they are, and in between the state, the clip of each, and the bend. @type {Record<string, any>} */
const ROWS = {
  wide: { left: 450, right: 688, top: 14, pitch: 180, h: 568, hook: 512, branch: 660, bend: 642 },
  narrow: { left: 0, right: 320, top: 263.4, pitch: 151, h: 172, hook: 96, branch: 282, bend: 258 },
};
export const layouts = () => ({ wide: { width: 688, height: 372 }, narrow: { width: 320, height: 567.4 } });
/** The drawing of the plane, in its room. @param {any} drawing */
const planeOf = (drawing) => ({ ...drawing, spec: drawing.spec.plane, room: PLANE[drawing.layout] });

/** @param {any} drawing */
export const handles = (drawing) => viewNamed("plane").handles(planeOf(drawing));

/** A band along a path. @param {any} drawing @param {string} name @param {string} role @param {string} d @param {number} length */
const Band = (drawing, name, role, d, length) =>
  html`<path class=${`gl-use gl-role-${role}${emphasis(drawing, name)}`} stroke-opacity="0.55" d=${d} stroke-width=${r1(length && Math.max(1.5, UNIT * length))} ...${part(name)} />`;

/** One row: both streams, the clip on one or on their sum, and what goes on. @param {any} drawing @param {"hook" | "branch"} name @param {string} role @param {number} top */
function Row(drawing, name, role, top) {
  const { labels } = drawing.description;
  const { left, right, h, bend, [name]: x } = ROWS[drawing.layout];
  const at = (/** @type {string} */ result) => Number(read(drawing, `${result}_length`));
  const onSum = name === "hook";
  const [y, high, low] = [top + 76, top + 42, top + 110];
  const [heads, next, cut] = [at("heads"), at("following"), onSum ? at("following") : at("cut")];
  const [sum, out] = [onSum ? at("whole") : at(name), at(name)];
  /** @type {(from: number, start: number, other: number) => string} */
  const into = (from, start, other) => {
    const to = r1(y + ((from < y ? -1 : 1) * UNIT * other) / 2);
    return `M${start} ${from}H${bend}C${bend - 32} ${from} ${h + 48} ${to} ${h} ${to}`;
  };
  const tall = r1(Math.max(34, UNIT * (heads + cut) + 8));
  /** @type {(was: number, is: number) => string} */
  const numbers = (was, is) => (short(was) === short(is) ? short(is) : `${short(was)} → ${short(is)}`);
  return html`
    <text class=${`gl-named gl-symbolic gl-role-${role}`} x=${left} y=${top + 15}>${labels[name]}</text>
    <text class="gl-named gl-role-own" x=${right} y=${top + 15} text-anchor="end">${labels.heads} ${short(heads)}</text>
    <text class="gl-named gl-role-cotangent" x=${right} y=${top + 147} text-anchor="end">${labels.following} ${numbers(next, cut)}</text>
    ${Band(drawing, "heads", "own", into(high, right, cut), heads)}
    ${Band(drawing, "following", "cotangent", into(low, onSum ? right : x, heads), cut)}
    ${!onSum && Band(drawing, "following", "cotangent", `M${right} ${low}H${x}`, next)}
    ${onSum && Band(drawing, name, role, `M${h} ${y}H${x}`, sum)}
    ${Band(drawing, name, role, `M${onSum ? x : h} ${y}H${left + 14}`, out)}
    <path class=${`gl-tip gl-role-${role}`} d=${`M${left} ${y}l15 ${r1(-9 - (UNIT * out) / 2)}v${r1(18 + UNIT * out)}z`} />
    <path class=${`gl-bar-across gl-role-${role}`} d=${`M${x} ${(onSum ? y : low) - 20}v38`} /><text class=${`gl-named gl-role-${role}`} x=${x} y=${(onSum ? y : low) - 26} text-anchor="middle">clip</text>
    <rect class="gl-beads gl-role-state" x=${h - 15} y=${y - tall / 2} width="30" height=${tall} rx="10" /><text class="gl-symbolic" x=${h} y=${y + 5} text-anchor="middle">h</text>
    <text class=${`gl-named gl-symbolic gl-role-${role}`} x=${left} y=${top + 147}>sum ${numbers(sum, out)}</text>`;
}

/** @param {any} drawing */
export function draw(drawing) {
  const { top, pitch } = ROWS[drawing.layout];
  return [
    viewNamed("plane").draw(planeOf(drawing)),
    Row(drawing, "hook", "state", top),
    Row(drawing, "branch", "parameter", top + pitch),
  ];
}
