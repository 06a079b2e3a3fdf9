// Several views of the same figure, each under its title: two beside each other, or all below.
//
// Its spec is gradlab/figure/views/multiples.py's Panels.

import { html } from "../../html.js";
import { bothLayouts } from "../common/layouts.js";
import { VIEWS } from "../index.js";

const TITLE = 28;
const GAP = 18;

export const layouts = bothLayouts((spec, layout, description) => room(spec, description, layout));

/** Where each view lies. @param {any} spec @param {any} description @param {"wide" | "narrow"} layout */
function room(spec, description, layout) {
  const beside = layout === "wide" && spec.wide === "beside";
  let [y, most] = [0, 0];
  const places = spec.views.map((/** @type {[string, any]} */ [title, view], /** @type {number} */ i) => {
    const own = { ...description, view };
    const inner = beside ? "narrow" : layout;
    const { width, height } = VIEWS[view.kind].layouts(view, own)[inner];
    const head = title ? TITLE : 0;
    const place = {
      title,
      view,
      description: own,
      layout: inner,
      x: beside ? i * (688 - width) : 0,
      y: beside ? 0 : y,
      head,
      width,
    };
    y += head + height + GAP;
    most = Math.max(most, head + height);
    return place;
  });
  return { width: layout === "wide" ? 688 : 320, height: beside ? most : y - GAP, places };
}

/** @param {any} drawing @param {any} place @param {number} i */
const inner = (drawing, { view, description, layout }, i) => ({
  ...drawing,
  spec: view,
  description,
  layout,
  id: `${drawing.id}-p${i}`,
});

/** @param {any} drawing @returns {any[]} */
const placesOf = ({ spec, description, layout }) =>
  layouts(spec, description)[/** @type {"wide"} */ (layout)].places;

/** @param {any} drawing */
export function draw(drawing) {
  return placesOf(drawing).map(
    (place, i) => html`
      <g transform=${`translate(${place.x} ${place.y + place.head})`}>
        ${place.title && html`<text class="gl-paneltitle" x="0" y="-10">${place.title}</text>`}
        ${VIEWS[place.view.kind].draw(inner(drawing, place, i))}
      </g>`,
  );
}

/** All that can be dragged, where it lies in the whole. @param {any} drawing */
export function handles(drawing) {
  return placesOf(drawing).flatMap((place, i) => {
    const [dx, dy] = [place.x, place.y + place.head];
    return VIEWS[place.view.kind].handles(inner(drawing, place, i)).map((/** @type {any} */ handle) => ({
      ...handle,
      x: handle.x + dx,
      y: handle.y + dy,
      value: (/** @type {number} */ px, /** @type {number} */ py) => handle.value(px - dx, py - dy),
    }));
  });
}
