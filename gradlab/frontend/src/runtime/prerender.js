// At build time: descriptions on stdin, as a JSON array; HTML fragments on stdout, likewise.
// With --picture, one description on stdin and one SVG file on stdout.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { renderToString } from "preact-render-to-string";
import { html } from "../common/html.js";
import { Live, Stills } from "./figure.js";
import { load } from "./program.js";
import { sentence } from "./sentences.js";
import { initial } from "./update.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */

/** On paper nothing is to be predicted. @param {import("./update.js").State} state */
const shown = (state) => ({ ...state, attempt: null, concealed: new Set() });

/**
 * A figure as HTML: the first picture with its controls, stills, and the description.
 * @param {Description} description
 */
export async function fragment(description) {
  const evaluate = await load(description);
  const text = JSON.stringify(description);
  const id = `gl-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  const layouts = Object.keys(viewOf(description).layouts);
  const state = (/** @type {Record<string, any>} */ settings) =>
    initial(description, settings, evaluate, layouts);
  const stills = (description.stills.length ? description.stills : [{}]).map((still) =>
    shown(state({ ...description.settings, ...still })),
  );
  const tree = html`
    <figure class="gl-figure" id=${id} data-figure=${description.name}>
      <div class="gl-root">
        <${Live} description=${description} state=${state(description.settings)} send=${null} id=${id} />
      </div>
      <${Stills} description=${description} states=${stills} id=${id} />
      <script type="application/json" class="gl-description"
        dangerouslySetInnerHTML=${{ __html: text.replace(/</g, "\\u003c") }} />
    </figure>
  `;
  return renderToString(/** @type {import("preact").VNode} */ (tree));
}

/**
 * Of minified styles, the rules whose classes are all in some markup.
 * @param {string} css
 * @param {string} markup
 */
export function needed(css, markup) {
  const present = new Set(
    [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names.split(/\s+/)),
  );
  let flat = css.replace(/\/\*.*?\*\//gs, "");
  for (const block of flat.match(/@[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g) ?? [])
    flat = flat.replace(block, "");
  return [...flat.matchAll(/([^{}]+)\{[^{}]*\}/g)]
    .filter(([, selectors]) =>
      selectors.split(",").some((one) => {
        const classes = [...one.matchAll(/\.([\w-]+)/g)].map(([, name]) => name);
        return classes.length > 0 && classes.every((name) => present.has(name));
      }),
    )
    .map(([rule]) => rule.trim())
    .join("");
}

/**
 * A figure's first picture as a file of its own, with its title and sentence.
 * @param {Description} description
 * @param {string} palette
 * @param {string} css
 */
export async function picture(description, palette, css) {
  const values = (await load(description))(description.settings);
  const { view, spec, layouts } = viewOf(description);
  const { width, height } = layouts.wide;
  const state = {
    description,
    spec,
    settings: description.settings,
    values,
    layout: "wide",
    id: "picture",
    concealed: new Set(),
  };
  const tree = html`
    <svg xmlns="http://www.w3.org/2000/svg" class="gl-picture gl-file" viewBox=${`-20 -78 ${width + 40} ${height + 90}`}
      width=${width + 40} height=${height + 90} role="img">
      <title>${sentence(description, description.settings, values)}</title>
      <style>STYLES</style>
      <rect class="gl-paper" x="-20" y="-78" width=${width + 40} height=${height + 90} />
      <text class="gl-filetitle" x="0" y="-40">${description.title}</text>
      <text class="gl-muted" x="0" y="-16">${sentence(description, description.settings, values)}</text>
      ${view.draw(state)}
    </svg>
  `;
  const text = renderToString(/** @type {import("preact").VNode} */ (tree));
  return text.replace("STYLES", () => palette + needed(css, text));
}

async function main() {
  let input = "";
  for await (const chunk of process.stdin) input += chunk;
  if (process.argv[2] === "--picture") {
    const [palette, css] = await Promise.all(
      ["palette.css", "figure.css"].map((name) => readFile(new URL(name, import.meta.url), "utf8")),
    );
    process.stdout.write(`${await picture(JSON.parse(input), palette, css)}\n`);
    return;
  }
  /** @type {Description[]} */
  const descriptions = JSON.parse(input);
  process.stdout.write(JSON.stringify(await Promise.all(descriptions.map(fragment))));
}

if (process.argv[1] && /prerender\.m?js$/.test(process.argv[1])) await main();
