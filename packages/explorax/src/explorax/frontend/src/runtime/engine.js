// What a view's script finds as `explorax`: what it may use, and where it registers. Views of a figure's own
// come with its description, as its program does.

import { register, VIEWS } from "../common/views.js";
import * as names from "../view.js";
import { importText } from "./program.js";

/** @type {Record<string, any>} */
const view = new Proxy(names, {
  get(all, name) {
    if (name in all) return Reflect.get(all, name);
    throw new Error(
      `This explorax has no "${String(name)}" for views: the view was built for a newer one, or the name is wrong.`,
    );
  },
});

export const explorax = { view, register };

/** The views that came with descriptions: each script is run once. @type {Map<string, {script: string, done: Promise<void>}>} */
const added = new Map();

/**
 * Register the views that a description carries. Their scripts see this engine as `explorax`, whatever other
 * engines are in the same page.
 * @param {Record<string, {script: string}>} [views]
 */
export async function addViews(views = {}) {
  for (const [kind, { script }] of Object.entries(views)) {
    const known = added.get(kind) ?? { script, done: add(kind, script) };
    added.set(kind, known);
    if (known.script !== script)
      throw new Error(`Two different scripts draw the view "${kind}"; give one of them another kind.`);
    await known.done;
  }
}

/** @param {string} kind @param {string} script */
async function add(kind, script) {
  const { default: run } = await importText(`export default (explorax) => {\n${script}\n}`);
  run(explorax);
  if (!VIEWS[kind])
    throw new Error(`The script of the view "${kind}" does not call explorax.register("${kind}", ...).`);
}
