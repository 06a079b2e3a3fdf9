import assert from "node:assert/strict";
import test from "node:test";
import { compact, fill, number } from "../../src/common/words.js";

test("numbers have a true minus, grouped thousands and no negative zero", () => {
  assert.equal(number(-1234.5, 2), "−1,234.50");
  assert.equal(number(0.125, 2), "0.13");
  assert.equal(number(-0.001, 2), "0.00");
  assert.equal(number(2), "2");
  assert.equal(number(Number.POSITIVE_INFINITY), "∞");
});

test("compact numbers are never longer than five characters below a hundred thousand", () => {
  for (const value of [0, 1.97, 9.994, 9.996, 31.5, 99.94, 99.96, 4095]) {
    assert.ok(compact(value).length <= 5, `${value} became ${compact(value)}`);
  }
});

test("a template that asks for what is not there says so", () => {
  assert.equal(fill("{a:1} {b}", { a: 1, b: "x" }), "1.0 x");
  assert.throws(() => fill("{missing}", {}), /asks for "missing"/);
  assert.throws(() => fill("{a.3}", { a: [1, 2] }), /asks for "a"/);
});

test("a text in place of several numbers stands for each of them", () => {
  assert.equal(fill("{a.0} and {a.7:2}", { a: "?" }), "? and ?");
});
