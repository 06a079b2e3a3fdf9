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
from jinja2 import Template
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx_markdown_builder.contexts import SubContext, WrappedContext
from sphinx_markdown_builder.translator import MarkdownTranslator, pushing_context

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

LIST = Path(__file__).parent / "templates" / "llms.txt"
LEFT_OUT = re.compile(r'<details class="(?:check|fold solution)')
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]+)\)")


class PageTranslator(MarkdownTranslator):  # type: ignore[misc]  # it carries no types
    """Translate the book's own nodes too, and leave no HTML."""

    visit_Aside = visit_target = visit_comment = visit_toctree = MarkdownTranslator._skip  # noqa: N815
    visit_definition = MarkdownTranslator.visit_paragraph

    def visit_Box(self, node: Box) -> None:  # noqa: N802 - as the node is called
        """Leave out checks and solutions; of other boxes, only the contents matter."""
        if LEFT_OUT.match(node["begin"]):
            raise nodes.SkipNode

    def visit_citation(self, node: nodes.citation) -> None:
        """Write a work once: sphinxcontrib-bibtex adds its label and its words for each builder."""
        del node[2:]

    def visit_raw(self, node: nodes.raw) -> None:
        """Write in Markdown what was HTML."""
        text, apart = node.astext(), 0 if isinstance(node.parent, nodes.TextElement) else 2
        for pattern, instead in HTML:
            text = re.sub(pattern, instead, text, flags=re.DOTALL | re.MULTILINE)
        self.add(re.sub(r"\s*\n\s*\n\s*", "\n\n", unescape(text)).strip(), apart, apart)
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

    def visit_term(self, node: nodes.TextElement) -> None:
        """Write a term, or the label of a work, in bold; what it means comes below."""
        self.add(f"**{node.astext()}**", 2, 1)
        raise nodes.SkipNode

    visit_label = visit_term

    @pushing_context  # type: ignore[untyped-decorator]
    def visit_reference(self, node: nodes.reference) -> None:
        """Link to whole pages: Markdown has no anchors."""
        to = node.get("refuri", "")
        to = to.split("#")[0] if node.get("internal") else to
        self._push_context(WrappedContext("[", f"]({to})") if to else SubContext())


def prepare(doctree: nodes.document, page: str) -> None:
    """Put outputs as text into a page's tree, and links in place of what can only be seen."""
    for bundle in list(doctree.findall(nodes.container)):
        if bundle.get("nb_element") == "mime_bundle":
            forms = {form["mime_type"]: form for form in bundle.children}
            bundle.replace_self(as_text(forms, f"{posixpath.basename(page)}.html"))


def as_text(forms: Mapping[str, nodes.Element], page: str) -> Sequence[nodes.Node]:
    """Return an output as text: a figure's sentence, its table, and a link; of a picture, only the link."""
    words = "Drag this figure on its page" if MIME in forms else "See this picture on its page"
    link = nodes.paragraph("", "", nodes.reference("", words, refuri=page))
    if MIME in forms:
        sentence, _, table = forms["text/plain"].astext().partition("\n")
        block = [nodes.literal_block(table, table, language="text")] if table else []
        return [nodes.paragraph("", sentence), *block, link]
    seen = any(kind.startswith("image/") for kind in forms)
    return [link] if seen else list(forms["text/plain"].children)


def write(app: Sphinx) -> None:
    """Write all pages, and both lists."""
    out, env = Path(app.outdir), app.env
    names = list(env.collect_relations())
    app.builder = builder = app.registry.create_builder(
        app, "markdown", env
    )  # transforms ask for it
    builder.default_translator_class = PageTranslator
    builder.init()
    builder.prepare_writing(set(names))
    for name in names:
        doctree = env.get_doctree(name)
        prepare(doctree, name)
        env.apply_post_transforms(doctree, name)
        builder.write_doc(name, doctree)
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
        return unescape("".join(DESCRIPTION.findall(page)))

    template = Template(LIST.read_text(encoding="utf-8"), keep_trailing_newline=True)
    return str(template.render(config=app.config, about=about, parts=contents(app)))


def link(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Tell programs where a page is in Markdown."""
    if doctree:
        context["markdown"] = f"{posixpath.basename(page)}.md"
        context["metatags"] += f'\n<link rel="alternate" type="text/markdown" href="{context["markdown"]}">'  # fmt: skip
