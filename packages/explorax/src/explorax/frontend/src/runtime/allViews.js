// Every view of the engine, for where one file has them all. A view is a pure function from values to SVG.

import { register } from "../common/views.js";
import * as chain from "../views/chain/chain.js";
import * as history from "../views/history/history.js";
import * as listing from "../views/listing/listing.js";
import * as matrix from "../views/matrix/matrix.js";
import * as multiples from "../views/multiples/multiples.js";
import * as panels from "../views/multiples/panels.js";
import * as plane from "../views/plane/plane.js";
import * as profile from "../views/profile/profile.js";
import * as surface from "../views/surface/surface.js";

const ALL = { chain, history, listing, matrix, multiples, panels, plane, profile, surface };
for (const [kind, view] of Object.entries(ALL)) register(kind, view);
