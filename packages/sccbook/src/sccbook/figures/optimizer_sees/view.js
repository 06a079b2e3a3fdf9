// A ruler on which the loss is divided, and below it a bar for each optimizer's step, beside what it was.
//
// It draws the results `shares`, [5], and `meets`; its spec is packages/sccbook/src/sccbook/figures/optimizer_sees/figure.py's Shrinking.

import { before, clamp, emphasis, html, part, r1, read, scaleOf, tick } from "explorax/view";

export const kind = "shrinking";

const SIZES = {
  wide: { width: 688, height: 302, left: 84, long: 520 },
  narrow: { width: 320, height: 302, left: 78, long: 180 },
};
const TICKS = ["1", "a thousand", "a million", "a billion"];
/** @type {{span: [number, number], scale: "log"}} */
const DIVISORS = { span: [1, 1000 ** (TICKS.length - 1)], scale: "log" };
const [RULER, FOOT, BARS] = [48, 74, 138];

export const layouts = () => SIZES;

/** @param {any} drawing @returns {any} */
function spaceOf({ layout }) {
  const size = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  return { ...size, x: scaleOf(DIVISORS, 14, size.width - 14) };
}

/** @param {any} drawing */
export function draw(drawing) {
  const { labels } = drawing.description;
  const { x, left, long, width } = spaceOf(drawing);
  const [shares, was] = [read(drawing, "shares"), before(drawing, "shares")];
  const meets = r1(x.at(read(drawing, "meets")));
  const ticks = TICKS.map((text, n) => ({ text, n, at: r1(x.at(1000 ** n)) }));
  const bar = (/** @type {number} */ share, /** @type {number} */ i) =>
    `M${left} ${BARS + 34 * i}h${r1(Math.max(1, share * long))}v20H${left}z`;
  return html`
    <text class="gl-paneltitle" x="1" y="14">${labels.loss}</text>
    ${ticks.map(({ text, n, at }) => html`<text class="gl-muted" x=${clamp(at, 9, width - 9)} y=${RULER - 14} text-anchor=${n === 3 ? "end" : n ? "middle" : "start"}>${text}</text>`)}
    <path class="gl-rule" d=${`M14 ${RULER}H${width - 14}${ticks.map(({ at }) => `M${at} ${RULER - 8}v8`).join("")}`} />
    <g class="gl-threshold gl-role-parameter" ...${part("meets")}>
      <path class="gl-bar-across" stroke-opacity="0.5" d=${`M${meets} ${RULER}H${width - 14}`} />
      <path class="gl-level" d=${`M${meets} ${RULER}V${FOOT}`} />
      <text x=${clamp(meets, 90, width - 90)} y=${FOOT + 24} text-anchor="middle">${labels.meets}</text>
    </g>
    <text class="gl-paneltitle" x="1" y=${BARS - 11}>${labels.step}</text>
    <text class="gl-muted" x=${left + long} y=${BARS - 11} text-anchor="end">${labels.before}</text>
    <g class="gl-role-muted"><path class="gl-outline" d=${drawing.spec.names.map((/** @type {string} */ _, /** @type {number} */ i) => bar(1, i)).join("")} /></g>
    ${drawing.spec.names.map(
      (/** @type {string} */ name, /** @type {number} */ i) => html`
        <g class=${`gl-role-${drawing.spec.roles[i]}${emphasis(drawing, "shares", i + 1)}`} ...${part("shares", i + 1)}>
          <text class="gl-named" x="1" y=${BARS + 34 * i + 15}>${name}</text>
          <path class="gl-bar" d=${Number.isNaN(shares[i]) ? "" : bar(shares[i], i)} />
          <text class="gl-named" x=${left + long + 8} y=${BARS + 34 * i + 15}>${Number.isNaN(shares[i]) ? "?" : `× ${tick(shares[i])}`}</text>
        </g>`,
    )}
    ${was && html`<path class="gl-ghost" d=${Array.from(was, bar).join("")} />`}`;
}

/** What the loss is divided by, on the ruler, and epsilon below it. @param {any} drawing */
export function handles(drawing) {
  const { x } = spaceOf(drawing);
  const knob = (/** @type {string} */ control, /** @type {string} */ name, /** @type {number} */ y) => {
    return { control, x: x.at(read(drawing, name)), y, axis: "x", value: x.invert };
  };
  const value = (/** @type {number} */ px) => read(drawing, "root_at_one") / x.invert(px);
  return [knob("divisor", "divisor", RULER), { ...knob("epsilon", "meets", FOOT), role: "parameter", value }];
}
