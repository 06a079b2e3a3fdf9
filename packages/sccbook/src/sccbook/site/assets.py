"""Give each page the styles and scripts that it needs, and no others.

Jupyter Book puts every script and stylesheet that it finds under the book's static folders
into every page. So this part gathers its own static folder while the book is built, and
adds files to a page by what the page shows.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from explorax.frontend import asset
from sccbook.site import python
from sccbook.site.figures import own_views_shown, views_shown
from sccbook.site.search import DIST

PALETTE, THEME = "palette.css", ("book.css", "book.js")
FIGURE_STYLE, FIGURE_SCRIPT = "figure.css", "figure.js"
SCRUBBER, SCRUBBED = "scrubber.js", 'class="gl-scrub"'
"""The script that binds a number in the text to a figure, and how such a number is marked in HTML."""
MATHS_STYLE, MATHS_FONT = "maths.css", "maths.woff2"
LICENCES = "LICENSES.txt"
"""Of the code by others that the script carries, and of the font."""

NEVER = (
    "**/*.map",
    "**/*.LICENSE.txt",
    "*webpack-macros.html",
    "images/logo_*",
    "locales",
    "scripts/bootstrap.js",
    "scripts/fontawesome.js",
    "vendor",
    "language_data.js",
    "searchtools.js",
    "file.png",
    "minus.png",
    "plus.png",
)
"""Files that the theme and Sphinx bring and no page asks for (6 MB with the maps)."""


def gather(app: Sphinx) -> None:
    """Copy the site's own assets into one static folder, afresh."""
    folder = Path(app.doctreedir).parent / ".sccbook_static"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    engine = (PALETTE, MATHS_STYLE, MATHS_FONT, FIGURE_STYLE, FIGURE_SCRIPT, SCRUBBER, LICENCES)
    search = (DIST / "search.css", DIST / "search.js")  # fetched when somebody searches
    theme = Path(app.srcdir, "book", "theme")
    for file in (*map(asset, engine), *search, *(theme / name for name in THEME)):
        shutil.copy(file, folder)
    with (folder / LICENCES).open("a", encoding="utf-8") as licences:
        licences.write(f"\n{'-' * 80}\n\n{(DIST / LICENCES).read_text(encoding='utf-8')}")
    shutil.copytree(asset("views"), folder / "views")
    python.gather(folder, Path(app.srcdir))
    app.config.html_static_path = [*app.config.html_static_path, str(folder)]
    # a page without maths fetches no font
    for sheet, priority in ((PALETTE, 100), (MATHS_STYLE, 200), (THEME[0], 900)):
        app.add_css_file(sheet, priority=priority)
    app.add_js_file(THEME[1], loading_method="defer", priority=900)


def choose(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add to a page what its figures need, with the views that draw them."""
    if doctree is None:
        return
    views = views_shown(doctree)
    if views is None:
        return
    app.add_css_file(FIGURE_STYLE, priority=800)
    own = own_views_shown(doctree)
    for kind, view in sorted(own.items()):
        put(app, f"views/{kind}.js", view["script"])
        if view["style"]:
            put(app, f"views/{kind}.css", view["style"])
            app.add_css_file(f"views/{kind}.css", priority=800)
    scripts = [FIGURE_SCRIPT, *(f"views/{view}.js" for view in sorted(views | own.keys()))]
    if any(SCRUBBED in n.astext() for n in doctree.findall(nodes.raw)):
        scripts.append(SCRUBBER)
    for script in scripts:
        # a classic script: from file:// a browser refuses to load an external module
        app.add_js_file(script, loading_method="defer", priority=800)


def put(app: Sphinx, name: str, text: str) -> None:
    """Write a file that a figure brings along into the built site.

    Raises:
        ExtensionError: where another figure brought a different one of this name.
    """
    written = app.__dict__.setdefault("_sccbook_written", {})
    if written.setdefault(name, text) != text:
        raise ExtensionError(
            f"Two figures bring different files {name}: their views need two kinds."
        )
    path = Path(app.outdir) / "_static" / name
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def prune(app: Sphinx) -> None:
    """Remove from the built site what no page asks for."""
    static = Path(app.outdir) / "_static"
    for pattern in NEVER:
        for path in static.glob(pattern):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
