"""The book's Sphinx extension: figures, cells, plots, maths, assets, execution and downloads.

One idea a module. The extension knows a figure by its MIME type only, and asks nothing
of any other host: whatever a page needs is served beside it.
"""

from __future__ import annotations

from pathlib import Path

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
        containers,
        downloads,
        execution,
        folds,
        gallery,
        glossary,
        layout,
        line_breaks,
        maths,
        plots,
        progress,
        rows,
        search,
        stills,
        stylesheets,
        tables,
        tabs,
    )

    for part in (execution, ahead, folds, checks, plots, maths, tables, code, assets, layout,
                 containers, citations, glossary, tabs, rows, stills, line_breaks, progress):  # fmt: skip
        part.connect(app)

    def finish(app: Sphinx, exception: Exception | None) -> None:
        if exception is not None or app.builder.format != "html":
            return
        assets.prune(app)
        search.fix(app)
        layout.open_front_door(app)
        out = Path(app.outdir)
        for path in out.rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            finished = gallery.illustrated(access.fixed(text), path.parent, out)
            if finished != text:
                path.write_text(finished, encoding="utf-8")
        stylesheets.prune(app)
        downloads.leave_out(app)
        checks.report(app)

    app.connect("build-finished", finish, priority=900)  # the theme writes a stylesheet then, too
    return {"parallel_read_safe": True, "parallel_write_safe": True}
