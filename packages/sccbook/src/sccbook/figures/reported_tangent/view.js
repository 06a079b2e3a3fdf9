// A curve, a point on it, its tangent and the tangent that is reported.
//
// It draws arrays: `abscissae`, `ordinates`, and the scalars `value`, `slope`, `reported`,
// and of a step of descent `goal`, `after`, `moves`.

import {
  arrow,
  bothLayouts,
  clamp,
  clip,
  concealed,
  emphasis,
  fill,
  html,
  marker,
  memoizeDrawn,
  part,
  points,
  r1,
  scaleOf,
  templateValues,
} from "explorax/view";

export const kind = "tangent";

/** @typedef {import("explorax/view").Drawing} Drawing */

/** `key` has the places of three entries. */
const SIZES = {
  wide: { width: 688, left: 44, right: 668, top: 38, turns: 0.45, key: points("44 14, 214 14, 394 14") },
  narrow: { width: 320, left: 34, right: 312, top: 70, turns: 0.3, key: points("34 12, 34 33, 34 54") },
};
export const { layouts, roomOf } = bothLayouts((_, layout) => {
  return { ...SIZES[layout], height: 362, bottom: 322 };
});

/** @type {[number, number]} */
const ORDINATES = [-0.9, 2.9];
const LETTER = 7.6; // at most, of a label that has to stay in the picture
const REACH = 1; // of the tangent to each side, so that it rises by its slope

/** The room with its scales, and to which side of the point the tangent is taken. @param {Drawing} drawing */
function frame(drawing) {
  const { values, settings } = drawing;
  const room = roomOf(drawing);
  const across = scaleOf([values.abscissae[0], values.abscissae.at(-1)], room.left, room.right);
  const up = scaleOf(ORDINATES, room.bottom, room.top, 4);
  return { ...room, across, up, x: across.at, y: up.at, side: settings.x > room.turns ? -1 : 1 };
}

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { values, settings, ghost, description } = drawing;
  const { labels } = description;
  const room = frame(drawing);
  const { across, up, x, y, left, right, bottom, side, key } = room;
  const shine = (/** @type {string} */ name) => emphasis(drawing, name);
  const curve = Array.from(values.abscissae, (/** @type {number} */ a, /** @type {number} */ i) => {
    return `${r1(x(a))} ${r1(y(values.ordinates[i]))}`;
  });
  const ground = () => html`
    <g class="gl-axes">
      ${across.ticks.map((/** @type {any} */ { at, text }) => html`<path d=${`M${at} ${bottom}v5`} /><text x=${at} y=${bottom + 20} text-anchor="middle">${text}</text>`)}
      ${up.ticks.map((/** @type {any} */ { at, text }) => html`<path class="gl-grid" d=${`M${left} ${at}H${right}`} /><text x=${left - 8} y=${at + 4.5} text-anchor="end">${text}</text>`)}
      <path d=${`M${left} ${bottom}H${right}`} />
      <text x=${right} y=${bottom + 36} text-anchor="end">x</text>
    </g>
    <path class="gl-curve" d=${`M${curve.join("L")}`} />`;
  const at = settings.x;
  /** A tangent, cut at the plot's edge. @param {number} slope @param {number} [value] @param {number} [where] */
  function tangent(slope, value = values.value, where = at) {
    const [[a, b], [c, d]] = [-REACH, REACH].map((by) => [x(where + by), y(value + slope * by)]);
    const shares = clip([a, b], [c, d], room) ?? [0, 0];
    return `M${shares.map((share) => `${r1(a + share * (c - a))} ${r1(b + share * (d - b))}`).join("L")}`;
  }
  const [start, foot] = [r1(x(at)), r1(y(values.value))];
  const [own, now] = [values.slope, values.reported].map((slope) => tangent(slope));
  const [goal, end] = [r1(x(values.goal)), r1(y(values.after))];
  const words = templateValues(drawing);
  const step = concealed(drawing, "moves") ? "?" : fill(labels.step.split("|")[values.moves], words);
  const landed = values.moves !== 2 && step !== "?" && goal >= left && goal <= right;
  const half = (LETTER * step.length) / 2;
  const { shaft, head } = arrow([start, bottom - 26], [goal, bottom - 26], "");
  const far = [x(at + side * REACH), y(values.value + side * values.reported * REACH)];
  const crossed = values.slope * values.reported < 0;
  const beside = crossed ? 0 : Math.sign(values.slope);
  /** @param {number} n @param {string} name @param {string} line @param {string} text */
  const entry = (n, name, line, text) => html`
    <g class=${shine(name)} ...${part(name)}><path class=${line} d=${`M${key[n][0]} ${key[n][1]}h26`} />
      <text x=${key[n][0] + 34} y=${key[n][1] + 4.7}>${fill(text, words)}</text></g>`;
  return html`
    <g class="gl-tangent">
    ${entry(0, "value", "gl-curve", labels.value)}
    ${entry(1, "slope", "gl-true", labels.true)}
    ${entry(2, "reported", "gl-reported", labels.reported)}
    ${memoizeDrawn(drawing, "ground", [values.ordinates], ground)}
    <path class=${`gl-true${shine("slope")}`} d=${own} ...${part("slope")} />
    ${ghost && html`<path class="gl-ghost" d=${tangent(ghost.reported, ghost.value, ghost.x)} />`}
    <path class=${`gl-reported${shine("reported")}`} d=${now} ...${part("reported")} />
    <path class="gl-drop" d=${`M${start} ${foot}V${bottom - 26}`} />
    <g class=${`gl-role-parameter${shine("reported")}`}>
      <path class="gl-shaft" d=${landed ? shaft : ""} /><path class="gl-tip" d=${landed ? head : ""} />
      <path class="gl-drop" d=${landed ? `M${goal} ${end}V${bottom - 32}` : ""} /><path class="gl-tip" d=${landed ? marker("", goal, end, 5) : ""} />
      <text class="gl-named" x=${r1(clamp(start, left + half, right - half))} y=${bottom - 7} text-anchor="middle">${step}</text>
    </g>
    <circle class=${`gl-point${shine("value")}`} ...${part("value")} cx=${start} cy=${foot} r="6" />
    <text class="gl-forward gl-symbolic" x=${start + 11 * beside} y=${foot + (crossed ? -13 : 19)} text-anchor=${["end", "middle", "start"][beside + 1]}>x</text>
    <text class="gl-slope gl-symbolic" x=${r1(far[0] + 12 * side)} y=${r1(clamp(far[1], room.top, bottom)) + 5} text-anchor=${side > 0 ? "start" : "end"}>s</text>
    </g>`;
}

/** The tangent's end tilts it; the point slides along the curve. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { values, settings } = drawing;
  const { across, up, x, y, side } = frame(drawing);
  const { value, slope, reported } = values;
  const [beyond, rise] = [settings.x + side * REACH, side * REACH * reported];
  const tilt = (/** @type {number} */ _, /** @type {number} */ py) =>
    (up.invert(py) - value) / (side * REACH * slope);
  /** @type {import("explorax/view").Handle} */
  const along = {
    control: "x",
    role: "state",
    x: x(settings.x),
    y: y(value),
    axis: "x",
    value: (px) => across.invert(px),
  };
  if (!(Math.abs(slope) > 1e-3)) return [along];
  return [along, { control: "scale", x: x(beyond), y: y(value + rise), axis: "y", value: tilt }];
}
