// A page of its own: every view of the engine in one script.

import "./allViews.js";
import "./site.js";
