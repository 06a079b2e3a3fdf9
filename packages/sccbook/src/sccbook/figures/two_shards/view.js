// Two devices, and both orders of clip and all-reduce: a plane for each device's gradient and for each order's step,
// and between them what happens in which order.
//
// It draws four planes of its spec, which is packages/sccbook/src/sccbook/figures/two_shards/figure.py's Shards.

import { arrow, filled, html, Key, memoizeDrawn, templateValues, viewNamed } from "explorax/view";

export const kind = "shards";

const BOX = 28; // how high a box is
/** @type {Record<string, number>} */
const WIDTHS = { clip: 44, sum: 74 };

/** The upper left corners of the planes, their size, and where the ways between them run. @param {any} spec @param {string} layout */
function roomOf({ planes }, layout) {
  const wide = layout === "wide";
  const [width, each, head, foot] = wide ? [688, 240, 22, 24] : [320, 152, 40, 46]; // above a plane; below the signs' top
  const { x, y } = planes[0];
  const tall = Math.round((each * (y[1] - y[0])) / (x[1] - x[0]));
  const below = tall + 2 * head + (wide ? 8 : 108);
  const corners = [0, 1, 2, 3].map((i) => {
    const [across, down] = wide ? [i >> 1, i & 1] : [i & 1, i >> 1]; // the devices are first
    return [across * (width - each), down ? below : head];
  });
  const key = below + tall + 10;
  return { wide, head, each, tall, corners, key, width, height: key + foot };
}

/** @param {any} spec */
export const layouts = (spec) => ({ wide: roomOf(spec, "wide"), narrow: roomOf(spec, "narrow") });

/** The drawing of the i-th plane. @param {any} drawing @param {any} room @param {number} i */
function planeOf(drawing, { corners, each, tall }, i) {
  const [left, top] = corners[i];
  const numbers = { left: false, bottom: false, named: false };
  const room = { left, right: left + each, top, bottom: top + tall, small: true, numbers };
  return { ...drawing, spec: drawing.spec.planes[i], guess: null, room, id: `${drawing.id}-${i}` };
}

/**
 * The boxes that a gradient passes, and the ways there from both devices and on to the step. All is reckoned along the way
 * and across it, as a wide picture's ways go to the right and a narrow one's down.
 * @param {any} room @param {number} order 0: all-reduce first
 */
function wayOf({ wide, head, each, tall, corners }, order) {
  const start = wide ? each : head + tall;
  const end = wide ? corners[2][0] : corners[2][1] - head - 4;
  const lanes = [0, 1].map((i) => (wide ? corners[i][1] + tall / 2 : corners[i][0] + each / 2));
  const names = order ? ["clip", "sum"] : ["sum", "clip"];
  const [near, far] = names.map((name) => (wide ? WIDTHS[name] : BOX)); // how deep they are along the way
  const [first, last] = [start + (wide ? 44 : 20), end - 15];
  const lane = lanes[order];
  const apart = wide ? 21 : 36;
  const both = order ? [lane - apart, lane + apart] : [lane];
  const ways = [
    ...lanes.map((from, i) => [
      start + 3,
      from + (order ? 8 : -8),
      first - 1,
      both.length > 1 ? both[i] : lane + 12 * (i - 0.5),
    ]),
    ...both.map((across) => [first + near, across, last - far - 1, lane + (across - lane) / 3]),
    [last, lane, end - 2, lane],
  ];
  /** @type {(along: number, across: number) => [number, number]} */
  const at = (along, across) => (wide ? [along, across] : [across, along]);
  const boxes = both.map((across) => ({ name: names[0], at: at(first + near / 2, across) }));
  boxes.push({ name: names[1], at: at(last - far / 2, lane) });
  return { boxes, arrows: ways.map(([a, b, c, d]) => arrow(at(a, b), at(c, d), "", 0.7)) };
}

/** The ways of one order. @param {any} drawing @param {any} room @param {number} order @param {string} role */
function Way({ description: { labels } }, room, order, role) {
  const { boxes, arrows } = wayOf(room, order);
  return html`
    <g class=${`gl-role-${role}`}>
      <path class="gl-course" d=${arrows.map(({ shaft }) => shaft).join("")} /><path class="gl-tip" d=${arrows.map(({ head }) => head).join("")} />
      ${boxes.map(
        ({ name, at: [x, y] }) => html`
        <rect class="gl-beads" x=${x - WIDTHS[name] / 2} y=${y - BOX / 2} width=${WIDTHS[name]} height=${BOX} rx="5" />
        <text x=${x} y=${y + 5} text-anchor="middle">${labels[name]}</text>`,
      )}
    </g>`;
}

/** What an arrow is. @param {any} drawing @param {string} kind @param {any} place */
const Sign = ({ description: { labels } }, kind, place) =>
  Key([{ kind, role: "cotangent", text: labels[kind], part: {}, emphasis: "" }], place, 18);

/** @param {any} drawing */
export function draw(drawing) {
  const { spec, layout } = drawing;
  const room = roomOf(spec, layout);
  const words = templateValues(drawing);
  return html`
    ${memoizeDrawn(drawing, "ways", [], () => ["state", "parameter"].map((role, order) => Way(drawing, room, order, role)))}
    ${memoizeDrawn(drawing, "signs", [], () => ["before", "vector"].map((kind, i) => Sign(drawing, kind, { x: 4 + 172 * i, y: room.key, letters: 99 })))}
    <text class="gl-muted" x=${room.wide ? 688 : 4} y=${room.height - 10} text-anchor=${room.wide ? "end" : "start"}>${drawing.description.labels.axes}</text>
    ${room.corners.map(([x, y], i) => {
      const [name, said] = spec.titles[i].map((/** @type {string} */ text) => filled(text, words));
      const role = ["cotangent", "cotangent", "state", "parameter"][i];
      const [up, end] = room.wide ? [8, x + room.each] : [26, x];
      return html`
        <text class=${`gl-named gl-symbolic gl-role-${role}`} x=${x} y=${y - up}>${name}</text>
        <text x=${end} y=${y - 8} text-anchor=${room.wide ? "end" : "start"}>${said}</text>
        <g class=${i === 3 ? "gl-two" : null}>${viewNamed("plane").draw(planeOf(drawing, room, i))}</g>`;
    })}`;
}

/** @param {any} drawing */
export const handles = (drawing) => {
  const room = roomOf(drawing.spec, drawing.layout);
  return room.corners.flatMap((_, i) => viewNamed("plane").handles(planeOf(drawing, room, i)));
};
