import assert from "node:assert/strict";
import test from "node:test";
import { asked, fill } from "../../src/common/template.js";

test("a template takes numbers, each by its specifier, text, one of several, and a few in brackets", () => {
  const values = { p: [0.5, -1], x: Float64Array.of(0.125), name: "ℓ", k: 3 };
  const template = "K = {k}, {x:.3~g} of {name}: {p}, {p.1:,.2f}, {x.0:,.2f}, {h̄}";
  assert.equal(fill(template, { ...values, h̄: 1e-5 }), "K = 3, 0.125 of ℓ: (0.5, −1.0), −1.00, 0.13, 0");
  assert.deepEqual(asked("{k} of {p.1:,.2f} {h̄}"), ["k", "p", "h̄"]);
});

test("what is no field stays as it is", () => {
  for (const text of ["{x:2}", "{x:c}", "{x:s}", "{}", "{x:,.2f"]) assert.equal(fill(text, { x: 1 }), text);
});

test("a template that asks for what is not there, or for too many numbers, says so", () => {
  assert.throws(() => fill("{missing}", {}), /asks for "missing"/);
  assert.throws(() => fill("{a.3}", { a: [1, 2] }), /asks for "a"/);
  assert.throws(() => fill("{a}", { a: Array(5).fill(1) }), /asks for all of "a": 5 numbers/);
});

test("a text in place of several numbers stands for each of them", () => {
  assert.equal(fill("{a.0} and {a.7:,.2f}", { a: "?" }), "? and ?");
});

test("a field after an underscore is an index", () => {
  assert.equal(fill("ℓ_{n} at h_{m}, {m} of it", { n: "12", m: 3 }), "ℓ₁₂ at h₃, 3 of it");
});
