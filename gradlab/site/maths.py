"""Typeset the maths while the book is built, with KaTeX, and serve its fonts beside the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from gradlab.site.node import find_node

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

STYLESHEETS = ("katex/katex.min.css", "katex-math.css")
"""KaTeX's own, and the one that sphinxcontrib-katex adds to it."""


def has_maths(doctree: nodes.Node | None) -> bool:
    """Tell whether a page shows a formula."""
    return doctree is not None and any(
        isinstance(node, nodes.math | nodes.math_block) for node in doctree.findall(nodes.Element)
    )


def configure(app: Sphinx, config: Config) -> None:
    """Set KaTeX up: rendered here, styled from here, and failing aloud.

    By default the extension links a stylesheet on another host, and shows a formula that it
    cannot read in red. Here such a formula stops the build.
    """
    from sphinxcontrib import katex

    config.katex_prerender = True
    config.katex_css_path = STYLESHEETS[0]
    config.html_math_renderer = "katex"
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="error")
    katex.NODEJS_BINARY = find_node()
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = (
        60.0  # seconds: a busy machine is slow, not wrong
    )


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.setup_extension("sphinxcontrib.katex")
    app.connect("config-inited", configure)
