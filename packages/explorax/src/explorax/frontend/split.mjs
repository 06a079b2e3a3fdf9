/**
 * The site's script, split: what every figure needs, and one more script a view, for the pages that show it.
 *
 * A page that is opened from a file may load classic scripts alone, so these meet in a global, `explorax`. A view
 * takes what is public from there, as views that are not the engine's do, and what it shares with another of the
 * engine's from `explorax.own`.
 */

import path from "node:path";
import { engine, registering } from "./bundle.mjs";

const CORE = "runtime/site.js";
const SCRUBBER = "runtime/scrubber.js";
const ALL = "runtime/allViews.js";
const PUBLIC = "view.js";

/** @typedef {Record<string, {imports: {path: string}[]}>} Inputs esbuild's graph of files */

/**
 * Take what is public, or shared, from the global.
 * @param {string[]} open @param {string[]} own @param {string} src
 * @returns {import("esbuild").Plugin}
 */
const fromCore = (open, own, src) => ({
  name: "from-core",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path: to, resolveDir }) => {
      const file = path.relative(src, path.join(resolveDir, to)).split(path.sep).join("/");
      if (open.includes(file)) return build.resolve("explorax/view", { kind: "import-statement" });
      return own.includes(file) ? { path: file, namespace: "own" } : null;
    });
    build.onLoad({ filter: /.*/, namespace: "own" }, ({ path: file }) => ({
      contents: `module.exports = explorax.own[${JSON.stringify(file)}]`,
    }));
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
  const importedBy = (/** @type {string} */ file) =>
    inputs[file].imports.map(({ path: imported }) => imported);
  const open = importedBy(PUBLIC);
  const views = importedBy(ALL).filter((file) => !open.includes(file));
  const lent = (/** @type {string} */ view) =>
    importedBy(view).filter(
      (file) => /^views\/(?!common)/.test(file) && path.dirname(file) !== path.dirname(view),
    );
  const own = [...new Set(views.flatMap(lent))]; // from another view's folder
  /** @type {Record<string, import("esbuild").BuildOptions>} */
  const bundles = {
    "figure.js": {
      format: "iife",
      stdin: {
        resolveDir: src,
        contents: [
          `import "./${CORE}";`,
          ...own.map((file, i) => `import * as m${i} from "./${file}";`),
          `explorax.own = {${own.map((file, i) => `${JSON.stringify(file)}: m${i}`).join(",")}};`,
        ].join("\n"),
      },
    },
    "scrubber.js": { format: "iife", entryPoints: [SCRUBBER] },
  };
  for (const view of views) {
    const kind = path.basename(view, ".js");
    const plugins = [engine(names), fromCore(open, own, src)];
    bundles[`views/${kind}.js`] = { format: "iife", plugins, stdin: registering(kind, view, src) };
  }
  return bundles;
}
