import assert from "node:assert/strict";
import { test } from "node:test";

import { paletteCss } from "../build.mjs";

const css = paletteCss({ light: { state: "#0067A5" }, dark: { state: "#6CB6E8" } });

/** The line that has a selector. */
const ruleOf = (/** @type {string} */ selector) =>
  css.split("\n").find((line) => line.includes(selector)) ?? assert.fail(`no rule for ${selector}`);

test("a page's own theme wins over the system's", () => {
  assert.match(ruleOf("prefers-color-scheme:dark"), /:not\(\[data-theme="light"\]\)\{--gl-state:#6CB6E8\}/);
  for (const dark of ['html[data-theme="dark"]', 'body[data-jp-theme-light="false"]', "body.vscode-dark"]) {
    assert.match(ruleOf(dark), /\{--gl-state:#6CB6E8\}/);
  }
  for (const light of ['html[data-theme="light"]', 'body[data-jp-theme-light="true"]', "body.vscode-light"]) {
    assert.match(ruleOf(light), /\{--gl-state:#0067A5\}/);
  }
});

test("paper is light, whatever the theme", () => {
  for (const line of css.split("\n").filter((line) => line.includes("#6CB6E8"))) {
    assert.match(line, /^@media screen/);
  }
});
