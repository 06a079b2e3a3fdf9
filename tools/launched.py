"""Copy the chapters for Colab: ``python -m tools.launched FOLDER``.

A copy is the chapter without its solution, behind a first cell that installs the book's packages. The
publishing workflow puts the copies on a branch of their own, where the pages' links to Colab lead.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sccbook.notebook_form import install_cell, read, text_of
from sccbook.site.downloads import offered
from tools.site.contents import ROOT, settings

BESIDE = """\
from pathlib import Path

if Path("scc/notebooks").is_dir():
    %cd -q scc/notebooks"""
"""Some chapters read files by their place in the repository."""


def copies(root: Path, repository: str, branch: str) -> dict[str, str]:
    """Return the copies' texts, by their paths from the root.

    Args:
        root: the repository's, here.
        repository: its address elsewhere, which the first cell clones.
        branch: that it clones.
    """
    made = {}
    for path in sorted(root.glob("notebooks/*.ipynb")):
        book = offered(read(path.read_text(encoding="utf-8")))
        cell = install_cell(repository, branch)
        cell.source += "\n" + BESIDE
        book.cells.insert(0, cell)
        made[path.relative_to(root).as_posix()] = text_of(book)
    return made


def main() -> None:
    """Write the copies into a folder; exit with a message where the repository has no address yet."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.launched FOLDER")
    config = settings()["repository"]
    if not config["url"]:
        sys.exit("error: Colab clones the repository. Set repository: url in _config.yml first.")
    for name, text in copies(ROOT, config["url"], config["branch"]).items():
        path = Path(sys.argv[1], name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    main()
