// A curve, a point on it, its tangent and the tangent that is reported.
//
// It draws arrays: `abscissae`, `ordinates`, and the scalars `value`, `slope`, `reported`.

import { arrow, clamp, clipOf, emphasis, fill, html, numbersOf, r1, scaleOf } from "explorax/view";

export const kind = "tangent";

/** @typedef {import("explorax/view").Drawing} Drawing */

const LAYOUTS = {
  wide: { width: 688, height: 340, left: 44, right: 668, top: 16, bottom: 300, turns: 0.45 },
  narrow: { width: 320, height: 330, left: 34, right: 312, top: 16, bottom: 292, turns: 0.3 },
};
/** Two rooms, whatever is drawn. */
export const layouts = () => LAYOUTS;

/** @type {[number, number]} */
const ORDINATES = [-0.9, 2.9];
const LETTER = 8; // at most, of a label that has to stay in the picture
const REACH = 1; // of the tangent to each side, so that it rises by its slope
const RATE = 0.5; // of the step that is drawn

/** The room of a layout with its scales, and to which side of the point the tangent is taken. @param {Pick<Drawing, "values" | "layout" | "settings">} drawing */
function frame({ values, layout, settings }) {
  const room = layout === "wide" ? LAYOUTS.wide : LAYOUTS.narrow;
  const across = scaleOf([values.abscissae[0], values.abscissae.at(-1)], room.left, room.right);
  const up = scaleOf(ORDINATES, room.bottom, room.top, 4);
  return { ...room, across, up, x: across.at, y: up.at, side: settings.x > room.turns ? -1 : 1 };
}

/**
 * The level at which a text runs into no curve: the one that is wanted, or the nearest of those above and below.
 * @param {[number, number][]} curve @param {number} from @param {number} to @param {number} wanted
 */
function clearOf(curve, from, to, wanted) {
  const near = curve.filter(([x]) => x > from - 5 && x < to + 5);
  const free = (/** @type {number} */ level) => near.every(([, y]) => Math.abs(y - level + 4.7) > 13);
  return [0, 6, -6, 12, -12, 18, -18, 26, -26, 36, -36].map((by) => wanted + by).find(free) ?? wanted;
}

/** @param {Drawing} drawing */
export function draw(drawing) {
  const { values, settings, ghost, description, id, concealed } = drawing;
  const { labels } = description;
  const { across, up, x, y, left, right, top, bottom, width, side } = frame(drawing);
  const told = !concealed.has("reported");
  const shine = (/** @type {string} */ part) => emphasis(drawing, part);
  /** @type {[number, number][]} */
  const curve = Array.from(values.abscissae, (/** @type {number} */ a, /** @type {number} */ i) => [
    r1(x(a)),
    r1(y(values.ordinates[i])),
  ]);
  const at = settings.x;
  /** @param {number} slope @param {number} [value] @param {number} [where] */
  const tangent = (slope, value = values.value, where = at) =>
    `M${x(where - REACH)} ${y(value - slope * REACH)}L${x(where + REACH)} ${y(value + slope * REACH)}`;
  /** A line that is cut at the plot's edge, and wide enough to be touched. @param {string} d @param {Record<string, string>} named */
  const cut = (d, named, touched = true) => html`
    <g clip-path=${clipOf(numbersOf(d), { left, right, top, bottom }, `${id}-plot`)}>
      ${touched && html`<path ...${named} class="gl-touch" d=${d} />`}
      <path ...${named} d=${d} />
    </g>`;
  const slope = fill(drawing.layout === "wide" ? labels.slope : labels.rise, values);
  const end = [x(at + side * REACH), y(values.value + side * values.reported * REACH)];
  const own = y(values.value + side * values.slope * REACH);
  const named = fill(drawing.layout === "wide" ? labels.true : labels.own, values);
  const foot = y(values.value);
  const level = foot + (end[1] - foot) / 8; // of the label: low, off the curve
  const apart = told && Math.abs(own - end[1]) > 34 && Math.abs(own - level) > 20; // else the slope's own label has its place
  const long = LETTER * named.length;
  const roomy = side > 0 ? end[0] + 8 + long < width : end[0] - 8 > long; // to write it at the line's end, not above
  const outward = roomy ? side : -side;
  const starts = end[0] + outward * 8;
  const there = roomy ? 4.7 : own < end[1] ? -4 : 14;
  const really = clearOf(
    curve,
    Math.min(starts, starts + outward * long),
    Math.max(starts, starts + outward * long),
    own + there,
  );
  const rest = values.reported * values.slope > 0 ? end[1] : foot; // from where the curve's own rise goes on
  // of the point, where neither curve nor tangent runs, nor the triangle
  const crossed = told && values.slope * values.reported < 0;
  const beside = crossed ? 0 : -side;
  const anchor = crossed ? "middle" : beside > 0 ? "start" : "end";
  const [before, after] = { start: [0, 36], middle: [18, 18], end: [36, 0] }[anchor];
  const lies = clamp(x(at) + beside * 12, left + before, right - after);
  const sits = clearOf(
    curve,
    lies - before,
    lies + after,
    foot + (crossed ? 28 : values.slope * beside > 0 ? 20 : -10),
  );
  const wide = LETTER * slope.length;
  const stands = side > 0 ? Math.min(end[0] + 12, width - wide) : end[0] - 12;
  const says = clearOf(
    curve,
    side > 0 ? stands : stands - wide,
    side > 0 ? stands + wide : stands,
    level + 4.7,
  );
  const middle = (x(at) + end[0]) / 2;
  const course = (/** @type {number} */ slope) =>
    /** @type {[number, number]} */ ([middle, y(values.value + (side * slope * REACH) / 2)]);
  const lines = [...curve, course(values.slope), course(values.reported), course(0)];
  const under = values.reported * side < 0 ? -9 : 18; // outside the triangle
  const [start, goal] = [x(at), clamp(x(at - RATE * values.reported), left, right)];
  const { shaft, head } = arrow([start, bottom - 9], [goal, bottom - 9], "");
  const back = goal < start ? 1 : -1;
  const room = back > 0 ? width - start : start; // for the label behind the arrow, or else ahead of it
  const [near, away] = room > LETTER * labels.step.length ? [start, back] : [goal, -back];
  return html`
    <g class="gl-tangent">
    <defs><clipPath id=${`${id}-plot`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <g class="gl-axes">
      ${across.ticks.map(({ at, text }) => html`<path d=${`M${at} ${bottom}v5`} /><text x=${at} y=${bottom + 20} text-anchor="middle">${text}</text>`)}
      ${up.ticks.map(({ at, text }) => html`<path class="gl-grid" d=${`M${left} ${at}H${right}`} /><text x=${left - 8} y=${at + 4.5} text-anchor="end">${text}</text>`)}
      <path d=${`M${left} ${bottom}H${right}`} />
      <text x=${right} y=${bottom + 36} text-anchor="end">x</text>
    </g>
    <path class="gl-curve" d=${`M${curve.map((place) => place.join(" ")).join("L")}`} clip-path=${`url(#${id}-plot)`} />
    ${
      told &&
      html`<path class=${`gl-rise${shine("reported")}`} data-part="reported" d=${`M${r1(x(at))} ${r1(foot)}H${r1(end[0])}V${r1(end[1])}`} />
      ${Math.abs(own - foot) > Math.abs(rest - foot) && html`<path class=${`gl-rest${shine("slope")}`} data-part="slope" d=${`M${r1(end[0])} ${r1(rest)}V${r1(own)}`} />`}`
    }
    ${cut(tangent(values.slope), { class: `gl-true${shine("slope")}`, "data-part": "slope" })}
    ${told && ghost && cut(tangent(ghost.reported, ghost.value, ghost.x), { class: "gl-ghost" }, false)}
    ${told && cut(tangent(values.reported), { class: `gl-reported${shine("reported")}`, "data-part": "reported" })}
    <path class="gl-drop" d=${`M${start} ${r1(crossed ? Math.max(foot, sits + 6) : foot)}V${bottom}`} />
    ${
      told &&
      html`<g class=${`gl-role-parameter${shine("reported")}`} data-part="reported">
        ${Math.abs(goal - start) > 1 && html`<path class="gl-shaft" d=${shaft} /><path class="gl-tip" d=${head} />`}
        <text class="gl-named" x=${r1(near + 10 * away)} y=${bottom - 4.5} text-anchor=${away > 0 ? "start" : "end"}>${labels.step}</text>
      </g>`
    }
    <circle class=${`gl-point${shine("value")}`} data-part="value" cx=${x(at)} cy=${y(values.value)} r="6" />
    <text class=${`gl-forward${shine("value")}`} data-part="value" x=${lies} y=${r1(sits)}
      text-anchor=${anchor}>${fill(labels.value, values)}</text>
    ${
      told &&
      html`
        <text class=${`gl-slope${shine("reported")}`} data-part="reported" x=${stands} y=${r1(says)}
          text-anchor=${side > 0 ? "start" : "end"}>${slope}</text>
        ${Math.abs(middle - lies) > 26 && html`<text class=${`gl-muted${shine("reported")}`} data-part="reported" x=${r1(middle)} y=${r1(clearOf(lines, middle - 4, middle + 4, foot + under))} text-anchor="middle">1</text>`}`
    }
    ${
      apart &&
      html`<text class=${`gl-muted${shine("slope")}`} data-part="slope" x=${r1(starts)} y=${r1(clamp(really, top + 12, bottom - 6))}
      text-anchor=${outward > 0 ? "start" : "end"}>${named}</text>`
    }
    <text class="gl-forward" x=${left + 4} y=${y(values.ordinates[0]) - 12}>${labels.curve}</text>
    </g>`;
}

/** The tangent's end tilts it; the point slides along the curve. @param {Drawing} drawing @returns {import("explorax/view").Handle[]} */
export function handles(drawing) {
  const { values, settings, concealed } = drawing;
  const { across, up, x, y, side } = frame(drawing);
  const { value, slope, reported } = values;
  const [beyond, rise] = [settings.x + side * REACH, side * REACH * reported];
  const tilt = (/** @type {number} */ _, /** @type {number} */ py) =>
    (up.invert(py) - value) / (side * REACH * slope);
  /** @type {import("explorax/view").Handle} */
  const along = { control: "x", x: x(settings.x), y: y(value), axis: "x", value: (px) => across.invert(px) };
  if (!(Math.abs(slope) > 1e-3) || concealed.has("reported")) return [along];
  return [along, { control: "scale", x: x(beyond), y: y(value + rise), axis: "y", value: tilt }];
}
