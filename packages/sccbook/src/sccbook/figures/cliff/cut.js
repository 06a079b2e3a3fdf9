// The loss along the first step's line: its curve, the slope at the start, and where both steps land.

import {
  Axes,
  along as boxesAlong,
  clamp,
  emphasis,
  fill,
  html,
  knobs,
  Labels,
  marker,
  part,
  placeLabels,
  r1,
  typeOf,
} from "explorax/view";

/** @typedef {import("./room.js").Space} Space */

const LOW = 56; // pixels from the foot at which the line of the slope ends where it starts high, above what is written at the steps

/** @param {any} drawing @param {Space} space @param {import("explorax/view").Handle[]} hands */
export function Cut(drawing, space, hands) {
  const { id, description } = drawing;
  const { labels } = description;
  const { left, right, top, bottom } = space;
  return html`
    <defs><clipPath id=${`${id}-cut`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, space, { x: "", y: "", grid: "y" })}
    <text class="gl-muted" x=${left - 26} y=${top - 12}>${labels.cut}</text>
    <text class="gl-muted" x=${right} y=${bottom + 36} text-anchor="end">${labels.distance}</text>
    ${Line(drawing, space, hands)}`;
}

/** How far the slope is drawn. @param {number} here the loss at the start @param {number} norm @param {Space} space */
const reach = (here, norm, { bottom, x, y }) =>
  Math.min(x.high, (here > 0.2 ? here - y.invert(bottom - LOW) : here) / norm);

/** The loss at the start, and the line of its slope: what a gradient says. @param {any} drawing @param {Space} space */
function Slope({ id, values }, space) {
  const { x, y } = space;
  const { norm } = values;
  const [here] = levels(values);
  const down = reach(here, norm, space);
  const spot = (/** @type {number} */ d) => `${r1(x.at(d))} ${r1(y.at(here - d * norm))}`;
  return html`
    <path class="gl-slopeline" clip-path=${`url(#${id}-cut)`} d=${`M${spot(x.low)}L${spot(down)}`} />
    <path class="gl-spot gl-role-state" d=${marker("state", x.at(0), y.at(here), 5)} />`;
}

/** The losses at the start, and after the first step, plain and clipped. @param {any} values */
export const levels = ({ plain_losses: [here, plain], clipped_losses: [, clipped] }) => [
  here,
  plain,
  clipped,
];

const RISE = 0.3; // of a step through the air, of how far it goes

/** A step, through the air, as far as the plot is high. @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {number} top @returns {[number, number][]} */
const leap = (from, to, top) =>
  Array.from({ length: 21 }, (_, i) => {
    const [t, high] = [i / 20, Math.min(RISE * (to.x - from.x), from.y - top)];
    return [from.x + t * (to.x - from.x), from.y + t * (to.y - from.y) - 4 * high * t * (1 - t)];
  });

/** The middle line of the wall's name, along the wall, and before it where there is room; none where the cut has no wall. @param {number} crossing @param {Space} space @returns {[number, number][] | null} */
function nameAt(crossing, { left, x, y }) {
  if (!(crossing > x.low && crossing < x.high)) return null;
  const px = x.at(crossing) + (x.at(crossing) - left > 16 ? -9 : 9);
  const middle = y.at(0.16);
  return [
    [px, middle - 28],
    [px, middle + 28],
  ];
}

/** The curve and what stands on it. @param {any} drawing @param {Space} space @param {import("explorax/view").Handle[]} hands */
function Line(drawing, space, hands) {
  const { left, right, top, bottom, x, y } = space;
  const { id, values, settings, description } = drawing;
  const { labels } = description;
  const { along, height, crossing, norm, stride, stride_clipped: shorter } = values;
  const all = { ...settings, ...values };
  const spot = (/** @type {number} */ d, /** @type {number} */ loss) =>
    `${r1(clamp(x.at(d), -1e5, 1e5))} ${r1(y.at(loss))}`;
  const curve = Array.from(along, (/** @type {number} */ d, /** @type {number} */ i) => spot(d, height[i]));
  const [here, plain, clipped] = levels(values);
  const down = reach(here, norm, space);
  const steps = [
    { name: "first", label: labels.first, role: "ink", at: stride, loss: plain },
    { name: "first_clipped", label: labels.first_clipped, role: "cotangent", at: shorter, loss: clipped },
  ];
  const same = stride === shorter;
  const shown = steps
    .slice(Number(same))
    .filter(({ at }) => Number.isFinite(at)) // masked while a question hides it
    .map((step) => ({ ...step, beyond: step.at > x.high }));
  const on = (/** @type {number} */ d, /** @type {number} */ loss) => ({ x: x.at(d), y: y.at(loss) });
  const lean = Math.min(0.55, down * 0.8);
  const slope = on(1, here - norm);
  const across = [slope.y - y.at(here), x.at(0) - slope.x]; // across the line, away from the curve
  const words = [
    ...shown.map(({ name, label, role, at, loss }) => ({
      ...on(Math.min(at, x.high), loss),
      text: fill(same ? labels.first_both : label, all),
      towards: name === "first" ? [at > 1 ? -0.4 : 1, 0.6] : [1, 0.5],
      gap: 10,
      class: `gl-named gl-role-${role}`,
      part: part(name),
    })),
    {
      ...on(lean, here - lean * norm),
      text: fill(labels.slope, all),
      towards: across,
      gap: 9,
      class: "gl-muted",
    },
  ];
  const path = Array.from(
    along,
    (/** @type {number} */ d, /** @type {number} */ i) =>
      /** @type {[number, number]} */ ([x.at(d), y.at(height[i])]),
  );
  /** @type {[number, number][]} */
  const straight = [
    [x.at(0), y.at(here)],
    [x.at(down), y.at(here - down * norm)],
  ];
  const leaps = shown.map(({ at, loss }) => leap(on(0, here), on(Math.min(at, x.high), loss), top));
  const near = [path, straight, ...leaps].flatMap((course) => boxesAlong(course, space));
  const upright = nameAt(crossing, space);
  const taken = [...knobs(hands), ...near, ...(upright ? boxesAlong(upright, space) : [])];
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  return html`
    <g class="gl-role-loss" clip-path=${`url(#${id}-cut)`}>
      <path class="gl-underline" d=${`M${curve.join("L")}V${bottom}H${curve[0].split(" ")[0]}Z`} />
      <path class="gl-line" d=${`M${curve.join("L")}`} />
    </g>
    ${Slope(drawing, space)}
    ${leaps.map((course, i) => html`<path class=${`gl-leap gl-role-${shown[i].role}`} d=${`M${course.map(([px, py]) => `${r1(px)} ${r1(py)}`).join("L")}`} />`)}
    ${upright && html`<text class="gl-named gl-role-loss" text-anchor="middle" transform=${`translate(${r1(upright[0][0] + 4)} ${r1((upright[0][1] + upright[1][1]) / 2)}) rotate(-90)`}>${labels.wall}</text>`}
    ${shown.map(
      ({
        name,
        role,
        at,
        loss,
        beyond,
      }) => html`<path class=${`${beyond ? "gl-shaft" : "gl-spot"} gl-role-${role}${emphasis(drawing, name)}`} ...${part(name)}
      d=${beyond ? `M${right - 12} ${r1(y.at(loss))}h10m-4 -4l4 4l-4 4` : marker(role, x.at(at), y.at(loss), 5)} />`,
    )}
    ${Labels(placeLabels(/** @type {any} */ (words), bounds, typeOf(drawing), taken))}`;
}
