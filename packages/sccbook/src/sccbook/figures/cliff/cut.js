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
  const { id, description, concealed } = drawing;
  const { labels } = description;
  const { left, right, top, bottom } = space;
  const told = !concealed.has("height");
  const foot = html`<text class="gl-muted" x=${right} y=${bottom + 34} text-anchor="end">${labels.distance}</text>`;
  return html`
    <defs><clipPath id=${`${id}-cut`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    ${Axes(drawing, space, { x: "", y: "", grid: "y" })}
    <text class="gl-muted" x=${left - 26} y=${top - 10}>${labels.cut}</text>
    ${foot}
    ${told ? Line(drawing, space, hands) : html`${Slope(drawing, space)}<text class="gl-muted" x=${right - 6} y=${top + 20} text-anchor="end">${labels.waiting}</text>`}`;
}

/** How far the slope is drawn. @param {number} here the loss at the start @param {number} norm @param {Space} space */
const reach = (here, norm, { bottom, x, y }) =>
  Math.min(x.high, (here > 0.2 ? here - y.invert(bottom - LOW) : here) / norm);

/** The loss at the start, and the line of its slope: what a gradient says. @param {any} drawing @param {Space} space */
function Slope({ id, values }, space) {
  const { x, y } = space;
  const [here, norm] = values.tangent;
  const down = reach(here, norm, space);
  const spot = (/** @type {number} */ d) => `${r1(x.at(d))} ${r1(y.at(here - d * norm))}`;
  return html`
    <path class="gl-slopeline" clip-path=${`url(#${id}-cut)`} d=${`M${spot(x.low)}L${spot(down)}`} />
    <path class="gl-spot gl-role-state" d=${marker("state", x.at(0), y.at(here), 5)} />`;
}

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
  const { along, height, crossing, levels, norm, stride, stride_clipped: shorter } = values;
  const all = { ...settings, ...values };
  const spot = (/** @type {number} */ d, /** @type {number} */ loss) =>
    `${r1(clamp(x.at(d), -1e5, 1e5))} ${r1(y.at(loss))}`;
  const curve = Array.from(along, (/** @type {number} */ d, /** @type {number} */ i) => spot(d, height[i]));
  const [here, plain, clipped] = levels;
  const down = reach(here, norm, space);
  const steps = [
    { name: "first", label: "plain", role: "ink", at: stride, loss: plain },
    { name: "first_clipped", label: "clipped", role: "cotangent", at: shorter, loss: clipped },
  ];
  const same = stride === shorter;
  const shown = steps.slice(Number(same)).map((step) => ({ ...step, beyond: step.at > x.high }));
  const on = (/** @type {number} */ d, /** @type {number} */ loss) => ({ x: x.at(d), y: y.at(loss) });
  const lean = Math.min(0.55, down * 0.8);
  const slope = on(1, here - norm);
  const across = [slope.y - y.at(here), x.at(0) - slope.x]; // across the line, away from the curve
  const words = [
    ...shown.map(({ name, label, role, at, loss, beyond }) => ({
      ...on(Math.min(at, x.high), loss),
      text: `${same ? labels.both : labels[label]}${beyond ? `: ${fill(labels.far, { longest: at })}` : ""}`,
      towards: name === "first" ? [at > 1 ? -0.4 : 1, -1] : [1, 0.5],
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
  const near = [...boxesAlong(path, space), ...boxesAlong(straight, space)];
  const upright = nameAt(crossing, space);
  const taken = [...knobs(hands), ...near, ...(upright ? boxesAlong(upright, space) : [])];
  const bounds = { left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 };
  return html`
    <g class="gl-role-loss" clip-path=${`url(#${id}-cut)`}>
      <path class="gl-underline" d=${`M${curve.join("L")}V${bottom}H${curve[0].split(" ")[0]}Z`} />
      <path class="gl-line" d=${`M${curve.join("L")}`} />
    </g>
    ${Slope(drawing, space)}
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
