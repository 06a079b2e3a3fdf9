"""Write each page in Markdown beside it, for those who read with a program, and ``llms.txt``, which lists them.

sphinx-markdown-builder writes the pages' own trees, in the same build: nothing is executed or read twice. (sphinx-llm,
which is made of it, starts Sphinx again, and needs a ``conf.py`` that Jupyter Book doesn't have.) A figure becomes its
sentence, its table and a link to it. Checks and solutions are left out, as in the notebook that a page offers.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx_markdown_builder.builder import MarkdownBuilder
from sphinx_markdown_builder.contexts import STRONG_CONTEXT, SubContext, SubContextParams
from sphinx_markdown_builder.translator import MarkdownTranslator

from explorax.frontend import MIME
from sccbook.site.boxes import Box

HTML = (
    (r'<svg[^>]*aria-label="([^"]*)".*?</svg>', r"\n\n*\1*\n\n"),
    (r"^<a ", r"\n\n\g<0>"),
    (r'<a [^>]*href="([^"#:]*)\.html"[^>]*>(.*?)</a>', r"[\2](\1.md)"),
    (r"<(?:h3|summary)>(.*?)</(?:h3|summary)>", r"\n\n**\1**\n\n"),
    (r"</?(?:b|strong)>", "**"),
    (r"</?code>", "`"),
    (r"</?p[ >]", r"\n\n\g<0>"),
    (r"<[^>]*>", ""),
)
"""What the book writes in HTML, and what that is in Markdown."""

LANGUAGES = {"ipython3": "python", "myst-ansi": "text"}
"""What MyST-NB calls a language, and what it's called elsewhere."""

LEFT_OUT = re.compile(r'<details class="(?:check|fold solution)')
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]+)\)")


class PageTranslator(MarkdownTranslator):  # type: ignore[misc]  # it carries no types
    """Translate the book's own nodes too, and leave no HTML."""

    def visit_Box(self, node: Box) -> None:  # noqa: N802 - as the node is called
        """Leave out checks and solutions; of other boxes, only the contents matter."""
        if LEFT_OUT.match(node["begin"]):
            raise nodes.SkipNode

    def skip(self, node: nodes.Element) -> None:
        """Leave out a node."""
        raise nodes.SkipNode

    visit_Aside = visit_target = visit_comment = skip  # noqa: N815

    def visit_raw(self, node: nodes.raw) -> None:
        """Write in Markdown what was HTML."""
        text = node.astext()
        for pattern, instead in HTML:
            text = re.sub(pattern, instead, text, flags=re.DOTALL | re.MULTILINE)
        if isinstance(node.parent, nodes.TextElement):
            self.add(unescape(text))
        else:
            self.add(re.sub(r"\s*\n\s*\n\s*", "\n\n", unescape(text)).strip(), 2, 2)
        raise nodes.SkipNode

    def visit_image(self, node: nodes.image) -> None:
        """Show a picture from where Sphinx copies it."""
        file = f"_images/{self.builder.env.images[node['uri']][1]}"
        folder = posixpath.dirname(self.builder.current_doc_name)
        self.add(f"![{node.get('alt', '')}]({posixpath.relpath(file, folder)})")

    def visit_literal_block(self, node: nodes.literal_block) -> None:
        """Name a language as others do, and none for what a cell printed."""
        node["language"] = LANGUAGES.get(node.get("language", ""), node.get("language", ""))
        super().visit_literal_block(node)

    def visit_citation(self, node: nodes.Element) -> None:
        """Write a work of the bibliography, after its label in bold."""
        self.ensure_eol(2)

    def visit_label(self, node: nodes.label) -> None:
        """Write a label in bold, and the work in the same paragraph."""
        self.add(f"**{node.astext()}**", 2, 1)
        raise nodes.SkipNode

    def visit_reference(self, node: nodes.reference) -> None:
        """Link to whole pages: Markdown has no anchors."""
        if "refuri" not in node:
            self._push_context(SubContext())
        else:
            if node.get("internal"):
                node["refuri"] = node["refuri"].split("#")[0]
            super().visit_reference(node)

    def depart_reference(self, node: nodes.reference) -> None:
        """End a link."""
        self._pop_context(node)

    def visit_term(self, node: nodes.term) -> None:
        """Write a term in bold, and what it means below."""
        self.ensure_eol(2)
        self._push_context(STRONG_CONTEXT.create(node, "strong"))

    depart_term = MarkdownTranslator._pop_context

    def visit_definition(self, node: nodes.definition) -> None:
        """Write a definition."""
        self._push_context(SubContext(SubContextParams(2, 2)))

    depart_definition = MarkdownTranslator._pop_context


class PageBuilder(MarkdownBuilder):  # type: ignore[misc]
    """Write the pages' trees in Markdown."""

    default_translator_class = PageTranslator


def prepared(doctree: nodes.document, page: str) -> nodes.document:
    """Return a page's tree with outputs as text, and links in place of what can only be seen."""
    for toctree in list(doctree.findall(addnodes.toctree)):
        toctree.parent.remove(toctree)
    for bundle in list(doctree.findall(nodes.container)):
        if bundle.get("nb_element") == "mime_bundle":
            forms = {form["mime_type"]: form for form in bundle.children}
            bundle.replace_self(as_text(forms, f"{posixpath.basename(page)}.html"))
    return doctree


def as_text(forms: Mapping[str, nodes.Element], page: str) -> Sequence[nodes.Node]:
    """Return an output as text: a figure's sentence, its table, and a link; of a picture, only the link."""
    if MIME in forms:
        sentence, _, table = forms["text/plain"].astext().partition("\n")
        link = nodes.reference("", "Drag this figure on its page", refuri=page)
        block = [nodes.literal_block(table, table, language="text")] if table else []
        return [nodes.paragraph("", sentence), *block, nodes.paragraph("", "", link)]
    if any(kind.startswith("image/") for kind in forms):
        link = nodes.reference("", "See this picture on its page", refuri=page)
        return [nodes.paragraph("", "", link)]
    return list(forms["text/plain"].children)


def write(app: Sphinx) -> None:
    """Write the pages whose HTML is newer, and both lists."""
    out, html, env = Path(app.outdir), app.builder, app.env
    names = list(env.collect_relations())
    builder = PageBuilder(app, env)
    builder.init()
    builder.prepare_writing(set(names))
    app.builder = builder  # transforms ask it what is being written
    try:
        for name in names:
            made = out / f"{name}.md"
            if not made.exists() or made.stat().st_mtime < (out / f"{name}.html").stat().st_mtime:
                doctree = prepared(env.get_doctree(name), name)
                env.apply_post_transforms(doctree, name)
                builder.write_doc(name, doctree)
    finally:
        app.builder = html
    pages = (moved((out / f"{name}.md").read_text("utf-8"), name) for name in names)
    (out / "llms-full.txt").write_text("\n\n".join(pages), encoding="utf-8")
    (out / "llms.txt").write_text(listed(app), encoding="utf-8")


def moved(text: str, page: str) -> str:
    """Return a page's text with its links as they are from the top of the book."""
    folder = posixpath.dirname(page)
    return LINK.sub(lambda link: f"]({posixpath.normpath(posixpath.join(folder, link[1]))})", text)


def contents(app: Sphinx) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the book's parts in reading order: each one's caption, and its pages' titles and names."""

    def entry_and_below(title: str | None, name: str) -> Iterator[tuple[str, str]]:
        yield title or app.env.titles[name].astext(), name
        for lower in app.env.toctree_includes.get(name, ()):
            yield from entry_and_below(None, lower)

    return [
        (
            part["caption"] or "",
            [page for entry in part["entries"] for page in entry_and_below(*entry)],
        )
        for part in app.env.get_doctree(app.config.root_doc).findall(addnodes.toctree)
    ]


def listed(app: Sphinx) -> str:
    """Return the list of the pages, as llmstxt.org describes it."""

    def about(name: str) -> str:
        page = (Path(app.outdir) / f"{name}.html").read_text("utf-8")
        described = DESCRIPTION.search(page)
        return unescape(described[1]) if described else ""

    root = app.config.root_doc
    start = f"[The first page]({root}.md), or [all pages in one file](llms-full.txt)"
    parts = [f"# {app.config.html_title}", f"> {about(root)}", start]
    for caption, pages in contents(app):
        lines = [f"- [{title}]({name}.md): {about(name)}" for title, name in pages]
        parts.append("\n".join([f"## {caption}", "", *lines]))
    return "\n\n".join(parts) + "\n"


def link(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Tell programs where a page is in Markdown."""
    if doctree:
        context["markdown"] = f"{posixpath.basename(page)}.md"
        context["metatags"] += f'\n<link rel="alternate" type="text/markdown" href="{context["markdown"]}">'  # fmt: skip
