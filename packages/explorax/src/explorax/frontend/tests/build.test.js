import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { paletteCss } from "../build.mjs";

const css = paletteCss({ light: { state: "#0067A5" }, dark: { state: "#6CB6E8" } });

/** The line that has a selector. */
const ruleOf = (/** @type {string} */ selector) =>
  css.split("\n").find((line) => line.includes(selector)) ?? assert.fail(`no rule for ${selector}`);

test("a page's own theme wins over the system's, and paper is light, whatever the theme", () => {
  assert.match(
    ruleOf("prefers-color-scheme:dark"),
    /^@media screen.*:not\(\[data-theme="light"\]\)\{--gl-state:#6CB6E8\}/,
  );
  for (const dark of ['html[data-theme="dark"]', 'body[data-jp-theme-light="false"]', "body.vscode-dark"]) {
    assert.match(ruleOf(dark), /^@media screen.*\{--gl-state:#6CB6E8\}/);
  }
  for (const light of ['html[data-theme="light"]', 'body[data-jp-theme-light="true"]', "body.vscode-light"]) {
    assert.match(ruleOf(light), /\{--gl-state:#0067A5\}/);
  }
});

const bundler = fileURLToPath(new URL("../bundle.mjs", import.meta.url));

/** Bundle a folder of views. @param {Record<string, string>} files */
function bundled(files) {
  const folder = mkdtempSync(path.join(tmpdir(), "views-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return spawnSync(process.execPath, [bundler, folder, path.join(folder, "dist")], { encoding: "utf8" });
}

const CLOCK = `import { html } from "explorax/view";
export const kind = "clock";
export const draw = () => html\`<circle class="gl-clock" r="9" />\`;
`;

/** What is wrong with a view, its files, and what the refusal says. @type {[string, Record<string, string>, RegExp][]} */
const REFUSED = [
  [
    "asks for a name that the engine lacks",
    { "view.js": CLOCK.replaceAll("html", "dial") },
    /No matching export .* "dial"/,
  ],
  [
    "does not say its kind",
    { "view.js": CLOCK.replace("export const kind", "const kind") },
    /lacks a line such as: export const kind/,
  ],
  ["has the kind of another", { "view.js": CLOCK, "b/view.js": CLOCK }, /of one kind: clock\.js/],
  [
    "would be built over other files",
    { "view.js": CLOCK, "dist/mine.txt": "" },
    /files that were not built here/,
  ],
];
for (const [what, files, words] of REFUSED) {
  test(`a view that ${what} is refused`, () => {
    const { status, stderr } = bundled(files);
    assert.equal(status, 1);
    assert.match(stderr, words);
  });
}
