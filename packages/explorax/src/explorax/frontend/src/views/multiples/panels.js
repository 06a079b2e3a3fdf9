// Several views of the same figure, each under its title: two beside each other, or all below.
//
// Its spec is packages/explorax/src/explorax/views/multiples.py's Panels.

import { bothLayouts, html, viewNamed } from "../../view.js";

const TITLE = 28;
const GAP = 18;

/** The places of the views: in rows of one or two, on one line below where a profile has a key for a title. */
export const { layouts, roomOf } = bothLayouts((spec, layout, description) => {
  const across = layout === "wide" && spec.wide === "beside" ? 2 : 1;
  const inner = across === 2 ? "narrow" : layout;
  const panels = spec.views.map((/** @type {[string, any]} */ [title, view]) => {
    const own = { ...description, view };
    const { width, height } = viewNamed(view.kind).layouts(view, own)[inner];
    return { title, view, own, width, height, head: title ? TITLE : 0 };
  });
  let below = 0;
  const places = panels.map(
    (/** @type {any} */ { title, view, own, width, height, head }, /** @type {number} */ i) => {
      const start = i - (i % across);
      const row = panels.slice(start, start + across);
      const tall = Math.max(...row.map((/** @type {any} */ panel) => panel.head + panel.height));
      const level = row.some((/** @type {any} */ panel) => panel.view.kind === "profile" && !panel.title);
      const place = { x: (i % across) * (688 - width), y: below + (level ? tall - height : head), title };
      if (i === start + row.length - 1) below += tall + GAP;
      return { place, spec: view, description: own, layout: inner };
    },
  );
  return { width: layout === "wide" ? 688 : 320, height: below - GAP, places };
});

/** The view of each panel, its drawing, and where it lies. @param {any} drawing @returns {any[]} */
const panels = (drawing) =>
  roomOf(drawing).places.map((/** @type {any} */ { place, ...own }, /** @type {number} */ i) => {
    const hand = drawing.hand && [drawing.hand[0] - place.x, drawing.hand[1] - place.y];
    const linked = (drawing.spec.linked ?? []).find((/** @type {string[]} */ names) =>
      names.includes(drawing.lit?.kind),
    );
    const lit = linked ? { ...drawing.lit, kind: linked[i] } : drawing.lit;
    const inner = { ...drawing, ...own, hand, lit, id: `${drawing.id}-p${i}` };
    return { ...place, view: viewNamed(own.spec.kind), inner };
  });

/** @param {any} drawing */
export const draw = (drawing) =>
  panels(drawing).map(
    ({ x, y, title, view, inner }) => html`
      <g transform=${`translate(${x} ${y})`}>
        ${title && html`<text class="gl-paneltitle" x="0" y="-10">${title}</text>`}
        ${view.draw(inner)}
      </g>`,
  );

/** They lie where they are in the whole. @param {any} drawing */
export const handles = (drawing) =>
  panels(drawing).flatMap(({ x, y, view, inner }) =>
    view.handles(inner).map((/** @type {any} */ handle) => {
      const value = (/** @type {number} */ px, /** @type {number} */ py) => handle.value(px - x, py - y);
      return { ...handle, x: handle.x + x, y: handle.y + y, value };
    }),
  );
