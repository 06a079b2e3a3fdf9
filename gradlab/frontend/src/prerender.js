// At build time: descriptions on stdin, as a JSON array; HTML fragments on stdout, likewise.

import { createHash } from "node:crypto";
import { renderToString } from "preact-render-to-string";
import { Live, Stills } from "./figure.js";
import { html } from "./html.js";
import { load } from "./program.js";
import { VIEWS } from "./views/index.js";

/** @typedef {import("./types.js").Description} Description */

/**
 * A figure as HTML: the first picture with its controls, stills, and the description.
 * @param {Description} description
 */
export async function fragment(description) {
  const evaluate = await load(description);
  const layouts = Object.keys(VIEWS[description.view].layouts);
  const text = JSON.stringify(description);
  const id = `gl-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  /** @param {Record<string, any>} settings */
  const state = (settings) => ({
    settings,
    values: evaluate(settings),
    ghost: null,
    lit: null,
    layouts,
    said: "",
  });
  const stills = (description.stills.length ? description.stills : [{}]).map((still) =>
    state({ ...description.settings, ...still }),
  );
  const tree = html`
    <figure class="gl-figure" id=${id} data-figure=${description.name}>
      <div class="gl-root">
        <${Live} description=${description} state=${state(description.settings)} actions=${null} id=${id} />
      </div>
      <${Stills} description=${description} states=${stills} id=${id} />
      <script type="application/json" class="gl-description"
        dangerouslySetInnerHTML=${{ __html: text.replace(/</g, "\\u003c") }} />
    </figure>
  `;
  return renderToString(/** @type {import("preact").VNode} */ (tree));
}

async function main() {
  let input = "";
  for await (const chunk of process.stdin) input += chunk;
  /** @type {Description[]} */
  const descriptions = JSON.parse(input);
  process.stdout.write(JSON.stringify(await Promise.all(descriptions.map(fragment))));
}

if (process.argv[1] && /prerender\.m?js$/.test(process.argv[1])) await main();
