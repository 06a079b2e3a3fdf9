"""Lead from each page to where it can be run, edited, reported and found.

Everything here follows from two settings of Jupyter Book's, ``repository: url`` and ``html: baseurl``,
and is absent while they are empty. The theme makes the links, and sphinxext-opengraph what is shown
beside links to the book. (sphinx-sitemap starts a process by forking, which JAX's threads may not survive.)
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from jinja2 import Template
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

from sccbook.site.layout import TEMPLATES

REPOSITORY = re.compile(r"https://(github|gitlab)\.com/[\w.-]+/[\w.-]+(?<!\.git)")
SITE = re.compile(r"https://[\w.-]+(:\d+)?/([\w.~-]+/)*")
LAUNCHED = "launch"
"""The branch with copies of the chapters that install the book's packages first, for Colab."""

CARDS = "_cards"
"""The folder of the pictures that are shown beside links to pages. `make site` takes them."""

RUN = {"Colab": "Run in Colab", "Binder": "Run in Binder", "JupyterHub": "Run in JupyterHub"}
WORDS = {
    "Show source": "Source",
    "Suggest edit": "Edit this page",
    "Open issue": "Report a mistake",
}
"""What links are called, by the theme's names: those that run a notebook, and others."""


def check(repository: str, site: str) -> None:
    """Check both addresses; either may be empty.

    Raises:
        ConfigError: where one isn't of the form that links are made from.
    """
    for name, given, form, example in (
        ("repository: url", repository, REPOSITORY, "https://github.com/OWNER/NAME"),
        ("html: baseurl", site, SITE, "https://OWNER.github.io/NAME/, with the slash at its end"),
    ):
        if given and not form.fullmatch(given):
            raise ConfigError(
                f"{name} in _config.yml is {given!r}. Give an address such as {example}, or leave it empty."
            )


def extend(app: Sphinx) -> None:
    """Load the extension that needs the site's address."""
    if app.config.html_baseurl:
        app.setup_extension("sphinxext.opengraph")


def derive(app: Sphinx, config: Config) -> None:
    """Set what follows from the addresses."""
    options = config.html_theme_options
    repository, site = options.get("repository_url", ""), config.html_baseurl or ""
    check(repository, site)
    for button in ("issues", "source", "edit_page"):
        options[f"use_{button}_button"] = bool(repository)
    if not repository:
        options["launch_buttons"] = {}
    if site:
        config.ogp_site_url, config.ogp_site_name = site, config.html_title
        config.ogp_social_cards = {"enable": False}  # `make site` has the figures
        config.ogp_custom_meta_tags = ['<meta name="twitter:card" content="summary_large_image">']


def list_pages(app: Sphinx) -> None:
    """Write ``sitemap.xml``, or none where the site has no address."""
    path, site = Path(app.outdir, "sitemap.xml"), app.config.html_baseurl
    path.unlink(missing_ok=True)
    if site:
        pages = [site + app.builder.get_target_uri(name) for name in sorted(app.env.all_docs)]
        template = Template((TEMPLATES / "sitemap.xml").read_text(encoding="utf-8"))
        path.write_text(template.render(pages=pages), encoding="utf-8")


def link(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give a page's template the theme's links, under their own names and without its icons."""
    buttons = [
        one for group in context.get("header_buttons", ()) for one in group.get("buttons", ())
    ]
    links = {one["text"]: one["url"] for one in buttons if one["type"] == "link"}
    if "Colab" in links:
        branch = app.config.html_theme_options.get("repository_branch", "main")
        links["Colab"] = links["Colab"].replace(f"/blob/{branch}/", f"/blob/{LAUNCHED}/")
    # the theme would run a page in Markdown, too, which none of them opens as a notebook
    known = RUN | WORDS if context.get("page_source_suffix") == ".ipynb" else WORDS
    context["page_links"] = [(known[text], links[text]) for text in known if text in links]


def card(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Name a page's social card, and describe it as the page is described."""
    if doctree is None or not app.config.html_baseurl:
        return
    meta = context["meta"] = {**(context.get("meta") or {})}
    meta["og:image"] = f"{app.config.html_baseurl}{CARDS}/{page}.png"
    meta["og:image:width"], meta["og:image:height"] = "1200", "630"
    if "description" in context:
        meta["og:description"] = context["description"]
    meta["og:image:alt"] = f"{context['docstitle'] or app.config.html_title}: {context['title']}"
