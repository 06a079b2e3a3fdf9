// The editor of a block: CodeMirror, in a shadow tree, where it may bring its styles along (the page's policy lets no script
// write a style element).

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--gl-state)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--gl-parameter)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--gl-cotangent)" },
  { tag: tags.comment, color: "var(--gl-muted)", fontStyle: "italic" },
  { tag: tags.definition(tags.function(tags.variableName)), color: "var(--gl-loss)" },
]);

const DRESS = EditorView.theme({
  "&": { background: "var(--gl-wash)", color: "var(--gl-ink)", fontSize: "0.86em" },
  "&.cm-focused": { outline: "3px solid var(--gl-state)" },
  ".cm-content": {
    caretColor: "var(--gl-ink)",
    fontFamily: "var(--pst-font-family-monospace)",
    lineHeight: "1.5",
  },
  ".cm-cursor": { borderLeftColor: "var(--gl-ink)" },
  ".cm-gutters": { background: "none", border: "0", color: "var(--gl-muted)" },
  ".cm-scroller": { fontFamily: "var(--pst-font-family-monospace)" },
});

/** @param {{host: HTMLElement, text: string, label: string, changed: () => void, run: () => void}} wanted */
function sccbookEditor({ host, text, label, changed, run }) {
  const runs = () => {
    run();
    return true;
  };
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    doc: text,
    root,
    parent: root,
    extensions: [
      keymap.of([{ key: "Mod-Enter", run: runs }, { key: "Escape", run: leave }, indentWithTab]),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      history(),
      lineNumbers(),
      python(),
      indentUnit.of("    "),
      syntaxHighlighting(COLOURS),
      DRESS,
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
      EditorView.domEventHandlers({ focus: (_, each) => each.setTabFocusMode(false) }),
    ],
  });
  const set = (/** @type {string} */ next) =>
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set,
    focus: () => view.focus(),
  }; // prettier-ignore
}

/** After Escape, Tab leaves until something is typed, however long the reader takes. @param {EditorView} view */
function leave(view) {
  view.setTabFocusMode(1e9);
  return false;
}

Object.assign(globalThis, { sccbookEditor });
