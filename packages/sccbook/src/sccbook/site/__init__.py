"""The book's Sphinx extension: figures, cells, plots, maths, assets, execution and downloads.

One idea a module. The extension knows a figure by its MIME type only, and asks nothing
of any other host: whatever a page needs is served beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform


def rewrite(out: Path, change: Callable[[str, Path], str]) -> None:
    """Change the text of each page of the built site, given it and the page's folder."""
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if (finished := change(text, path.parent)) != text:
            path.write_text(finished, encoding="utf-8")


def on_each_page(
    base: type[SphinxTransform], change: Callable[[Any], None], priority: int, **attributes: Any
) -> type[SphinxTransform]:
    """Return the transform that makes a change of each page; it's given itself, which has the page's tree."""

    def run(self: SphinxTransform, **options: Any) -> None:
        change(self)

    method = "run" if base is SphinxPostTransform else "apply"
    return type(change.__name__, (base,), {"default_priority": priority, method: run, **attributes})


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect every part of the extension to a Sphinx application."""
    from docutils import nodes

    from sccbook.site import (
        access,
        addresses,
        ahead,
        assets,
        boxes,
        bundles,
        checks,
        citations,
        cite,
        code,
        containers,
        dates,
        downloads,
        execution,
        folds,
        gallery,
        glossary,
        layout,
        line_breaks,
        markdown,
        maths,
        not_found,
        plots,
        policy,
        progress,
        python,
        reference,
        search,
        status,
        stills,
        stylesheets,
        tables,
        tabs,
        takeaway,
    )

    def finish(app: Sphinx, exception: Exception | None) -> None:
        if exception is not None or app.builder.format != "html":
            return
        assets.prune(app)
        addresses.list_pages(app)
        out = Path(app.outdir)
        rewrite(out, lambda text, folder: gallery.told(access.fixed(text), folder, out))
        stylesheets.prune(app)
        search.write(app)
        bundles.join(app)
        downloads.leave_out(app)
        rewrite(out, lambda text, _: policy.guarded(text))
        markdown.write(app)
        checks.report(app)

    app.setup_extension("sphinx.ext.autodoc")  # for the event by which the reference is arranged
    app.setup_extension("sphinx_markdown_builder")
    app.add_config_value("sccbook_dressing", "", "env")
    app.add_config_value("sccbook_dates", {}, "html")
    app.add_directive("cite-this", cite.CiteThis)
    app.add_html_math_renderer("mathml", (maths.visit_inline, None), (maths.visit_display, None))
    app.add_node(nodes.literal, override=True, html=(line_breaks.visit, line_breaks.depart))
    for node in (boxes.Box, boxes.Aside):
        nothing = (boxes.leave_out, boxes.leave_out)
        app.add_node(node, html=(boxes.visit, boxes.depart), latex=nothing, text=nothing)
    app.add_directive("build-status", status.BuildStatus)
    for change, priority in (
        (plots.lighten_plots, 500),
        (checks.list_failures, 870),  # before folds move cells
        (folds.fold_cells, 880),
        (python.edit_here, 885),  # not in folds
        (checks.mark_checks, 890),  # when folds have been made
    ):
        app.add_transform(on_each_page(SphinxTransform, change, priority))
    for finish_page, priority, formats in (
        # before blocks that have a language get more around them
        (tabs.show_libraries, 5, ["html"]),
        (status.show_status, 300, []),
        (tables.name_columns, 700, ["html"]),
        (citations.cite_works, 720, ["html"]),
        (glossary.define_terms, 730, ["html"]),
        (takeaway.offer_files, 890, ["html"]),  # before figures are lightened
        (maths.glue_marks, 900, ["html"]),
        (stills.lighten_figures, 900, ["html"]),
    ):
        app.add_post_transform(
            on_each_page(SphinxPostTransform, finish_page, priority, formats=formats)
        )
    for event, handler, priority in (
        # before Sphinx compares the settings with the last build's
        ("config-inited", execution.note_dressing, 500),
        ("config-inited", addresses.derive, 400),
        ("config-inited", maths.choose, 500),
        ("config-inited", layout.use_templates, 500),
        ("config-inited", dates.note, 500),
        ("builder-inited", execution.prepare_kernel, 400),
        ("builder-inited", code.choose, 500),
        ("builder-inited", reference.prepare, 500),
        ("builder-inited", assets.gather, 500),
        ("builder-inited", search.replace, 500),
        ("env-before-read-docs", ahead.execute_ahead, 500),
        ("source-read", execution.add_key, 500),
        ("autodoc-process-docstring", reference.arrange, 400),  # Napoleon comes at 500
        ("autodoc-process-signature", reference.shorten, 500),
        ("source-read", containers.wrap, 500),
        ("html-collect-pages", search.page, 500),
        ("html-collect-pages", not_found.collect, 500),
        ("html-collect-pages", layout.open_front_door, 500),
        ("html-page-context", assets.choose, 500),
        ("html-page-context", dates.show, 500),
        ("html-page-context", layout.describe, 450),
        ("html-page-context", addresses.card, 460),
        ("html-page-context", addresses.link, 600),  # after the theme's own
        ("html-page-context", markdown.link, 500),
        ("html-page-context", progress.place, 500),
        ("build-finished", finish, 900),  # the theme writes a stylesheet then, too
    ):
        app.connect(event, handler, priority)
    addresses.extend(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
