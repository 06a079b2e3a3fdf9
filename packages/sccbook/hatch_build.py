"""Build what a package draws with while the package is built, so that whoever installs it needs no Node.

The same file in each package of the repository. Hatchling calls this hook for source distributions, wheels and
editable installations. Of the engine it builds the front end; of another package the views, in the folder that
``views`` names in pyproject.toml, with the engine that lies beside it or is installed. A source
distribution carries what was built, and needs no engine.
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
        building = engine_of(Path(self.root))
        return [] if building is None else list(building.needed(self.views))

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless that has been done."""
        building = engine_of(Path(self.root))
        if building is not None:
            building.build(self.views)
        elif self.views is None or not (self.views / "dist" / ".stamp").is_file():
            raise RuntimeError(
                f"The views in {self.views} are built with explorax, which is neither beside "
                f"{self.root} nor installed. Install from the whole repository, or install explorax "
                "first and leave out pip's build isolation."
            )

    @property
    def views(self) -> Path | None:
        """The folder of views that are not the engine's."""
        return Path(self.root, self.config["views"]) if "views" in self.config else None


def engine_of(root: Path) -> Any:
    """Return the engine's module that builds; None where there is no engine."""
    installed = importlib.util.find_spec("explorax")
    places = [root / place for place in ENGINES]
    places += map(Path, installed.submodule_search_locations or () if installed else ())
    for place in places:
        file = place / "frontend" / "building.py"
        if file.is_file():
            spec: Any = importlib.util.spec_from_file_location("building", file)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    return None
