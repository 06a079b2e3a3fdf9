// The six places of a training step in a row: where an operation acts, and what it looks at to do so.
//
// It draws the results `acts`, the place's number, and `looks`, [6]; its spec is packages/sccbook/src/sccbook/figures/same_three/figure.py's Places.

import { arrow, emphasis, html, part, read } from "explorax/view";

export const kind = "places";

const ROLES = ["state", "state", "cotangent", "parameter", "parameter", "parameter"];
const TOP = 26;
const TALL = 34;
const GAP = { wide: 26, narrow: 8 };

/** As high as it is with every line below. */
export const layouts = () => ({
  wide: { width: 688, height: 92 },
  narrow: { width: 320, height: 92 },
});

/** Where the boxes begin, and how wide each is. @param {string} layout */
function boxes(layout) {
  const gap = layout === "wide" ? GAP.wide : GAP.narrow;
  const wide = ((layout === "wide" ? 688 : 320) - 5 * gap) / 6;
  return { gap, wide, left: (/** @type {number} */ i) => i * (wide + gap) };
}

/** The way from a place that is looked at to the place that is acted on, below the boxes. @param {number} from @param {number} to @param {number} below */
function Look(from, to, below) {
  const { shaft, head } = arrow([to, below], [to, TOP + TALL + 2], "", 0.7);
  return html`
    <g class="gl-role-ink">
      <path class="gl-course" stroke-dasharray="4 4" d=${`M${from} ${TOP + TALL + 2}V${below}H${to}${shaft.replace("M", "L")}`} />
      <path class="gl-tip" d=${head} />
    </g>`;
}

/** @param {any} drawing */
export function draw(drawing) {
  const { description, layout, spec } = drawing;
  const { labels } = description;
  const { gap, wide, left } = boxes(layout);
  const acts = read(drawing, "acts");
  const looks = read(drawing, "looks");
  const middle = (/** @type {number} */ i) => left(i) + wide / 2;
  const from = spec.names
    .map((/** @type {any} */ _, /** @type {number} */ i) => i)
    .filter((/** @type {number} */ i) => looks[i] && i !== acts);
  /** Ways to one place end beside each other. @param {number} i @param {number} n */
  const end = (i, n) => middle(acts) + (i < acts ? -1 : 1) * (7 + 9 * (from.length - 1 - n));
  return html`
    ${spec.names.map((/** @type {[string, string]} */ [symbol, name], /** @type {number} */ i) => {
      const here = i === acts;
      const seen = Boolean(looks[i]);
      const said = here ? labels.acts : seen ? labels.looks : "";
      return html`
        <g class=${`gl-place gl-role-${ROLES[i]}${here ? " gl-changed" : ""}${emphasis(drawing, "place", i + 1)}`} opacity=${here || seen ? 1 : 0.55} ...${part("place", i + 1)}>
          <rect class="gl-field" x=${left(i)} y=${TOP} width=${wide} height=${TALL} rx="4" />
          <text class="gl-named" x=${middle(i)} y=${TOP + TALL / 2 + 4.7} text-anchor="middle">${symbol}${layout === "wide" && html`<tspan class="gl-muted" dx="6">${name}</tspan>`}</text>
          <text class=${here ? "gl-named gl-symbolic" : "gl-muted"} x=${middle(i)} y=${TOP - 9} text-anchor="middle">${said}</text>
        </g>`;
    })}
    ${spec.names.slice(1).map((/** @type {any} */ _, /** @type {number} */ i) => {
      const { shaft, head } = arrow(
        [left(i + 1) - gap + 1, TOP + TALL / 2],
        [left(i + 1) - 1, TOP + TALL / 2],
        "",
        0.6,
      );
      return html`<g class="gl-role-muted"><path class="gl-course" d=${shaft} /><path class="gl-tip" d=${head} /></g>`;
    })}
    ${from.map((/** @type {number} */ i, /** @type {number} */ n) => Look(middle(i), end(i, n), TOP + TALL + 14 + 12 * (from.length - 1 - n)))}`;
}
