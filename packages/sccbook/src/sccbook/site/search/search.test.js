import assert from "node:assert/strict";
import { test } from "node:test";

import { excerpt } from "./excerpt.js";
import { terms } from "./words.js";

test("a name is found by its pieces and as a whole, however it's joined", () => {
  assert.deepEqual(terms("tf.scale_gradient"), ["tf", "scal", "gradient", "scalgradient"]);
  for (const name of ["max_norm", "max-norm", "MaxNorm"])
    assert.deepEqual(terms(name), ["max", "norm", "maxnorm"]);
  assert.deepEqual(terms("clip_grad_norm_").at(-1), "clipgradnorm");
  for (const [one, other] of ["clipped clipping", "scales scaling", "normalize normalise"].map((s) =>
    s.split(" "),
  ))
    assert.deepEqual(terms(one), terms(other));
});

test("an excerpt begins near the words that are searched for, and every other piece is one of them", () => {
  const text = `${"Many words come before. ".repeat(20)}A cap on the norm, MaxNorm, ends it.`;
  const [before, ...rest] = excerpt(text, "max norm");
  assert.match(before, /^… .*A cap on the $/);
  assert.deepEqual(rest, ["norm", ", ", "MaxNorm", ", ends it."]);
  assert.deepEqual(excerpt("None of it.", "norm"), ["None of it."]);
  const far = `${text} ${"Some come between. ".repeat(7)}Only a global norm.`; // from the first "norm", out of sight
  assert.ok(excerpt(far, "global norm").includes("global"));
});
