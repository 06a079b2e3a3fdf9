// The editor of a block: CodeMirror, in a shadow tree, where it may bring its styles along (the page's policy lets no script
// write a style element). To whom it's given it looks like a textarea.

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
]);

const DRESS = EditorView.theme({
  "&": { background: "var(--gl-wash)", color: "var(--gl-ink)", fontSize: "0.86em" },
  "&.cm-focused": { outline: "3px solid var(--gl-state)" },
  ".cm-scroller": { fontFamily: "var(--pst-font-family-monospace)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--gl-ink)" },
  ".cm-gutters": { background: "var(--gl-wash)", border: "0", color: "var(--gl-muted)" },
});

/** After Escape, Tab leaves until something is typed, however long the reader takes. @param {EditorView} view */
const leave = (view) => Boolean(view.setTabFocusMode(1e9));

Object.assign(globalThis, {
  /** @param {HTMLElement} host @param {HTMLTextAreaElement} area whose text it takes over @param {() => void} changed @param {() => boolean} run */
  sccbookEditor(host, area, changed, run) {
    const parent = host.attachShadow({ mode: "open" });
    const keys = [{ key: "Mod-Enter", run }, { key: "Escape", run: leave }, indentWithTab, ...defaultKeymap];
    const named = EditorView.contentAttributes.of({ "aria-label": area.ariaLabel ?? "" });
    const listening = EditorView.updateListener.of(({ docChanged }) => docChanged && changed());
    const looks = [lineNumbers(), python(), indentUnit.of("    "), syntaxHighlighting(COLOURS), DRESS];
    const extensions = [keymap.of([...keys, ...historyKeymap]), history(), looks, named, listening];
    const view = new EditorView({ doc: area.value, root: parent, parent, extensions });
    return {
      get value() {
        return view.state.doc.toString();
      },
      set value(insert) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
      },
      focus: () => view.focus(),
    };
  },
});
