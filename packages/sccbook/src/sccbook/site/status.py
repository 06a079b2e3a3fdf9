"""Show when each chapter was executed, how long it took, whether its checks hold, and what built the book.

The directive ``build-status`` becomes one of two tables. MyST-NB's own ``nb-exec-table`` knows nothing of checks: it
says that a chapter succeeded even if one of them failed. A page that has a table is made again in every build.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from sccbook.site.checks import LISTED
from sccbook.site.dates import in_words, printed

PACKAGES = {
    "the book": ("sccbook", "explorax", "scaleclip"),
    "what chapters compute with": ("jax", "jaxlib", "numpy", "scipy", "optax", "keras", "mctx"),
    "what builds the pages": ("jupyter-book", "sphinx", "myst-nb"),
}
PART = "build_status"
"""The attribute of a place for a table; it is ``chapters`` or ``build``."""


class BuildStatus(SphinxDirective):
    """Leave a place for a table: ``{build-status} chapters``, or ``{build-status} build``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Leave it until all chapters have been read."""
        self.env.note_reread()
        return [nodes.container(**{PART: self.arguments[0]})]


def table(headings: Sequence[str], rows: Iterable[Sequence[str | nodes.Node]]) -> nodes.table:
    """Return a table of words, or of nodes that stand in a line of words."""

    def row(cells: Sequence[str | nodes.Node]) -> nodes.row:
        inline = [nodes.Text(cell) if isinstance(cell, str) else cell for cell in cells]
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in inline))

    columns = [nodes.colspec(colwidth=1) for _ in headings]
    head, body = nodes.thead("", row(headings)), nodes.tbody("", *map(row, rows))
    return nodes.table("", nodes.tgroup("", *columns, head, body, cols=len(headings)))


def moment(time: datetime) -> str:
    """Return a time in words, in UTC."""
    return f"{in_words(time.date())}, {time:%H:%M} UTC"


def build_rows(root: Path) -> list[tuple[str, str]]:
    """Return what built the book, and when."""
    # the folder may lie, unpacked, in another repository
    ours = printed("git", "ls-files", "_toc.yml", folder=root)
    commit = printed("git", "describe", "--always", "--dirty", "--exclude=*", folder=root)
    return [
        ("built", moment(datetime.now(UTC))),
        ("from commit", (ours and commit) or "not known"),
        *(
            (what, ", ".join(f"{n} {version(n)}" for n in names))
            for what, names in PACKAGES.items()
        ),
        ("Python", platform.python_version()),
        ("system", platform.platform()),
    ]


def show_status(page: SphinxPostTransform) -> None:
    """Write the tables of one page."""
    for place in list(page.document.findall(lambda node: PART in getattr(node, "attributes", ()))):
        if place[PART] == "chapters":
            made = table(("page", "last executed", "checks"), chapter_rows(page))
        else:
            made = table(("what", "in this build"), build_rows(Path(page.env.srcdir)))
        place.replace_self(made)


def chapter_rows(page: SphinxPostTransform) -> Iterable[Sequence[str | nodes.Node]]:
    """Yield a row for each page that has been executed, in reading order."""
    known: Any = getattr(page.env, "nb_metadata", {})  # MyST-NB's
    for name in page.env.collect_relations():
        if not (told := known.get(name, {}).get("exec_data")):
            continue
        target = page.app.builder.get_relative_uri(page.env.docname, name)
        title = page.env.titles[name].astext()
        # jupyter-cache's time is in UTC but doesn't say it, and MyST-NB takes it for a local one
        executed = moment(datetime.fromtimestamp(told["mtime"]))  # noqa: DTZ006
        failed = page.env.metadata[name][LISTED]
        yield (
            nodes.reference("", title, refuri=target, internal=True),
            f"{executed}, in {told['runtime']:.1f} s",
            f"{len(failed)} failed: {'; '.join(failed)}" if failed else "all hold",
        )
