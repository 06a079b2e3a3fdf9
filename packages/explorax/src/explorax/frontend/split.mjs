/**
 * The site's script, split: what every figure needs, and one more script a view, for the pages that show it.
 *
 * A page that is opened from a file may load classic scripts alone, so these meet in a global: the core puts
 * there what it shares, and a view puts itself where views are looked up.
 */

import path from "node:path";

const CORE = "runtime/site.js";
const SCRUBBER = "runtime/scrubber.js";
const ALL = "runtime/allViews.js";
const REGISTRY = "common/views.js";
const GLOBAL = "globalThis.explorax";

/** @typedef {Record<string, {imports: {path: string}[]}>} Inputs esbuild's graph of files */

/** The files that one needs, itself among them. @param {Inputs} inputs @param {string} from */
function reached(inputs, from, found = new Set()) {
  if (found.has(from)) return found;
  found.add(from);
  for (const { path: next } of inputs[from].imports) reached(inputs, next, found);
  return found;
}

/**
 * What is shared, of our own files: those of the core that a view needs, and those that several views need.
 * @param {Inputs} inputs @param {string[]} views
 */
function shared(inputs, views) {
  const core = reached(inputs, CORE);
  const needs = views.map((view) => reached(inputs, view));
  return Object.keys(inputs)
    .filter((file) => !file.includes("node_modules") && !views.includes(file))
    .filter((file) => needs.filter((files) => files.has(file)).length + Number(core.has(file)) > 1)
    .filter((file) => needs.some((files) => files.has(file)))
    .sort();
}

/** Take what is shared from the global. @param {string[]} files @param {string} src @returns {import("esbuild").Plugin} */
const fromCore = (files, src) => ({
  name: "from-core",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path: to, resolveDir }) => {
      const file = path.relative(src, path.join(resolveDir, to)).split(path.sep).join("/");
      return files.includes(file) ? { path: file, namespace: "core" } : null;
    });
    build.onLoad({ filter: /.*/, namespace: "core" }, ({ path: file }) => ({
      contents: `module.exports = ${GLOBAL}[${JSON.stringify(file)}]`,
    }));
  },
});

/**
 * The options of esbuild for the core and for each view, by the name of the file that comes of it.
 * @param {Inputs} inputs the graph of a bundle that has everything
 * @param {string} src the folder of the sources
 * @returns {Record<string, import("esbuild").BuildOptions>}
 */
export function split(inputs, src) {
  const views = inputs[ALL].imports.map(({ path: file }) => file).filter((file) => file !== REGISTRY);
  const files = shared(inputs, views);
  const script = (/** @type {string[]} */ lines) => ({ contents: lines.join("\n"), resolveDir: src });
  /** @type {Record<string, import("esbuild").BuildOptions>} */
  const bundles = {
    "figure.js": {
      format: "iife",
      stdin: script([
        ...files.map((file, i) => `import * as m${i} from "./${file}";`),
        `import "./${CORE}";`,
        `${GLOBAL} = {${files.map((file, i) => `${JSON.stringify(file)}: m${i}`).join(",")}};`,
      ]),
    },
  };
  bundles["scrubber.js"] = { format: "iife", entryPoints: [SCRUBBER] };
  for (const view of views) {
    const kind = path.basename(view, ".js");
    bundles[`views/${kind}.js`] = {
      format: "iife",
      plugins: [fromCore(files, src)],
      stdin: script([
        `import * as view from "./${view}";`,
        `import { VIEWS } from "./${REGISTRY}";`,
        `VIEWS[${JSON.stringify(kind)}] = view;`,
      ]),
    };
  }
  return bundles;
}
