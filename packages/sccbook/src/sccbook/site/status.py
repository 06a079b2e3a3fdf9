"""Show when each chapter was executed, how long it took, whether its checks hold, and what built the book.

The directive ``build-status`` becomes one of two tables. MyST-NB's own ``nb-exec-table`` knows nothing of checks: it
says that a chapter succeeded even if one of them failed. A page that has a table is written in every build.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from sccbook.site.checks import LISTED
from sccbook.site.dates import in_words, printed

PACKAGES = {
    "the book": ("sccbook", "explorax", "scaleclip"),
    "what chapters compute with": ("jax", "jaxlib", "numpy", "scipy", "optax", "keras", "mctx"),
    "what builds the pages": ("jupyter-book", "sphinx", "myst-nb"),
}
TABLES = ("chapters", "build")
HAS_STATUS = "has_build_status"
"""What Sphinx's metadata of a page have if it has a table."""


class BuildStatus(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils carries no types
    """Where a table will be, once all chapters have been read: of the ``part`` that is ``chapters`` or ``build``."""


class BuildStatusDirective(SphinxDirective):
    """Leave a place for a table: ``{build-status} chapters``, or ``{build-status} build``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Note the page too, so that it's written again."""
        self.env.metadata[self.env.docname][HAS_STATUS] = True
        return [BuildStatus(part=directives.choice(self.arguments[0], TABLES))]


def write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages that have a table."""
    return [name for name, metadata in env.metadata.items() if HAS_STATUS in metadata]


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


def processor() -> str:
    """Return what the processor is called, or else its architecture."""
    told = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*:\s*(.+)$", told.read_text("utf-8") if told.exists() else "", re.MULTILINE)  # fmt: skip
    return named[1] if named else platform.processor() or platform.machine()


def installed(names: Iterable[str]) -> str:
    """Return packages with their versions, those that are installed."""
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue  # the book can be built without it
    return ", ".join(found)


def commit(root: Path) -> str:
    """Return from which commit a folder is, and whether it has been changed since."""
    if not (told := printed("git", "log", "-1", "--format=%h", "--", "_toc.yml", folder=root)):
        return "not known"
    told = printed("git", "rev-parse", "--short=10", "HEAD", folder=root)
    changed = printed("git", "status", "--porcelain", "--untracked-files=no", folder=root)
    return f"{told}, with changes" if changed else told


def build_rows(root: Path) -> list[tuple[str, str]]:
    """Return what built the book, and when."""
    return [
        ("built", moment(datetime.now(UTC))),
        ("from commit", commit(root)),
        *((what, installed(names)) for what, names in PACKAGES.items()),
        ("Python", platform.python_version()),
        ("Node", printed("node", "--version").removeprefix("v")),
        ("processor", processor()),
        ("system", f"{platform.system()} {platform.release()}"),
    ]


class ShowStatus(SphinxPostTransform):
    """Write the tables of one page."""

    default_priority = 300

    def run(self, **options: Any) -> None:
        """Run on one page."""
        for place in list(self.document.findall(BuildStatus)):
            if place["part"] == "chapters":
                made = table(("page", "last executed", "checks"), self.chapter_rows())
            else:
                made = table(("what", "in this build"), build_rows(Path(self.env.srcdir)))
            place.replace_self(made)

    def chapter_rows(self) -> Iterable[Sequence[str | nodes.Node]]:
        """Yield a row for each page that has been executed, in reading order."""
        known: Any = getattr(self.env, "nb_metadata", {})  # MyST-NB's
        for name in self.env.collect_relations():
            if not (told := known.get(name, {}).get("exec_data")):
                continue
            target = self.app.builder.get_relative_uri(self.env.docname, name)
            title = self.env.titles[name].astext()
            # jupyter-cache's time is in UTC but doesn't say it, and MyST-NB takes it for a local one
            executed = moment(datetime.fromtimestamp(told["mtime"]))  # noqa: DTZ006
            failed = self.env.metadata[name][LISTED]
            yield (
                nodes.reference("", title, refuri=target, internal=True),
                f"{executed}, in {told['runtime']:.1f} s",
                f"{len(failed)} failed: {'; '.join(failed)}" if failed else "all hold",
            )
