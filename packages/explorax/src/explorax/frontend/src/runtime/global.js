// The engine as a global, for the scripts of views that come after this one in a page.

import { explorax } from "./engine.js";

Object.assign(globalThis, { explorax });
