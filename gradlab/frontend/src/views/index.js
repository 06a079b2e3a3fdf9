// The views by name. A view is a pure function from values to SVG.

import { LAYOUTS as streamLayouts } from "./stream/geometry.js";
import * as stream from "./stream/stream.js";
import * as tangent from "./tangent.js";

/** @type {Record<string, import("../types.js").View>} */
export const VIEWS = {
  stream: { layouts: streamLayouts, draw: stream.draw, handles: stream.handles },
  tangent: { layouts: tangent.LAYOUTS, draw: tangent.draw, handles: tangent.handles },
};
