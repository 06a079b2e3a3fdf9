// At build time: descriptions on stdin, as a JSON array; HTML fragments on stdout, likewise.
// With --picture, one description on stdin and one SVG file on stdout. What a view logs goes to stderr.

import { Console } from "node:console";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import { renderToString } from "preact-render-to-string";
import { html } from "../common/html.js";
import { unbroken } from "../common/template.js";
import "./allViews.js";
import { addViews } from "./engine.js";
import { Live } from "./figure.js";
import { load } from "./program.js";
import { withRoom } from "./reserve.js";
import { sentence } from "./sentences.js";
import { initial } from "./state.js";
import { stillsOf, withoutPrediction } from "./stills.js";
import { viewOf } from "./views.js";

/** @typedef {import("../common/types.js").Description} Description */

const LINE = /[^ ].{0,97}(?= |$)|[^ ]+/g; // of as many letters as go across a wide picture, between words

/**
 * A figure as HTML: the first picture with its controls, stills, and the description. The page has the scripts
 * of its views in files of their own.
 * @param {Description} whole
 */
export async function fragment({ views, ...described }) {
  await addViews(views);
  const evaluate = await load(described);
  const description = withRoom(described, evaluate);
  const text = JSON.stringify(description);
  const id = `gl-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  const layouts = Object.keys(viewOf(description).layouts);
  /** @type {any} */
  const tree = html`
    <figure class=${description.width ? `gl-figure gl-slim gl-${description.width}` : "gl-figure"} id=${id} data-figure=${description.name}>
      <div class="gl-root">
        <${Live} description=${description} state=${initial(description, description.settings, evaluate, layouts)} send=${null} id=${id} />
      </div>
      ${stillsOf(description, evaluate, id)}
      <script type="application/json" class="gl-description"
        dangerouslySetInnerHTML=${{ __html: text.replace(/</g, "\\u003c") }} />
    </figure>
  `;
  return renderToString(tree);
}

/**
 * A figure's first picture as a file of its own, with its title and sentence.
 * @param {Description} description
 * @param {string} styles
 */
export async function picture(description, styles) {
  const { views = {} } = description;
  await addViews(views);
  const own = Object.values(views).map(({ style }) => style);
  const { view, spec, layouts } = viewOf(description);
  const { width, height } = layouts.wide;
  const state = initial(withoutPrediction(description), description.settings, await load(description), [
    "wide",
  ]);
  const words = sentence(description, state.settings, state.values);
  const lines = unbroken(words).match(LINE) ?? [];
  const title = -20 - 20 * lines.length;
  const paper = { x: -20, y: title - 38, width: width + 40, height: height + 50 - title };
  /** @type {any} */
  const tree = html`
    <svg xmlns="http://www.w3.org/2000/svg" class="gl-picture gl-file" viewBox=${Object.values(paper).join(" ")}
      width=${paper.width} height=${paper.height} role="img">
      <title>${words}</title>
      <style dangerouslySetInnerHTML=${{ __html: [styles, ...own].join("") }} />
      <rect class="gl-paper" ...${paper} />
      <text class="gl-filetitle" x="0" y=${title}>${description.title}</text>
      ${lines.map((line, i) => html`<text class="gl-muted" x="0" y=${title + 24 + 20 * i}>${line}</text>`)}
      ${view.draw({ ...state, description, spec, layout: "wide", id: "picture" })}
    </svg>
  `;
  const text = renderToString(tree);
  return text.replace(/ (class|d|style)(?=[ >])(?=[^<]*>)/g, ' $1=""'); // XML has no attribute without a value
}

async function main() {
  globalThis.console = new Console(process.stderr);
  /** @type {any} */
  const given = await json(process.stdin);
  if (process.argv[2] === "--picture") {
    const styles = await readFile(new URL("picture.css", import.meta.url), "utf8");
    process.stdout.write(`${await picture(given, styles)}\n`);
  } else process.stdout.write(JSON.stringify(await Promise.all(given.map(fragment))));
}

if (process.argv[1] && /prerender\.m?js$/.test(process.argv[1])) await main();
