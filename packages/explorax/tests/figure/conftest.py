"""Short compilations, for all tests of the figures, and figures as widgets in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

VIEWS = Path(__file__).parents[2] / "src" / "explorax" / "frontend" / "VIEWS.md"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
SHOW = """async ([text, description]) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  const values = { ...description.settings, _description: description };
  const heard = new Set();
  window.model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; for (const hear of heard) hear(); },
    on: (_, hear) => heard.add(hear),
    off: (_, hear) => heard.delete(hear),
    save_changes() {},
  };
  const shown = widget.render({ model, el: document.querySelector("main") });
  MEANWHILE
  await shown;
}"""


@pytest.fixture(autouse=True, scope="module")
def _short(compile_module_quickly: None) -> None:
    """Figures are compiled for JAX to be compared with, and run a few times."""


@pytest.fixture(scope="session")
def shown() -> dict[str, Any]:
    """What the example of VIEWS.md makes: ``Clock``, and a ``figure`` of one."""
    (code,) = re.findall(r"```python\n(.*?)```", VIEWS.read_text(encoding="utf-8"), re.DOTALL)
    made: dict[str, Any] = {"__name__": "__main__"}
    exec(code, made)  # a file of the repository
    return made


@pytest.fixture
def show(open_page: Any, tmp_path: Path) -> Any:
    """Show a figure as a widget in ``around``; ``meanwhile`` is run while it is being loaded."""

    def show(figure: Any, meanwhile: str = "", around: str = "<main></main>") -> Any:
        file = tmp_path / "page.html"
        file.write_text(f"{PAGE}<style>{figure._css}</style>{around}</html>", encoding="utf-8")
        page = open_page(file.as_uri(), viewport={"width": 900, "height": 900})
        page.evaluate(SHOW.replace("MEANWHILE", meanwhile), [figure._esm, figure.describe()])
        return page

    return show
