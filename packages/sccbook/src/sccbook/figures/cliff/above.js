// The loss from above, with both descents on it.

import {
  Axes,
  along,
  boxOf,
  clamp,
  clip,
  emphasis,
  fill,
  GuessedPlace,
  guessLabels,
  guessRoom,
  html,
  knobs,
  Labels,
  marker,
  meet,
  memoizeDrawn,
  pairs,
  part,
  placeLabels,
  r1,
  typeOf,
} from "explorax/view";
import { Ground, levels, nameOf, wallOf } from "./ground.js";

/** @typedef {import("./room.js").Space} Space */

const NEAR = 40; // pixels from the start within which a descent ends there

/** @param {any} drawing @param {Space} space @param {import("explorax/view").Handle[]} hands */
export function Above(drawing, space, hands) {
  const { spec, description, concealed, layout, values, settings } = drawing;
  const { labels } = description;
  const { left, right, top, bottom } = space;
  const told = !concealed.has("plain");
  const same = told && !(values.shortened > 0);
  const trails = told
    ? [
        same ? null : trailOf(drawing, space, "plain", "ink", labels.plain),
        trailOf(drawing, space, "clipped", "cotangent", same ? labels.both : labels.clipped),
      ].filter((trail) => trail !== null)
    : [];
  const [x, y] = [space.x.at(settings.start[0]), space.y.at(settings.start[1])];
  const start = { text: labels.start, x, y, towards: [-1, 0.6], gap: 11, class: "gl-named gl-role-state" };
  const words = [...guessLabels(drawing, space), ...trails.map(({ label }) => label), start];
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  const wall = along(wallOf(spec, space), bounds);
  const drawn = [...knobs(hands), ...trails.flatMap(({ boxes }) => boxes), ...guessRoom(drawing, space)];
  const type = typeOf(drawing);
  const taken = [...drawn, ...wall, ...along(nameOf(spec, space), bounds)];
  const placed = placeLabels(/** @type {any} */ (words), bounds, type, taken);
  const covers = [...drawn, ...placed.map((label) => boxOf(label, type))]; // a level goes without its number
  const written = levels({ spec, labels }, space).filter(
    ({ box }) => !covers.some((other) => meet(box, other)),
  );
  return html`
    ${memoizeDrawn(drawing, "ground", [layout], () => Ground(drawing, space))}
    ${Axes(drawing, space, { x: "", y: "", grid: "none" })}
    ${written.map(({ box, text }) => html`<text class="gl-muted" x=${box.left + 4} y=${box.bottom - 5}>${text}</text>`)}
    ${trails.map(({ shape }) => shape)}
    <path class="gl-spot gl-role-state" d=${marker("state", x, y, 5)} />
    ${GuessedPlace(drawing, space)}
    ${Labels(placed)}`;
}

/** The radius of a bead at the end of a step: small where the step is short. @param {number[]} step */
const beadOf = ([dx, dy]) => r1(clamp(Math.hypot(dx, dy) / 4, 0.8, 3));

/**
 * A descent: its path and beads, the words at its end or where it leaves, and the room that it takes.
 * @param {any} drawing @param {Space} space @param {string} name @param {string} role @param {string} called
 */
function trailOf(drawing, { x, y, left, right, top, bottom }, name, role, called) {
  /** @type {any} */
  const places = pairs(drawing, name);
  const far = (/** @type {number} */ px) => r1(clamp(px, -1e5, 1e5));
  /** @type {[number, number][]} */
  const spots = places.map((/** @type {[number, number]} */ [a, b]) => [far(x.at(a)), far(y.at(b))]);
  const outside = (/** @type {number[]} */ [px, py]) => px < left || px > right || py < top || py > bottom;
  const gone = spots.findIndex(outside);
  const within = gone < 0 ? spots : spots.slice(0, gone);
  const label = { text: called, class: `gl-named gl-role-${role}`, part: part(name), gap: 8, slides: true };
  const path = `M${spots.map((spot) => spot.join(" ")).join("L")}`;
  const away = (/** @type {number[]} */ [px, py]) => Math.hypot(px - spots[0][0], py - spots[0][1]);
  // one that comes back to its start is named where it turns
  const turn =
    away(within.at(-1) ?? spots[0]) < NEAR
      ? within.reduce((a, b) => (away(b) > away(a) ? b : a), spots[0])
      : null;
  const [before, last] = turn ? [spots[0], turn] : [within.at(-2) ?? within[0], within.at(-1) ?? spots[0]];
  let [end, towards] = [last, [last[0] - before?.[0], last[1] - before?.[1]]];
  if (gone > 0) {
    const share = clip(last, spots[gone], { left, right, top, bottom })?.[1] ?? 0;
    end = [last[0] + (spots[gone][0] - last[0]) * share, last[1] + (spots[gone][1] - last[1]) * share];
    towards = [end[0] < last[0] ? -1 : 1, role === "ink" ? 0.4 : 1]; // apart, where both leave
    label.text = `${called}: ${fill(drawing.description.labels.gone, { n: String(gone) })}`;
  }
  /** @type {any[]} as far as it is seen */
  const course = [...within, end];
  return {
    shape: html`
      <g class=${`gl-trail gl-thrown gl-role-${role}${emphasis(drawing, name)}`} ...${label.part} clip-path=${`url(#${drawing.id}-plane)`}>
        <path class="gl-halo-line" d=${path} pathLength="1" /><path class="gl-line" d=${path} pathLength="1" />
        <path class="gl-beads" d=${within
          .slice(1)
          .map(([px, py], i) => marker("", px, py, beadOf([px - within[i][0], py - within[i][1]])))
          .join("")} />
      </g>`,
    label: { ...label, x: end[0], y: end[1], towards },
    boxes: along(course, { left, right, top, bottom }),
  };
}
