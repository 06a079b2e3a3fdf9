// The kinds of views that draw what any function gives, by the name that a spec has for them.

import * as chain from "./chain/chain.js";
import * as listing from "./listing/listing.js";
import * as matrix from "./matrix/matrix.js";
import * as multiples from "./multiples/multiples.js";
import * as panels from "./multiples/panels.js";
import * as plane from "./plane/plane.js";
import * as profile from "./profile/profile.js";
import * as surface from "./surface/surface.js";

export const KINDS = { plane, chain, profile, matrix, listing, surface, multiples, panels };
