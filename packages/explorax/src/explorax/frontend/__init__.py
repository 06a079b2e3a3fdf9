"""The built front end: its files, the type under which a figure travels, and its drawings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorax.node import run

MIME = "application/vnd.explorax.figure+json"
"""The type of a figure's description, by which a page knows it."""

DIST = Path(__file__).parent / "dist"
BUNDLER = Path(__file__).parent / "bundle.mjs"
"""What builds the views of other packages."""


def asset(*parts: str) -> Path:
    """Return the path of a file or folder of the built front end, which the wheel carries.

    Raises:
        FileNotFoundError: where it is missing; it says how to build it.
    """
    path = DIST.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"The built front end lacks {'/'.join(parts)}: expected {path}. Install the package "
            "again with pip, which builds it, or run 'node build.mjs' in packages/explorax/src/explorax/frontend."
        )
    return path


def own_asset(source: Path | str) -> str:
    """Return the text of a view's script or style, given as text or as a file that has been built.

    Raises:
        FileNotFoundError: where the file is missing; it says how to build it.
    """
    if isinstance(source, str):
        return source
    if not source.is_file():
        raise FileNotFoundError(
            f"The view's file {source} has not been built. Install its package again with pip, which "
            f"builds it, or run 'node {BUNDLER} FOLDER {source.parent}', with the folder of its view.js."
        )
    return source.read_text(encoding="utf-8")


def draw(descriptions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Draw figures as HTML: each description becomes one complete fragment, in the same order.

    Raises:
        FileNotFoundError: where the front end has not been built.
        NodeError: where Node is missing or drawing fails.
    """
    fragments: list[str] = json.loads(
        run(asset("prerender.mjs"), [dict(one) for one in descriptions])
    )
    return fragments


def draw_svg(description: Mapping[str, Any]) -> str:
    """Draw a figure as the text of an SVG file, as it is set, in light and in dark.

    Raises:
        FileNotFoundError: where the front end has not been built.
        NodeError: where Node is missing or drawing fails.
    """
    return run(asset("prerender.mjs"), dict(description), "--picture")
