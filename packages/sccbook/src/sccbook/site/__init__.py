"""The book's Sphinx extension: figures, cells, plots, maths, assets, execution and downloads.

One idea a module. The extension knows a figure by its MIME type only, and asks nothing
of any other host: whatever a page needs is served beside it.
"""

from __future__ import annotations

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect every part of the extension to a Sphinx application."""
    from sccbook.site import (
        access,
        ahead,
        assets,
        checks,
        citations,
        code,
        downloads,
        execution,
        folds,
        gallery,
        glossary,
        layout,
        margins,
        marked,
        maths,
        names,
        plots,
        progress,
        rows,
        search,
        stills,
        stylesheets,
        tables,
        tabs,
    )

    for part in (execution, ahead, folds, checks, maths, tables, assets, layout):
        part.connect(app)
    for part in (marked, margins, citations, glossary, tabs, rows, names, progress):
        part.connect(app)
    steps = (
        assets.prune,
        search.mend,
        layout.open_front_door,
        access.mend,
        stills.lighten_all,
        gallery.illustrate_all,
        code.lighten_all,
        stylesheets.prune,
        plots.lighten_all,
        downloads.leave_out,
        checks.report,
    )

    def finish(app: Sphinx, exception: Exception | None) -> None:
        if exception is None and app.builder.format == "html":
            for step in steps:
                step(app)

    app.connect("build-finished", finish, priority=900)  # the theme writes a stylesheet then, too
    return {"parallel_read_safe": True, "parallel_write_safe": True}
