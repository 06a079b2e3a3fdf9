import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

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

const bundler = fileURLToPath(new URL("../bundle.mjs", import.meta.url));

/** A folder with a view, bundled: what was said, and what came of it. @param {Record<string, string>} files */
function bundled(files) {
  const folder = mkdtempSync(path.join(tmpdir(), "views-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const run = () =>
    spawnSync(process.execPath, [bundler, folder, path.join(folder, "dist")], { encoding: "utf8" });
  const read = (/** @type {string} */ name) => readFileSync(path.join(folder, "dist", name), "utf8");
  return { ...run(), run, read };
}

const CLOCK = `import { html } from "explorax/view";
import { size } from "./size.js";
export const kind = "clock";
export const layouts = () => ({ wide: size, narrow: size });
export const draw = () => html\`<circle class="gl-clock" r="9" />\`;
`;
const SIZE = "export const size = { width: 320, height: 20 };";

test("a folder of views becomes a script and a style each, and is left alone where nothing has changed", () => {
  const { status, run, read } = bundled({
    "one/view.js": CLOCK,
    "one/size.js": SIZE,
    "one/view.css": ".gl-clock { fill: none }",
    "two/view.js": CLOCK.replace('"clock"', '"dial"'),
    "two/size.js": SIZE,
    "two/two.test.js": "not built",
  });
  assert.equal(status, 0);
  assert.equal(read("clock.css"), ".gl-clock{fill:none}\n");
  const found = {};
  const explorax = {
    view: { html: String.raw },
    register: (kind, view) => Object.assign(found, { [kind]: view }),
  };
  for (const kind of ["clock", "dial"]) new Function("explorax", read(`${kind}.js`))(explorax);
  assert.deepEqual(Object.keys(found), ["clock", "dial"]);
  assert.deepEqual(found.clock.layouts().wide, { width: 320, height: 20 });
  assert.equal(found.clock.draw(), '<circle class="gl-clock" r="9" />');
  assert.match(run().stdout, /built already/);
});

for (const [what, files, words] of [
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
  [
    "has the kind of another",
    { "a/view.js": CLOCK, "a/size.js": SIZE, "b/view.js": CLOCK, "b/size.js": SIZE },
    /of one kind: clock\.js/,
  ],
  [
    "would be built over other files",
    { "view.js": CLOCK, "dist/mine.txt": "" },
    /files that were not built here/,
  ],
]) {
  test(`a view that ${what} is refused`, () => {
    const { status, stderr } = bundled({ "size.js": SIZE, ...files });
    assert.equal(status, 1);
    assert.match(stderr, words);
  });
}
