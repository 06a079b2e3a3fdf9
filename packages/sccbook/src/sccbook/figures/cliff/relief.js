// The loss as a relief, with both descents on it: where a step is long, it's a leap.

import {
  along,
  clip,
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
import { Ground, wallOf } from "./ground.js";

/** @typedef {import("./room.js").Relief} Relief */
/** @typedef {[number, number]} Spot */

const NEAR = 40; // pixels from the start within which a descent ends there
const LONG = 0.3; // a step that's no longer is straight
const RISE = 0.22; // of a leap, of its length

/** @param {any} drawing @param {Relief} relief @param {import("explorax/view").Handle[]} hands */
export function Landscape(drawing, relief, hands) {
  const { spec, description, layout, values, ghost } = drawing;
  const { labels } = description;
  const { left, right, top, bottom } = relief;
  const same = !(values.shortened > 0);
  const trails = [
    same ? [] : trailOf(drawing, relief, "plain", "ink", labels.plain),
    trailOf(drawing, relief, "clipped", "cotangent", same ? labels.both : labels.clipped),
  ].flat();
  const [{ x, y }] = hands;
  const start = { text: labels.start, x, y, towards: [-1, -0.8], gap: 11, class: "gl-named gl-role-state" };
  const words = [...trails.map(({ label }) => label), start];
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  const { edge, foot } = memoizeDrawn(drawing, "wall", [layout], () => wallOf(spec, relief));
  const taken = [
    ...knobs(hands),
    ...trails.flatMap(({ boxes }) => boxes),
    ...along(edge, bounds),
    ...along(foot, bounds),
  ];
  const before = ghost && ["plain", "clipped"].map((name) => line(course(ghost, name, relief))).join("");
  return html`
    ${memoizeDrawn(drawing, "ground", [layout], () => Ground(drawing, relief))}
    ${before && html`<path class="gl-ghost" clip-path=${`url(#${drawing.id}-relief)`} d=${before} />`}
    ${trails.map(({ shape }) => shape)}
    <path class="gl-spot gl-role-state" d=${marker("state", x, y, 5)} />
    ${Labels(placeLabels(/** @type {any} */ (words), bounds, typeOf(drawing), taken))}`;
}

/** Each place of a descent, and the way to it from the one before. @param {any} values @param {string} name @param {Relief} relief @returns {{spot: Spot, way: Spot[], size: number}[]} */
function course(values, name, { place }) {
  const [places, losses] = [values[name], values[`${name}_losses`]];
  /** @type {any[]} */
  const found = [];
  for (let n = 0; n < losses.length; n++) {
    const [w, b] = [places[2 * n], places[2 * n + 1]];
    const spot = place(w, b, losses[n]).map((px) => Math.min(1e4, Math.max(-1e4, px)));
    const last = found.at(-1);
    const size = last ? Math.hypot(w - last.w, b - last.b) : 0;
    found.push({ w, b, spot, size, way: last ? leap(last.spot, spot, size) : [spot] });
  }
  return found;
}

/** The points of a step: straight where it is short, and else through the air. @param {number[]} from @param {number[]} to @param {number} size */
function leap(from, to, size) {
  const parts = size > LONG ? 16 : 1;
  const high = size > LONG ? RISE * Math.min(900, Math.hypot(to[0] - from[0], to[1] - from[1])) : 0;
  return Array.from({ length: parts }, (_, i) => {
    const t = (i + 1) / parts;
    return [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]) - 4 * high * t * (1 - t)];
  });
}

const line = (/** @type {{way: Spot[]}[]} */ steps) =>
  `M${steps.flatMap(({ way }) => way.map(([px, py]) => `${r1(px)} ${r1(py)}`)).join("L")}`;

/**
 * A descent: its path and beads, the words at its end or where it leaves, and the room that it takes.
 * @param {any} drawing @param {Relief} relief @param {string} name @param {string} role @param {string} called
 */
function trailOf(drawing, relief, name, role, called) {
  const { left, right, top, bottom } = relief;
  const steps = course(drawing.values, name, relief);
  const outside = (/** @type {number[]} */ [px, py]) => px < left || px > right || py < top || py > bottom;
  const gone = steps.findIndex(({ spot }) => outside(spot));
  const within = gone < 0 ? steps : steps.slice(0, gone);
  const label = { text: called, class: `gl-named gl-role-${role}`, part: part(name), gap: 8, slides: true };
  const away = (/** @type {number[]} */ [px, py]) => Math.hypot(px - steps[0].spot[0], py - steps[0].spot[1]);
  const last = within.at(-1) ?? steps[0];
  // one that comes back to its start is named where it turns
  const turn = within.reduce((a, b) => (away(b.spot) > away(a.spot) ? b : a), steps[0]);
  let [end, before] =
    away(last.spot) < NEAR ? [turn.spot, steps[0].spot] : [last.spot, within.at(-2)?.spot ?? last.spot];
  /** @type {Spot[]} as far as it is seen */
  const seen = within.flatMap(({ way }) => way);
  if (gone > 0) {
    const way = [last.spot, ...steps[gone].way];
    const out = way.findIndex(outside);
    const share = clip(way[out - 1], way[out], { left, right, top, bottom })?.[1] ?? 0;
    before = way[out - 1];
    end = /** @type {Spot} */ (before.map((px, i) => px + (way[out][i] - px) * share));
    seen.push(...way.slice(1, out), end);
    label.text = `${called}: ${fill(drawing.description.labels.gone, { n: String(gone) })}`;
  }
  const beads = within
    .slice(1)
    .map(({ spot: [px, py], size }) => marker("", px, py, r1(Math.min(4, Math.max(1, 20 * size)))));
  const d = line(steps.slice(0, gone < 0 ? steps.length : gone + 1));
  return {
    shape: html`
      <g class=${`gl-trail gl-thrown gl-role-${role}${emphasis(drawing, name)}`} ...${label.part} clip-path=${`url(#${drawing.id}-relief)`}>
        <path class="gl-halo-line" d=${d} pathLength="1" /><path class="gl-line" d=${d} pathLength="1" />
        <path class="gl-beads" d=${beads.join("")} />
      </g>`,
    label: {
      ...label,
      x: end[0],
      y: end[1],
      towards: gone > 0 ? [end[0] < last.spot[0] ? -1 : 1, 0.4] : [end[0] - before[0], end[1] - before[1]],
    },
    boxes: along(seen, { left, right, top, bottom }),
  };
}
