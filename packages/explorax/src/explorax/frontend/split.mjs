/**
 * The site's script, split: what every figure needs, and one more script a view, for the pages that show it.
 *
 * A page that is opened from a file may load classic scripts alone, so these meet in a global, `explorax`. A view
 * takes what is public from there, as views that are not the engine's do.
 */

import path from "node:path";
import { engine, registering } from "./bundle.mjs";

const CORE = "runtime/site.js";
const SCRUBBER = "runtime/scrubber.js";
const ALL = "runtime/allViews.js";
const PUBLIC = "view.js";

/** @typedef {Record<string, {imports: {path: string}[]}>} Inputs esbuild's graph of files */

/**
 * Take what is public from the global.
 * @param {string[]} open @param {string} src
 * @returns {import("esbuild").Plugin}
 */
const fromCore = (open, src) => ({
  name: "from-core",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path: to, resolveDir }) => {
      const file = path.relative(src, path.join(resolveDir, to)).split(path.sep).join("/");
      return open.includes(file) ? build.resolve("explorax/view", { kind: "import-statement" }) : null;
    });
  },
});

/**
 * The options of esbuild for the core and for each view, by the name of the file that comes of it.
 * @param {Inputs} inputs the graph of a bundle that has everything
 * @param {string} src the folder of the sources
 * @param {string[]} names what is public
 * @returns {Record<string, import("esbuild").BuildOptions>}
 */
export function split(inputs, src, names) {
  const open = inputs[PUBLIC].imports.map(({ path: file }) => file);
  const views = inputs[ALL].imports.map(({ path: file }) => file).filter((file) => !open.includes(file));
  /** @type {Record<string, import("esbuild").BuildOptions>} */
  const bundles = {
    "figure.js": { format: "iife", entryPoints: [CORE] },
    "scrubber.js": { format: "iife", entryPoints: [SCRUBBER] },
  };
  for (const view of views) {
    const kind = path.basename(view, ".js");
    const plugins = [engine(names), fromCore(open, src)];
    bundles[`views/${kind}.js`] = { format: "iife", plugins, stdin: registering(kind, view, src) };
  }
  return bundles;
}
