// The ground of the map: two plateaus with lines of equal loss, and the wall between them. No control changes it.

import { html, r1 } from "explorax/view";

/** @typedef {import("./room.js").Space} Space */
/** @typedef {number[]} Line intercept and slope */

const TINT = 1.1; // opacity for each unit of loss
const BENEATH = 0.2; // the loss that the plateau beneath the wall has at least, far from the wall's soft end
const TEETH = 13; // pixels between the strokes that point down the wall
const NAME = 56; // about as wide as it is
const WORDS = 34; // from the corner to the end of the wall's name

/** The heights of a line at both sides of the plot. @param {Line} line @param {Space} space */
const ends = ([intercept, slope], { x, y }) => [x.low, x.high].map((w) => r1(y.at(intercept + slope * w)));

/** @param {any} drawing @param {Space} space */
export function Ground({ id, spec, description }, space) {
  const { labels } = description;
  const { left, right, top, bottom } = space;
  const course = (/** @type {Line} */ line) =>
    `M${left} ${ends(line, space)[0]}L${right} ${ends(line, space)[1]}`;
  /** What lies on a line's far side, up to an edge. @param {Line} line @param {number} edge */
  const beyond = (line, edge) => `${course(line)}V${edge}H${left}Z`;
  /** @param {"low" | "high"} name @param {number} edge @param {number} loss */
  const plateau = (name, edge, loss) => html`
    <clipPath id=${`${id}-${name}`}><path d=${beyond(spec.wall, edge)} /></clipPath>
    <g class="gl-plateau" clip-path=${`url(#${id}-${name})`}>
      <path d=${beyond(spec.wall, edge)} fill-opacity=${r3(TINT * loss)} />
      ${spec[name].map((/** @type {number[]} */ [level, ...line], /** @type {number} */ i) => {
        const more = level - (i ? spec[name][i - 1][0] : loss);
        return html`<path d=${beyond(line, edge)} fill-opacity=${r3(TINT * more)} /><path class="gl-contour" d=${course(line)} />`;
      })}
    </g>`;
  const [from, to] = ends(spec.wall, space);
  const slope = (to - from) / (right - left);
  const length = Math.hypot(1, slope);
  const teeth = Array.from({ length: Math.floor(((right - left) * length) / TEETH) }, (_, i) => {
    const across = ((i + 0.5) * TEETH) / length;
    return `M${r1(left + across)} ${r1(from + slope * across)}l${r1((7 * slope) / length)} ${r1(-7 / length)}`;
  });
  const name = [right - WORDS, r1(to - WORDS * slope + 20)];
  return html`
    <defs><clipPath id=${`${id}-plane`}><rect x=${left} y=${top} width=${right - left} height=${bottom - top} /></clipPath></defs>
    <g class="gl-role-loss" clip-path=${`url(#${id}-plane)`}>
      ${plateau("low", top, 0)}${plateau("high", bottom, BENEATH)}
      <path class="gl-teeth" d=${teeth.join("")} />
      <path class="gl-line" d=${course(spec.wall)} />
    </g>
    <text class="gl-walled" x=${name[0]} y=${name[1]} text-anchor="end"
      transform=${`rotate(${r1((Math.atan(slope) * 180) / Math.PI)} ${name[0]} ${name[1]})`}>${labels.wall}</text>
    <text class="gl-muted" x=${right} y=${bottom + 18} text-anchor="end">w</text>
    <text class="gl-muted" x=${left - 26} y=${top - 9}>b</text>`;
}

/** The wall itself, for labels to keep off. @param {any} spec @param {Space} space @returns {[number, number][]} */
export function wallOf({ wall }, space) {
  const [from, to] = ends(wall, space);
  return [
    [space.left, from],
    [space.right, to],
  ];
}

/** The middle line of the wall's name, under the wall. @param {any} spec @param {Space} space @returns {[number, number][]} */
export function nameOf({ wall }, space) {
  const [from, to] = ends(wall, space);
  const slope = (to - from) / (space.right - space.left);
  const end = space.right - WORDS;
  return [end - NAME, end].map((x) => [x, to + slope * (x - space.right) + 15]);
}

/** What is written at the lines: each one's loss, where it meets the left edge or the top one, and there is room. @param {any} words @param {Space} space */
export function levels({ spec, labels }, space) {
  const { left, top, x, y } = space;
  const first = { text: `${labels.loss} ${spec.low[0][0]}`, line: spec.low[0].slice(1) };
  const others = [...spec.low.slice(1), ...spec.high].map(([loss, ...line]) => ({
    text: String(loss),
    line,
  }));
  /** @type {{text: string, box: import("explorax/view").Box}[]} */
  const found = [];
  for (const { text, line } of [first, ...others]) {
    const [wide, here] = [text.length * 7.2, ends(line, space)[0]];
    const aside = x.at((y.invert(top) - line[0]) / line[1]) - wide - 3;
    const [at, foot] = here > top + 15 ? [left + 6, here - 2] : [aside, top + 18];
    const box = { left: at - 4, right: at + wide + 4, top: foot - 15, bottom: foot + 2 };
    const clear = found.every(
      (other) => box.left > other.box.right || box.top > other.box.bottom || box.bottom < other.box.top,
    );
    if (at > left + 5 && clear) found.push({ text, box });
  }
  return found;
}

const r3 = (/** @type {number} */ share) => Math.round(share * 1000) / 1000;
