/**
 * Bundle views that are not the engine's, each into one script that runs in a page, a notebook and Node:
 *
 *     node bundle.mjs FOLDER OUT
 *
 * Every `view.js` under FOLDER, which says its kind (`export const kind = "clock";`), becomes OUT/clock.js, and the
 * `view.css` beside it, if there is one, OUT/clock.css. Of what a site has besides figures, `search/box.page.js` and
 * `box.page.css` become OUT/search/box.js and .css, for pages, and `search/index.node.js` OUT/search/index.mjs, for Node;
 * OUT/search/LICENSES.txt has the licences of what they're bundled with. `explorax/view` has the names that this engine has; a view
 * that asks for another fails here. Where OUT/.stamp already has the hashes of the sources and of the
 * engine, nothing is done; building.py computes the same.
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The oldest browsers that are promised: the first with container queries and CSS nesting. */
export const target = ["chrome112", "firefox117", "safari17.2"];

const ENGINE = ["bundle.mjs", "dist/view.json"];
const KIND = /^export const kind = "([\w-]+)";$/m;
const FOR_SITE = /([^/]+)\/([\w-]+)\.(page|node)\.(js|css)$/;
const here = path.dirname(fileURLToPath(import.meta.url));

/** What every bundle has in common. @type {import("esbuild").BuildOptions} */
export const common = {
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  write: false,
  target,
};

/**
 * `explorax/view` as a module whose names are taken from the engine when the script runs.
 * @param {string[]} names
 * @returns {import("esbuild").Plugin}
 */
export const engine = (names) => ({
  name: "explorax",
  setup(build) {
    build.onResolve({ filter: /^explorax\/view/ }, ({ path: file }) => ({
      path: file,
      namespace: "engine",
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: "engine" }, ({ path: file }) => {
      const [, , name] = file.split("/");
      const all = names.map((each) => `export { default as ${each} } from "explorax/view/${each}";`);
      return { contents: name ? `export default explorax.view.${name};` : all.join("\n") };
    });
  },
});

/** The script that registers a view. @param {string} kind @param {string} file as its folder has it @param {string} folder */
export const registering = (kind, file, folder) => ({
  contents: `import * as view from "./${file}";\nexplorax.register(${JSON.stringify(kind)}, view);`,
  resolveDir: folder,
});

/**
 * Return one hash of the names and contents of files.
 * @param {string} folder that they lie in
 * @param {string[]} files as paths from there with forward slashes
 */
export async function fingerprint(folder, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = await readFile(path.join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** What stands between two licences. */
export const RULE = `\n${"-".repeat(80)}\n\n`;

/** Return the licences of the packages that files were bundled from, each under its name. @param {string[]} inputs */
export async function licences(inputs) {
  const folders = new Set(inputs.flatMap((input) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const texts = [];
  for (const folder of [...folders].sort()) {
    const home = path.join(here, folder);
    const { name, version } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8"));
    const file = (await readdir(home)).find((f) => /^licen[cs]e/i.test(f));
    if (!file) throw new Error(`${name} ${version} carries no licence file, and its code is bundled`);
    texts.push(`${name} ${version}\n\n${(await readFile(path.join(home, file), "utf8")).trim()}\n`);
  }
  return texts;
}

/** The scripts and styles in a folder that are neither tests nor built. @param {string} folder */
async function sources(folder) {
  const files = await readdir(folder, { recursive: true });
  return files
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => /\.(js|css)$/.test(file) && !file.endsWith(".test.js"))
    .filter((file) => !/(^|\/)(dist|node_modules)\//.test(file))
    .sort();
}

/** esbuild: the engine's own in a checkout, or else the caller's. @returns {Promise<typeof import("esbuild")>} */
async function esbuild() {
  const found = [import.meta.url, path.join(process.cwd(), "package.json")].flatMap((from) => {
    try {
      return createRequire(from).resolve("esbuild");
    } catch {
      return [];
    }
  });
  if (found.length) return import(pathToFileURL(found[0]).href);
  throw new Error("esbuild is missing: run 'npm install esbuild' in the folder that you build in.");
}

/** @param {string} folder @param {string} out */
export async function bundle(folder, out) {
  const files = await sources(folder);
  const stamp = `${await fingerprint(folder, files)} ${await fingerprint(here, ENGINE)}\n`;
  const present = await readFile(path.join(out, ".stamp"), "utf8").catch(() => null);
  if (present === stamp) return [];
  if (present === null && (await readdir(out).catch(() => [])).length)
    throw new Error(`${out} has files that were not built here; expected a folder for what is built alone.`);
  const { build } = await esbuild();
  const plugins = [engine(JSON.parse(await readFile(path.join(here, "dist", "view.json"), "utf8")))];
  /** @type {Record<string, Uint8Array>} */
  const made = {};
  /** @param {string} name @param {import("esbuild").BuildOptions} options */
  const make = async (name, options) => {
    if (made[name]) throw new Error(`Two views in ${folder} are of one kind: ${name}`);
    const result = await build({ ...common, ...options });
    made[name] = /** @type {any} */ (result.outputFiles)[0].contents;
    return result;
  };
  for (const file of files.filter((each) => path.basename(each) === "view.js")) {
    const home = path.join(folder, path.dirname(file));
    const [, kind] = KIND.exec(await readFile(path.join(folder, file), "utf8")) ?? [];
    if (!kind)
      throw new Error(`${path.join(folder, file)} lacks a line such as: export const kind = "clock";`);
    await make(`${kind}.js`, { format: "iife", plugins, stdin: registering(kind, "view.js", home) });
    const style = file.replace(/js$/, "css");
    if (files.includes(style)) await make(`${kind}.css`, { entryPoints: [path.join(folder, style)] });
  }
  for (const file of files) {
    const [, home, name, place, kind] = FOR_SITE.exec(file) ?? [];
    if (!place) continue;
    const node = place === "node";
    /** @type {import("esbuild").BuildOptions} */
    const options = node ? { format: "esm", platform: "node", target: "node20" } : { format: "iife" };
    const { metafile } = await make(`${home}/${name}.${node ? "mjs" : kind}`, {
      ...options,
      entryPoints: [path.join(folder, file)],
      nodePaths: [path.join(here, "node_modules")],
      tsconfigRaw: {}, // paths in a tsconfig.json are for types
      metafile: true,
    });
    const texts = await licences(Object.keys(/** @type {any} */ (metafile).inputs));
    if (texts.length) made[`${home}/LICENSES.txt`] = new TextEncoder().encode(texts.join(RULE));
  }
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const [name, content] of Object.entries(made)) {
    await mkdir(path.dirname(path.join(out, name)), { recursive: true });
    await writeFile(path.join(out, name), content);
  }
  await writeFile(path.join(out, ".stamp"), stamp); // last: with it, all is there
  return Object.keys(made);
}

/** Run what a script is for, where it is started itself. @param {string} script its address @param {() => Promise<void>} main */
export async function whenRun(script, main) {
  if (!process.argv[1] || path.resolve(process.argv[1]) !== fileURLToPath(script)) return;
  await main().catch((error) => {
    // esbuild has printed where its own errors are
    console.error(error.errors ? error.message.split("\n")[0] : error);
    process.exitCode = 1;
  });
}

await whenRun(import.meta.url, async () => {
  const [folder, out] = process.argv.slice(2).map((each) => path.resolve(each));
  if (!out) throw new Error("Expected two folders: node bundle.mjs FOLDER OUT");
  const made = await bundle(folder, out);
  console.log(made.length ? `Built ${made.join(", ")}` : "The views are built already.");
});
