// The two layouts of a view, made once for each spec.

import { memoize } from "../../common/memoize.js";

/**
 * @template Room
 * @param {(spec: any, layout: "wide" | "narrow", description: any) => Room} room where everything lies
 * @returns {{layouts: (spec: any, description?: any) => {wide: Room, narrow: Room}, roomOf: (drawing: any) => any}}
 *   `roomOf` gives the room of a drawing: its own, as that of one of small multiples, or that of its layout
 */
export function bothLayouts(room) {
  /** @type {(spec: any, description?: any) => any} */
  const layouts = (spec, description) =>
    memoize(spec, "layouts", [], () => ({
      wide: room(spec, "wide", description),
      narrow: room(spec, "narrow", description),
    }));
  const roomOf = (/** @type {any} */ { room, spec, description, layout }) =>
    room ?? layouts(spec, description)[layout];
  return { layouts, roomOf };
}
