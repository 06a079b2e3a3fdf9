import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { number, vector } from "../../src/common/numberFormat.js";

/** Specifier, number, text: Python is tested with the same. */
const read = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(new URL(`../cases/${name}.json`, import.meta.url), "utf8"));
const [cases, vectors] = [await read("number_format"), await read("vector_format")];

test("numbers are printed as the table says, exact ties included", () => {
  assert.ok(cases.length > 60);
  for (const [spec, value, text] of cases)
    assert.equal(number(Number(value), spec || undefined), text, `${value} by "${spec}"`);
});

test("the numbers of a vector have as many decimals each", () => {
  assert.ok(vectors.length > 12);
  for (const [spec, values, text] of vectors) assert.equal(vector(values.map(Number), spec), text, text);
});
