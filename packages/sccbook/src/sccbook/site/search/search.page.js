// The book's search in a page, which fetches it when somebody searches or arrives from a result.

import { excerpt } from "./excerpt.js";
import { searcher } from "./index.js";
import { mark } from "./mark.js";

const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
const ROOT = new URL("..", src);
/** How many results a dialog has room for, and the page of the search. */
const IN_DIALOG = 8;
const IN_PAGE = 30;

/**
 * @param {string} tag @param {Record<string, any>} properties @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
function element(tag, properties, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Return a result as an option that is a link, too. @param {import("./index.js").Hit} hit @param {string} query */
function option(hit, query) {
  const address = new URL(hit.url, ROOT);
  address.searchParams.set("highlight", query);
  const found = excerpt(hit.text, query).map((piece, nth) =>
    nth % 2 ? element("mark", { textContent: piece }) : piece,
  );
  const place = `${hit.number} ${hit.chapter}`.trim();
  return element("a", { role: "option", href: address.href, tabIndex: -1, ariaSelected: "false" }, [
    element("span", { className: "hit-page", textContent: hit.title === hit.chapter ? "" : place }),
    element("span", { className: "hit-title", textContent: hit.title === hit.chapter ? place : hit.title }),
    element("span", { className: "hit-text" }, found),
  ]);
}

/** Show what a form finds below it, while its reader types. @param {HTMLFormElement} form @param {number} nth */
function attach(form, nth) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  const most = form.closest("dialog") ? IN_DIALOG : IN_PAGE;
  const count = element("p", { className: "hit-count", role: "status" });
  const list = element("div", { className: "hits", role: "listbox", ariaLabel: "Results", hidden: true });
  list.id = `hits-${nth}`;
  form.after(count, list);
  Object.assign(input, { role: "combobox", ariaExpanded: "false", ariaAutoComplete: "list" });
  input.setAttribute("aria-controls", list.id);
  if (most === IN_PAGE) input.value ||= asked.get("q") ?? "";

  /** @param {Element | undefined} chosen */
  function choose(chosen) {
    for (const each of list.children) each.ariaSelected = String(each === chosen);
    input.setAttribute("aria-activedescendant", chosen?.id ?? "");
    chosen?.scrollIntoView({ block: "nearest" });
  }

  /** @param {(query: string) => import("./index.js").Hit[]} search */
  function show(search) {
    const query = input.value.trim();
    const hits = query ? search(query) : [];
    list.replaceChildren(...hits.slice(0, most).map((hit) => option(hit, query)));
    for (const [i, each] of [...list.children].entries()) each.id = `${list.id}-${i}`;
    list.hidden = !hits.length;
    input.ariaExpanded = String(!list.hidden);
    choose(undefined);
    const found = hits.length === 1 ? "1 section found" : `${hits.length || "No"} sections found`;
    const more = most === IN_DIALOG ? "Enter lists more" : `these are the best ${most}`;
    count.textContent = query && `${found}${hits.length > most ? `; ${more}` : ""}.`;
  }

  input.addEventListener("keydown", (event) => {
    const all = [...list.children];
    const at = all.findIndex((each) => each.ariaSelected === "true");
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? all.length - 1 : at - 1 }[event.key];
    if (to !== undefined && all.length) choose(all[to]);
    else if (event.key === "Enter" && at >= 0) /** @type {HTMLElement} */ (all[at]).click();
    else return;
    event.preventDefault();
  });
  const refocus = () => document.activeElement === input && opener?.focus();
  form.closest("dialog")?.addEventListener("close", refocus);
  return { input, show, count };
}

/** On a telephone, what opens the dialog: the theme takes the focus from it before, so it wouldn't return there. */
const opener = /** @type {HTMLElement | null} */ (document.querySelector(".search-button"));
const asked = new URLSearchParams(location.search);
const arrived = asked.get("highlight");
if (arrived) {
  asked.delete("highlight");
  const rest = asked.size ? `?${asked}` : "";
  history.replaceState(history.state, "", `${location.pathname}${rest}${location.hash}`);
  mark(arrived);
}
const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.bd-search"));
const fields = [...forms].map(attach);
const script = element("script", { src: new URL("search-sections.js", src).href });
script.addEventListener("load", () => {
  const search = searcher(/** @type {any} */ (globalThis).bookSections);
  for (const { input, show } of fields) {
    input.addEventListener("input", () => show(search));
    show(search);
  }
});
script.addEventListener("error", () => {
  for (const { count } of fields) count.textContent = "The search couldn’t be fetched: load the page again.";
});
document.head.append(element("link", { rel: "stylesheet", href: new URL("search.css", src).href }), script);
