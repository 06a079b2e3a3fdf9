"""Colour code without a span around each name and bracket, which are as plain as the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.token import Name, Punctuation, Text, Whitespace, _TokenType  # type: ignore[import-untyped]
from sphinx.application import Sphinx

PLAIN = (Name, Name.Namespace, Name.Other, Punctuation, Punctuation.Marker, Whitespace)
"""The kinds of token that the theme's styles, light and dark, show in the colour of text."""


class Lean(HtmlFormatter):  # type: ignore[misc]  # Pygments carries no types
    """Write highlighted code as HTML, plain tokens as text."""

    def format_unencoded(self, tokensource: Iterable[tuple[_TokenType, str]], outfile: Any) -> None:
        """Write tokens, each with its kind."""
        tokens = ((Text if kind in PLAIN else kind, text) for kind, text in tokensource)
        super().format_unencoded(tokens, outfile)


def choose(app: Sphinx) -> None:
    """Have code written so."""
    if app.builder.format == "html":
        app.builder.highlighter.formatter = Lean  # type: ignore[attr-defined]  # of HTML builders
