import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { number } from "../../src/common/numberFormat.js";

/** Specifier, number, text: Python is tested with the same. */
const cases = JSON.parse(await readFile(new URL("../cases/number_format.json", import.meta.url), "utf8"));

test("numbers are printed as the table says, exact ties included", () => {
  assert.ok(cases.length > 60);
  for (const [spec, value, text] of cases)
    assert.equal(number(Number(value), spec || undefined), text, `${value} by "${spec}"`);
});
