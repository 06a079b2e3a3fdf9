import assert from "node:assert/strict";
import test from "node:test";
import { partInWords } from "../../src/runtime/sentences.js";

test("a part's number is an index after an underscore, and a number elsewhere", () => {
  const words = "ℓ_{n} at h_{m}, number {n}, is {value:,.1f}.";
  const state = {
    settings: {},
    values: { l: Float64Array.from({ length: 12 }, (_, i) => i) },
    concealed: new Set(),
  };
  const said = (index) =>
    partInWords({ parts: [{ name: "l", result: "l", words }] }, state, { kind: "l", index });
  assert.equal(said(4), "ℓ₄ at h₃, number 4, is 3.0.");
  assert.equal(said(12), "ℓ₁₂ at h₁₁, number 12, is 11.0.");
});
