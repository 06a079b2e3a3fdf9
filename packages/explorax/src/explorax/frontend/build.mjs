/**
 * Build dist/ from src/: the widget, the site's script, the renderer for Node, and the styles.
 *
 * Run as `node build.mjs` after `npm ci --ignore-scripts`. Where dist/.stamp already holds the
 * hash of what it would build from, it does nothing; building.py computes the same hash.
 */

import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { common, fingerprint, licences, RULE, whenRun } from "./bundle.mjs";
import { split } from "./split.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const src = path.join(here, "src");
const dist = path.join(here, "dist");
const stamp = path.join(dist, ".stamp");

/**
 * One bundle a place that the figures are shown in. `widget.js`: anywidget imports it, in JupyterLab, VS Code
 * and Colab. `page.js`: the same for a page of its own, a classic script, as browsers refuse modules from file://. `prerender.mjs`: Node runs
 * it while the book is built. `picture.css`: the styles of a picture that is a file of its own.
 * @type {Record<string, import("esbuild").BuildOptions>}
 */
const bundles = {
  "widget.js": { entryPoints: ["runtime/widget.js"], format: "esm" },
  "page.js": { entryPoints: ["runtime/page.js"], format: "iife" },
  "prerender.mjs": {
    entryPoints: ["runtime/prerender.js"],
    format: "esm",
    platform: "node",
    target: "node20",
  },
  "figure.css": { entryPoints: ["styles/index.css"] },
  "maths.css": { entryPoints: ["styles/maths.css"], external: ["*.woff2"], banner: {} },
  "picture.css": { entryPoints: ["styles/picture.css"] },
};

/**
 * Return the files that decide what is built, as paths from here with forward slashes, sorted.
 * @returns {Promise<string[]>}
 */
async function sources() {
  const files = ["build.mjs", "bundle.mjs", "package.json", "package-lock.json", "split.mjs"];
  for (const name of await readdir(src, { recursive: true })) {
    if ((await stat(path.join(src, name))).isFile()) files.push(path.join("src", name));
  }
  return files.map((file) => file.split(path.sep).join("/")).sort();
}

/**
 * Return the palette as CSS variables, for every way in which a page says that it is dark or light; paper is
 * light. For each colour there's a role: a class that sets what a mark is drawn in.
 * @param {Record<"light" | "dark", Record<string, string>>} palette
 */
export function paletteCss({ light, dark }) {
  /** @param {Record<string, string>} colours */
  const variables = (colours) =>
    Object.entries(colours)
      .map(([name, colour]) => `--gl-${name}:${colour}`)
      .join(";");
  const lightly = 'html[data-theme="light"],body[data-jp-theme-light="true"],body.vscode-light';
  const darkly = 'html[data-theme="dark"],body[data-jp-theme-light="false"],body.vscode-dark';
  const roles = Object.keys(light).map((name) => `.gl-role-${name}{--gl-role:var(--gl-${name})}`);
  return [
    `:root{${variables(light)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme="light"]){${variables(dark)}}}`,
    `@media screen{${darkly}{${variables(dark)}}}`,
    `${lightly}{${variables(light)}}`,
    ...roles,
    "",
  ].join("\n");
}

/**
 * Build everything in memory, by file name under dist/.
 * @returns {Promise<Record<string, string | Uint8Array>>}
 */
async function outputs() {
  const { build } = await import("esbuild");
  const palette = paletteCss(JSON.parse(await readFile(path.join(src, "palette.json"), "utf8")));
  /** @type {Record<string, string | Uint8Array>} */
  const files = { "palette.css": palette };
  /** @type {Record<string, {imports: {path: string}[]}>} */
  let inputs = {};
  /** @param {Record<string, import("esbuild").BuildOptions>} wanted */
  async function make(wanted) {
    for (const [out, options] of Object.entries(wanted)) {
      /** @type {any} dist/LICENSES.txt has the legal comments whole */
      const { outputFiles, metafile } = await build({
        ...common,
        absWorkingDir: src,
        metafile: true,
        outfile: path.join(dist, out),
        banner: { css: palette },
        ...options,
      });
      files[out] = outputFiles[0].contents;
      inputs = { ...metafile.inputs, ...inputs };
    }
  }
  await make(bundles);
  const names = Object.keys(await import("./src/view.js")).sort();
  await make(split(inputs, src, names));
  files["view.json"] = `${JSON.stringify(names)}\n`;
  files["maths.woff2"] = await readFile(path.join(src, "fonts", "maths.woff2"));
  const font = await readFile(path.join(src, "fonts", "LICENSE.txt"), "utf8");
  const first = `STIX Two Math, of which maths.woff2 is a part\n\n${font.trim()}\n`;
  files["LICENSES.txt"] = [first, ...(await licences(Object.keys(inputs)))].join(RULE);
  return files;
}

async function main() {
  const expected = await fingerprint(here, await sources());
  const present = await readFile(stamp, "utf8").catch(() => "");
  if (present.trim() === expected) {
    console.log("The front end is built already.");
    return;
  }
  const files = await outputs();
  await rm(dist, { recursive: true, force: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dist, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await writeFile(stamp, `${expected}\n`); // last: with it, all is there
  for (const name of Object.keys(files).filter((name) => /js$|css$/.test(name))) {
    const kilobytes = [files[name], gzipSync(files[name])].map(({ length }) => (length / 1000).toFixed(1));
    console.log(`dist/${name}  ${kilobytes[0]} kB, ${kilobytes[1]} kB compressed`);
  }
}

await whenRun(import.meta.url, main);
