// A ruler on which the loss is divided, and below it one for each optimizer's step, on the same scale.
//
// It draws the results `shares`, [5], and `meets`; its spec is packages/sccbook/src/sccbook/figures/optimizer_sees/figure.py's Shrinking.

import { before, clamp, emphasis, html, marker, number, part, r1, read, scaleOf } from "explorax/view";

export const kind = "shrinking";

/** @type {any} */
const SIZES = { wide: { width: 688, height: 322 }, narrow: { width: 320, height: 322 } };
const TICKS = ["1", "a thousand", "a million", "a billion"];
/** @type {{span: [number, number], scale: "log"}} */
const DIVISORS = { span: [1, 1000 ** (TICKS.length - 1)], scale: "log" };
const [RULER, FOOT, ROWS, PITCH] = [48, 74, 160, 37];

export const layouts = () => SIZES;

/** @param {any} drawing @returns {any} */
const spaceOf = ({ layout }) => ({ ...SIZES[layout], x: scaleOf(DIVISORS, 14, SIZES[layout].width - 14) });

/** What a step is divided by, in three digits: 1 (unchanged), 270, 2.74 million. @param {number} share */
function inWords(share) {
  const [unit, name] =
    share < 1.0005e-9 ? [1e9, " billion"] : share < 1.0005e-6 ? [1e6, " million"] : [1, ""];
  const text = number(1 / share / unit, ",.3~g");
  return text + (name || (text === "1" ? " (unchanged)" : ""));
}

/** @param {any} drawing */
export function draw(drawing) {
  const { labels } = drawing.description;
  const { x, width } = spaceOf(drawing);
  const [shares, was] = [read(drawing, "shares"), before(drawing, "shares")];
  const [meets, loss] = [r1(x.at(read(drawing, "meets"))), r1(x.at(read(drawing, "divisor")))];
  const ticks = TICKS.map((text, n) => ({ text, n, at: r1(x.at(1000 ** n)) }));
  const end = (/** @type {number} */ share) => r1(clamp(x.at(1 / share), 14, width - 14));
  const row = (/** @type {number} */ i) => ROWS + PITCH * i;
  const rows = drawing.spec.names.map((/** @type {string} */ _, /** @type {number} */ i) => row(i));
  return html`
    <text class="gl-paneltitle" x="1" y="14">${labels.loss}</text>
    ${ticks.map(({ text, n, at }) => html`<text class="gl-muted" x=${clamp(at, 9, width - 9)} y=${RULER - 14} text-anchor=${n === 3 ? "end" : n ? "middle" : "start"}>${text}</text>`)}
    <path class="gl-rule" d=${[RULER, ...rows].map((y) => `M14 ${y}H${width - 14}${ticks.map(({ at }) => `M${at} ${y - 4}v4`).join("")}`).join("")} />
    <g class="gl-threshold gl-role-parameter" ...${part("meets")}>
      <path class="gl-bar-across" stroke-opacity="0.5" d=${`M${meets} ${RULER}H${width - 14}`} />
      <path class="gl-level" d=${`M${meets} ${RULER}V${FOOT}`} />
      <text x=${clamp(meets, 94, width - 94)} y=${FOOT + 24} text-anchor="middle">${labels.meets}</text>
    </g>
    <text class="gl-paneltitle" x="1" y=${ROWS - 34}>${labels.step}</text>
    <g class="gl-role-cotangent"><text class="gl-named" x=${width - 14} y=${ROWS - 34} text-anchor="end">${labels.ring}</text><path class="gl-ring" d=${rows.map((/** @type {number} */ y) => `M${loss} ${y - 7}v14`).join("")} /></g>
    ${was && html`<path class="gl-ghost" d=${Array.from(was, (share, i) => `M14 ${row(i) + 4}H${end(share)}`).join("")} />`}
    ${drawing.spec.names.map(
      (/** @type {string} */ name, /** @type {number} */ i) => html`
        <g class=${`gl-role-${drawing.spec.roles[i]}${emphasis(drawing, "shares", i + 1)}`} ...${part("shares", i + 1)}>
          <text class="gl-named" x="14" y=${row(i) - 12}>${name}</text>
          <path class="gl-bar-across" d=${`M14 ${row(i)}H${end(shares[i])}`} />
          <path class="gl-spot" d=${marker("", end(shares[i]), row(i), 5)} />
          <text class="gl-named" x=${width - 14} y=${row(i) - 12} text-anchor="end">${inWords(shares[i])}</text>
        </g>`,
    )}`;
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
