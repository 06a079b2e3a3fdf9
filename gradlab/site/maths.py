"""Typeset the maths while the book is built, with KaTeX, and serve its fonts beside the pages."""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from gradlab.node import Conversation

STYLESHEETS = ("katex/katex.min.css", "katex-math.css")
"""KaTeX's own, and the one that sphinxcontrib-katex adds to it."""

TYPESETTER = """
const katex = require(process.argv[1]);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { latex, options } = JSON.parse(line);
  let answer;
  try { answer = { html: katex.renderToString(latex, options) }; }
  catch (error) { answer = { error: error.message }; }
  process.stdout.write(`${JSON.stringify(answer)}\\n`);
});
"""


def has_maths(doctree: nodes.Node | None) -> bool:
    """Tell whether a page shows a formula."""
    return doctree is not None and any(
        isinstance(node, nodes.math | nodes.math_block) for node in doctree.findall(nodes.Element)
    )


@cache
def typesetter() -> Conversation:
    """Start KaTeX in Node: it is asked one formula after another."""
    from sphinxcontrib import katex

    script = Path(katex.__file__).with_name("katex.min.js")
    running = Conversation("--eval", TYPESETTER, str(script))
    atexit.register(running.close)
    return running


@cache
def typeset(latex: str, display: bool = False) -> str:
    """Return a formula as HTML, with the same in MathML for those who listen.

    Raises:
        ExtensionError: where KaTeX cannot read the formula.
        NodeError: where Node fails.
    """
    options = {"displayMode": display, "throwOnError": True, "strict": "error"}
    answer = typesetter().ask({"latex": latex, "options": options})
    if "error" in answer:
        raise ExtensionError(f"the formula {latex!r} cannot be read: {answer['error']}")
    return str(answer["html"])


def configure(app: Sphinx, config: Config) -> None:
    """Have sphinxcontrib-katex typeset here, and link a stylesheet that lies beside the pages.

    Its own way is a server behind a socket, which a busy machine may reach too early and which
    then stays behind; a link to another host; and, for a formula that it cannot read, red ink.
    """
    from sphinxcontrib import katex

    def render(latex: str, options: dict[str, Any] | None = None) -> str:
        return typeset(latex, bool(options and options.get("displayMode")))

    katex.render_latex = render
    config.katex_prerender = True
    config.katex_css_path = STYLESHEETS[0]
    config.html_math_renderer = "katex"


def connect(app: Sphinx) -> None:
    """Connect this part of the extension."""
    app.setup_extension("sphinxcontrib.katex")
    app.connect("config-inited", configure)
