// A page of its own: every view in one script.

import "./allViews.js";
import "./site.js";
