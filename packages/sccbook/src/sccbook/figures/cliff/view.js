// A wall in a loss, as a relief, and two descents over it: a long step is a leap.
//
// It draws arrays: `plain` and `clipped` [n, 2] with `plain_losses` and `clipped_losses` [n], and `norm`; the lines of the
// ground stand in the spec.

import {
  along,
  clamp,
  clipOf,
  emphasis,
  fill,
  html,
  knobs,
  Labels,
  marker,
  memoizeDrawn,
  part,
  placeLabels,
  r1,
  typeOf,
} from "explorax/view";
import { Ground, nameOf, path, wallOf } from "./ground.js";
import { roomOf } from "./room.js";

export const kind = "wall";

export { layouts } from "./room.js";

/** @typedef {import("explorax/view").Drawing} Drawing */
/** @typedef {import("explorax/view").Handle} Handle */
/** @typedef {import("./room.js").Relief} Relief */

const LONG = 0.3; // a step that's no longer is straight
const RISE = 0.22; // of a leap, of its length

const outside = (
  /** @type {Relief} */ { left, right, top, bottom },
  /** @type {{x: number, y: number}} */ { x, y },
) => x < left || x > right || y < top || y > bottom;

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { spec, layout, values, settings, ghost, description, id } = drawing;
  const relief = roomOf(drawing);
  const { left, right, top, bottom } = relief;
  const same = !(values.shortened > 0);
  const trails = [
    { name: "plain", role: "ink", text: description.labels.plain },
    { name: "clipped", role: "cotangent", text: description.labels[same ? "both" : "clipped"] },
  ];
  const drawn = trails.slice(Number(same)).map((trail) => {
    const { spots, way } = course(values, trail.name, relief);
    const gone = way.findIndex(([x, y]) => outside(relief, { x, y }));
    return { ...trail, spots, way, seen: gone < 0 ? way : way.slice(0, Math.max(gone, 1)) };
  });
  const hands = handles(drawing);
  const { x, y } = hands[hands.length - 1];
  const words = drawn.map(({ name, role, text, seen, way, spots }) => {
    const leaves = seen.length < way.length;
    const [last, from] = [seen.at(-1) ?? [x, y], seen.at(-2) ?? [x, y]];
    const lowest = spots.toSorted((a, b) => b[1] - a[1]);
    const near = name === "plain" ? [spots[values.told]] : lowest;
    const first = near.find(([px, py]) => !outside(relief, { x: px, y: py }));
    const end = first ?? last; // the plain one's number is this step's
    const aside = name === "plain" ? [1, -0.5] : [-0.3, 1]; // a clipped one's name is under its lowest place
    const towards = first ? aside : leaves ? [-1, 0.3] : [end[0] - from[0] || 1, end[1] - from[1]];
    const label = { class: `gl-named gl-role-${role}`, part: part(name), gap: 8, slides: true };
    return { ...label, text: fill(text, { ...settings, ...values }), x: end[0], y: end[1], towards };
  });
  const start = {
    text: description.labels.start,
    x,
    y,
    towards: [-1, -0.8],
    gap: 11,
    class: "gl-named gl-role-state",
  };
  const low = {
    text: description.labels.low,
    x: right - 44,
    y: bottom - 44,
    towards: [0, 1],
    gap: 0,
    class: "gl-muted",
  };
  const high = { ...low, text: description.labels.high, x: relief.x.at(5.4), y: top + 22 };
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  const wall = memoizeDrawn(drawing, "wall", [layout], () => wallOf(spec, relief));
  const before = memoizeDrawn(drawing, "before", [layout, ghost], () =>
    ghost ? trails.map(({ name }) => course(ghost, name, relief).way) : [],
  );
  const taken = [
    ...knobs(hands),
    ...[...wall, ...before, ...drawn.map(({ seen }) => seen)].flatMap((each) => along(each, bounds)),
  ];
  taken.push(nameOf(wall));
  const clipped = (/** @type {[number, number][]} */ way) => clipOf(way.flat(), relief, `${id}-relief`);
  return html`
    ${memoizeDrawn(drawing, "ground", [layout], () => Ground(drawing, relief))}
    ${ghost && html`<path class="gl-ghost" clip-path=${`url(#${id}-relief)`} d=${before.map(path).join("")} />`}
    ${drawn.toReversed().map(
      ({ name, role, spots, way }) => html`
      <g class=${`gl-trail gl-thrown gl-role-${role}${emphasis(drawing, name)}`} ...${part(name)} clip-path=${clipped(way)}>
        <path class="gl-halo-line" d=${path(way)} pathLength="1" /><path class="gl-line" d=${path(way)} pathLength="1" />
        <path class="gl-beads" d=${spots.map(([px, py, size]) => marker("", px, py, r1(clamp(20 * size, 1, 4)))).join("")} />
      </g>`,
    )}
    <path class="gl-spot gl-role-state" d=${marker("state", x, y, 5)} />
    ${Labels(placeLabels(/** @type {any} */ ([start, ...words, low, high]), bounds, typeOf(drawing), taken))}`;
}

/** The places of a descent, each with how long the step there was, and the points of its way. @param {any} values @param {string} name @param {Relief} relief */
function course(values, name, { place }) {
  const [places, losses] = [values[name], values[`${name}_losses`]];
  /** @type {number[][]} */
  const spots = Array.from(losses, (/** @type {number} */ loss, /** @type {number} */ n) => {
    const [w, b, u = w, v = b] = [places[2 * n], places[2 * n + 1], places[2 * n - 2], places[2 * n - 1]];
    return [...place(w, b, loss).map((px) => clamp(px, -1e4, 1e4)), Math.hypot(w - u, b - v)];
  });
  return { spots, way: spots.flatMap((to, n) => leap(spots[n - 1] ?? to, to)) };
}

/** The points of a step: straight where it is short, and else through the air. @param {number[]} from @param {number[]} to @returns {[number, number][]} */
function leap([x, y], [px, py, size]) {
  const parts = size > LONG ? 16 : 1;
  const high = size > LONG ? RISE * Math.min(900, Math.hypot(px - x, py - y)) : 0;
  return Array.from({ length: parts }, (_, i) => {
    const t = (i + 1) / parts;
    return [x + t * (px - x), y + t * (py - y) - 4 * high * t * (1 - t)];
  });
}

const CATCH = 3; // pixels beyond the wall's edge and its foot within which the hand has the edge

/** Where the first steps land, the plain one sets the rate, the clipped one the limit; on top of them the start. @param {Drawing} drawing @returns {Handle[]} */
export function handles(drawing) {
  const { spec, settings, values } = drawing;
  const box = roomOf(drawing);
  const { x, y, place, ground, find } = box;
  const { start, eta } = settings;
  /** Where the hand is; on the face of the wall and close to it, at the edge of the high side. @param {number} px @param {number} py @returns {[number, number, boolean]} */
  const under = (px, py) => {
    const w = clamp(Math.round(100 * x.invert(px)) / 100, x.low, x.high);
    const wall = spec.wall[0] + spec.wall[1] * w;
    if (py < ground(w, wall, -1)[1] - CATCH) return [w, find(w, py, -1), false];
    if (py > ground(w, wall, 1)[1] + CATCH) return [w, find(w, py, 1), false];
    return [w, clamp(Number((wall - edgeOf(spec.edge, w)).toFixed(9)), y.low, y.high), true];
  };
  const length = (/** @type {number} */ px, /** @type {number} */ py) => {
    const [w, b] = under(px, py);
    return Math.hypot(w - start[0], b - start[1]);
  };
  /** @param {string} control @param {string} name @param {number} n @param {string} role @param {(px: number, py: number) => any} value */
  const at = (control, name, n, role, value) => {
    const [left, level] = place(values[name][2 * n], values[name][2 * n + 1], values[`${name}_losses`][n]);
    return { control, x: left, y: level, axis: /** @type {const} */ ("both"), role, value };
  };
  const stands = (/** @type {number} */ px, /** @type {number} */ py) => {
    const [w, b, exact] = under(px, py);
    return [w, exact ? b : Math.round(100 * b) / 100];
  };
  const from = { ...at("start", "plain", 0, "state", stands), exact: true };
  const rate = at("eta", "plain", 1, "ink", (px, py) => length(px, py) / values.norm);
  const limit = at("c", "clipped", 1, "cotangent", (px, py) => length(px, py) / eta);
  /** Whether a knob is in sight: two in one place hide each other. @param {Handle} hand @param {Handle[]} others */
  const clear = (hand, ...others) =>
    !outside(box, hand) && others.every((other) => Math.hypot(hand.x - other.x, hand.y - other.y) > 18);
  return [...(clear(rate, limit, from) ? [rate] : []), ...(clear(limit, from) ? [limit] : []), from];
}

/** How far beneath the wall its edge is, between two places by a factor. @param {[number, number][]} edge each a w and the depth there @param {number} w */
function edgeOf(edge, w) {
  const i = clamp(
    edge.findLastIndex(([at]) => at <= w),
    0,
    edge.length - 2,
  );
  const [[from, depth], [to, last]] = edge.slice(i);
  return depth * (last / depth) ** ((w - from) / (to - from));
}
