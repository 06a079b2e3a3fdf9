// A ruler on which the loss is divided, and below it a bar for each optimizer's step, beside what it was.
//
// It draws the results `shares`, [n], and `meets`; its spec is packages/sccbook/src/sccbook/figures/optimizer_sees/figure.py's Shrinking.

import {
  before,
  clamp,
  emphasis,
  fill,
  html,
  number,
  part,
  r1,
  read,
  scaleOf,
  short,
  templateValues,
  typeOf,
  widthOf,
} from "explorax/view";

export const kind = "shrinking";

const SIZES = {
  wide: { width: 688, left: 84, long: 510 },
  narrow: { width: 320, left: 78, long: 172 },
};
const RULER = { from: 14, y: 48, foot: 78 };
const TICKS = ["1", "a thousand", "a million", "a billion"];
const BARS = { top: 120, each: 34, height: 20 };

/** @param {any} spec */
export const layouts = ({ names }) => {
  const height = BARS.top + BARS.each * names.length - 6;
  return { wide: { ...SIZES.wide, height }, narrow: { ...SIZES.narrow, height } };
};

/** The picture's measures, and the ruler's scale. @param {any} drawing */
function spaceOf({ spec, layout }) {
  const size = SIZES[/** @type {"wide" | "narrow"} */ (layout)];
  const ends = /** @type {[number, number]} */ ([1, spec.most]);
  const x = scaleOf({ span: ends, scale: "log" }, RULER.from, size.width - RULER.from);
  return { ...size, x };
}

/** The place from which Adam notices, with its name on the side that has room. @param {any} drawing @param {any} space */
function Meets(drawing, { x, width }) {
  const { letter } = typeOf(drawing);
  const text = drawing.description.labels.meets;
  const px = r1(x.at(read(drawing, "meets")));
  const onLeft = px + 14 + widthOf(text, letter) > width;
  return html`
    <g class=${`gl-threshold gl-role-muted${emphasis(drawing, "meets")}`} ...${part("meets")}>
      <path class="gl-beyond-epsilon" d=${`M${px} ${RULER.y}H${width - RULER.from}`} />
      <path class="gl-level" d=${`M${px} ${RULER.y}V${RULER.foot}`} />
      <text x=${px + (onLeft ? -13 : 13)} y=${RULER.foot + 5} text-anchor=${onLeft ? "end" : "start"}>${text}</text>
    </g>`;
}

/** A factor in words. @param {number} share */
function times(share) {
  if (Number.isNaN(share)) return "?";
  return `× ${share > 9.5e-4 ? number(share, ".2~g") : short(share)}`;
}

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, description } = drawing;
  const { labels } = description;
  const space = spaceOf(drawing);
  const { x, left, long, width } = space;
  const shares = read(drawing, "shares");
  const [was, from] = ["shares", "divisor"].map((name) => before(drawing, name));
  const bar = (/** @type {number} */ i, /** @type {number} */ share) =>
    `M${left} ${BARS.top + i * BARS.each}h${r1(Math.max(1, share * long))}v${BARS.height}H${left}z`;
  const all = (/** @type {ArrayLike<number>} */ values) => Array.from(values, (share, i) => bar(i, share));
  return html`
    <text class="gl-paneltitle" x="1" y="14">${fill(labels.loss, templateValues(drawing))}</text>
    ${TICKS.map((text, n) => html`<text class="gl-muted" x=${r1(x.at(1000 ** n)) + [-5, 0, 0, 5][n]} y=${RULER.y - 14} text-anchor=${["start", "middle", "middle", "end"][n]}>${text}</text>`)}
    <path class="gl-ruler" d=${`M${RULER.from} ${RULER.y}H${width - RULER.from}${TICKS.map((_, n) => `M${r1(x.at(1000 ** n))} ${RULER.y - 8}v8`).join("")}`} />
    ${Meets(drawing, space)}
    <text class="gl-paneltitle" x="1" y=${BARS.top - 10}>${labels.step}</text>
    <text class="gl-muted" x=${left + long} y=${BARS.top - 10} text-anchor="end">${labels.before}</text>
    <g class="gl-role-muted"><path class="gl-outline" d=${all(shares.map(() => 1)).join("")} /></g>
    ${spec.names.map((/** @type {string} */ name, /** @type {number} */ i) => {
      const foot = BARS.top + i * BARS.each + 15;
      return html`
        <g class=${`gl-role-${spec.roles[i]}${emphasis(drawing, "shares", i + 1)}`} ...${part("shares", i + 1)}>
          <text class="gl-named" x="1" y=${foot}>${name}</text>
          ${Number.isFinite(shares[i]) && html`<path class="gl-bar" d=${bar(i, shares[i])} />`}
          <text class="gl-named" x=${left + long + 10} y=${foot}>${times(shares[i])}</text>
        </g>`;
    })}
    ${was && html`<path class="gl-ghost" d=${all(was).join("")} />`}
    ${from && html`<path class="gl-ghost" d=${`M${r1(x.at(from))} ${RULER.y - 9}v18`} />`}`;
}

/** The divisor on the ruler, and epsilon below it. @param {any} drawing */
export function handles(drawing) {
  const { x, width } = spaceOf(drawing);
  const place = (/** @type {number} */ px) => x.invert(clamp(px, RULER.from, width - RULER.from));
  const root = read(drawing, "root_at_one");
  return [
    { control: "divisor", x: x.at(read(drawing, "divisor")), y: RULER.y, axis: "x", value: place },
    {
      control: "epsilon",
      x: x.at(read(drawing, "meets")),
      y: RULER.foot,
      axis: "x",
      role: "muted",
      value: (/** @type {number} */ px) => root / place(px),
    },
  ];
}
