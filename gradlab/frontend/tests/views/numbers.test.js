import assert from "node:assert/strict";
import test from "node:test";
import { compact } from "../../src/views/common/numbers.js";

test("compact numbers are never longer than five characters below a hundred thousand", () => {
  for (const value of [0, 1.97, 9.994, 9.996, 31.5, 99.94, 99.96, 4095]) {
    assert.ok(compact(value).length <= 5, `${value} became ${compact(value)}`);
  }
});
