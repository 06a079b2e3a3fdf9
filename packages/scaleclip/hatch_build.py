"""Build what a package draws with while the package is built, so that whoever installs it needs no Node.

The same file in each package of the repository. Hatchling calls this hook for source distributions, wheels and
editable installations. Of the engine it builds the front end; of another package the views, in the folder that
``views`` names in pyproject.toml, with the engine that lies beside it. A source distribution carries what was
built, and needs no engine.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENGINES = ("src/explorax", "../explorax/src/explorax")
"""Where the engine may be, from a package's root."""


class FrontendBuildHook(BuildHookInterface[Any]):
    """Put what is built in place before files are gathered."""

    def dependencies(self) -> list[str]:
        """Return what the build needs besides hatchling: Node, where it is needed and absent."""
        building, views = self.engine_and_views()
        return list(building.needed(views)) if building else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless that has been done."""
        building, views = self.engine_and_views()
        if building:
            building.build(views)
        elif views is None or not (views / "dist" / ".stamp").is_file():
            raise RuntimeError(
                f"The views in {views} are built with explorax, which is neither beside "
                f"{self.root} nor in it. Install from the whole repository."
            )

    def engine_and_views(self) -> tuple[Any, Path | None]:
        """Return the engine's module that builds, or None, and the folder of views that aren't its own."""
        views = Path(self.root, self.config["views"]) if "views" in self.config else None
        for place in ENGINES:
            file = Path(self.root, place, "frontend", "building.py")
            if file.is_file():
                spec: Any = importlib.util.spec_from_file_location("building", file)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                return module, views
        return None, views
