// Every view under its name, for where one file has them all. A view is a pure function from values to SVG.

import { VIEWS } from "../common/views.js";
import * as board from "../figures/board/board.js";
import * as corners from "../figures/corners.js";
import * as decision from "../figures/decision.js";
import * as ledger from "../figures/ledger/ledger.js";
import * as places from "../figures/places.js";
import * as stream from "../figures/stream/stream.js";
import * as tangent from "../figures/tangent.js";
import * as wall from "../figures/wall/wall.js";
import * as chain from "../views/chain/chain.js";
import * as history from "../views/history/history.js";
import * as listing from "../views/listing/listing.js";
import * as matrix from "../views/matrix/matrix.js";
import * as multiples from "../views/multiples/multiples.js";
import * as panels from "../views/multiples/panels.js";
import * as plane from "../views/plane/plane.js";
import * as profile from "../views/profile/profile.js";
import * as surface from "../views/surface/surface.js";

Object.assign(VIEWS, {
  board,
  chain,
  corners,
  decision,
  history,
  ledger,
  listing,
  matrix,
  multiples,
  panels,
  places,
  plane,
  profile,
  stream,
  surface,
  tangent,
  wall,
});
