// The two layouts of a view, made once for each spec.

/**
 * @template Room
 * @param {(spec: any, layout: "wide" | "narrow", description: any) => Room} room where everything lies
 * @returns {(spec: any, description?: any) => {wide: Room, narrow: Room}}
 */
export function bothLayouts(room) {
  /** @type {WeakMap<object, {wide: Room, narrow: Room}>} */
  const known = new WeakMap();
  return (spec, description) => {
    const found = known.get(spec) ?? {
      wide: room(spec, "wide", description),
      narrow: room(spec, "narrow", description),
    };
    known.set(spec, found);
    return found;
  };
}
