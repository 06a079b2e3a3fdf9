// A table of signs, a row for each corner and a column for each clip; below it, what one row's clips returned.
//
// It draws the results `kinds`, [n, m], and `row`; its spec is packages/sccbook/src/sccbook/figures/clip_corners/figure.py's Corners.

import { html, isLit, keyRows, marker, part, r1, read, typeOf } from "explorax/view";

export const kind = "corners";

/** What an outcome is: its name among the labels, its role, how strong its colour is, and its sign where that is text. @type {[string, string, number, string][]} */
const KINDS = [
  ["right", "parameter", 0.1, ""],
  ["lost", "cotangent", 0.42, ""],
  ["nans", "loss", 0.42, "NaN"],
  ["said", "state", 0.42, "!"],
  ["none", "muted", 0.08, "–"],
];
/** @type {[string, string, number, string]} */
const COVERED = ["", "muted", 0.16, "?"];
const SIZES = {
  wide: { width: 688, left: 138, line: 27, head: 46, foot: 64 },
  narrow: { width: 320, left: 121, line: 26, head: 114, foot: 134 },
};

/** Where everything lies. @param {any} spec @param {any} description @param {"wide" | "narrow"} layout */
function roomOf({ rows, columns }, { labels }, layout) {
  const size = SIZES[layout];
  const names = KINDS.map(([name]) => labels[name]);
  const key = keyRows(names, typeOf({ layout }), 0, size.width);
  const top = key.height + size.head;
  const bottom = top + rows.length * size.line;
  const strip = bottom + size.line + 6; // below how many are wrong
  const each = (size.width - size.left - 1) / columns.length;
  return { ...size, key, top, bottom, strip, each, height: strip + size.foot };
}

/** @param {any} spec @param {any} description */
export const layouts = (spec, description) => ({
  wide: roomOf(spec, description, "wide"),
  narrow: roomOf(spec, description, "narrow"),
});

/** The cells of a kind, with their sign: a tick and a cross are drawn. @param {number} code @param {{x: number, y: number}[]} middles @param {number} width @param {number} height */
function Cells(code, middles, width, height) {
  const [, role, strength, sign] = KINDS[code] ?? COVERED;
  const box = `h${r1(width - 2)}v${height - 2}h${r1(2 - width)}z`;
  const boxes = middles.map(({ x, y }) => `M${r1(x - width / 2 + 1)} ${r1(y - height / 2 + 1)}${box}`);
  const drawn = middles.map(({ x, y }) =>
    code ? marker("limit", x, y, 4.5) : `M${r1(x - 5)} ${r1(y)}l4 4.5l7 -9`,
  );
  const text = width < 26 ? sign[0] : sign;
  return html`
    <path class=${`gl-shade gl-role-${role}`} fill-opacity=${strength} d=${boxes.join("")} />
    ${text ? middles.map(({ x, y }) => html`<text class="gl-number" x=${r1(x)} y=${r1(y + 4.7)} text-anchor="middle">${text}</text>`) : html`<path class=${`gl-cut gl-role-${code ? "ink" : role}`} d=${drawn.join("")} />`}`;
}

/** A text, upright where columns are narrow, with the end that is given at its place. @param {any} drawing @param {string} text @param {number} x @param {number} y @param {string} end @param {string} [kind] */
const Column = ({ layout }, text, x, y, end, kind = "") =>
  layout === "wide"
    ? html`<text class=${kind} x=${r1(x)} y=${y} text-anchor="middle">${text}</text>`
    : html`<text class=${kind} transform=${`translate(${r1(x + 5)} ${y}) rotate(-90)`} text-anchor=${end}>${text}</text>`;

/** @param {any} drawing */
export function draw(drawing) {
  const { description, guess, layout, lit, spec } = drawing;
  const { bottom, each, foot, key, left, line, strip, top, width } = roomOf(spec, description, layout);
  const kinds = read(drawing, "kinds");
  const at = read(drawing, "row");
  const m = spec.columns.length;
  const x = (/** @type {number} */ j) => left + (j + 0.5) * each;
  const y = (/** @type {number} */ i) => top + (i + 0.5) * line;
  const wide = layout === "wide";
  const base = strip + foot - 8; // of what was returned
  const asked = (/** @type {[string, string]} */ [name]) => name === description.prediction.settings.corner;
  const covered = guess?.committed === false && y(spec.rows.findIndex(asked));
  const cells = Array.from(kinds, (code, k) => ({ code, x: x(k % m), y: y(Math.floor(k / m)) }));
  const kindOf = (/** @type {number} */ code) =>
    cells.filter((cell) => (cell.y === covered ? KINDS.length : cell.code) === code);
  return html`
    ${KINDS.map(([name], code) => {
      const place = key.places[code];
      return html`${Cells(code, [{ x: place.x + 15, y: place.y + 10 }], wide ? 34 : 25, 20)}<text x=${place.x + 34} y=${place.y + 14.7}>${description.labels[name]}</text>`;
    })}
    ${spec.columns.map((/** @type {[string, string]} */ [library, clip], /** @type {number} */ j) =>
      wide
        ? [
            Column(drawing, library, x(j), top - 26, "", "gl-symbolic"),
            Column(drawing, clip, x(j), top - 9, "", "gl-muted"),
          ]
        : Column(drawing, `${library} ${clip}`, x(j), top - 6, "start"),
    )}
    ${[...KINDS, COVERED].map((_, code) => Cells(code, kindOf(code), each, line))}
    <text class="gl-muted" x=${left - 8} y=${bottom + 20} text-anchor="end">${description.labels.total}</text>
    ${spec.columns.map((/** @type {any} */ _, /** @type {number} */ j) => html`<text class="gl-symbolic" x=${r1(x(j))} y=${bottom + 20} text-anchor="middle">${covered === false ? String(kinds.filter((/** @type {number} */ code, /** @type {number} */ k) => k % m === j && (code === 1 || code === 2)).length) : "?"}</text>`)}
    ${spec.rows.map(
      (/** @type {[string, string]} */ [, name], /** @type {number} */ i) => html`
        <g class=${i === at || isLit(lit, "row", i + 1) ? "gl-along-y gl-lit" : "gl-along-y"} data-handle="corner" data-handle-index=${i} ...${part("row", i + 1)}>
          <rect class="gl-hit" cursor="pointer" x="0" y=${top + i * line} width=${width} height=${line} />
          <text x=${left - 8} y=${y(i) + 4.7} text-anchor="end">${name}</text>
        </g>`,
    )}
    <path class="gl-outline" d=${`M${left} ${top + at * line}h${r1(width - left - 1)}v${line}H${left}zM0.5 ${strip}h${width - 1.5}v${foot - 1}H0.5z`} />
    <text class="gl-muted" x=${left - 8} y=${top - 9} text-anchor="end">${description.labels.press}</text>
    <text class="gl-muted" x="8" y=${strip + 18}>${description.labels.given} <tspan class="gl-named">${spec.given[at]}</tspan></text>
    <text class="gl-muted" x=${wide ? 300 : 8} y=${strip + (wide ? 18 : 36)}>${description.labels.wanted} <tspan class="gl-named gl-role-parameter gl-symbolic">${spec.right[at]}</tspan></text>
    <text class="gl-muted" x=${left - 8} y=${base} text-anchor="end">${description.labels.returned}</text>
    ${spec.texts[at].map((/** @type {string} */ text, /** @type {number} */ j) => {
      const short = text.replace("error: ", "").replace(/no derivative|not differentiated/, "–");
      const lines = wide && short.length > 9 ? short.split(/(?<=,) /) : [short];
      return lines.map((words, n) =>
        Column(drawing, words, x(j), base - 18 * (lines.length - 1 - n), "start"),
      );
    })}`;
}

/** Pressing a row chooses it, and so does dragging to it. @param {any} drawing */
export function handles({ description, layout, spec }) {
  const { top, line } = roomOf(spec, description, layout);
  const names = spec.rows.map((/** @type {[string, string]} */ [name]) => name);
  /** @param {number} _ @param {number} y */
  const value = (_, y) => names[Math.floor((y - top) / line)];
  return names.map((/** @type {string} */ name, /** @type {number} */ index) => ({
    ...{ control: "corner", index, axis: "y", carried: true, value, sets: { corner: name } },
    ...{ x: 0, y: top + (index + 0.5) * line },
  }));
}
