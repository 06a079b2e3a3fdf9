"""Lists the Pythons on this machine that the project runs on: on the PATH, and pyenv's.

python -m tools.pythons            # each, from the oldest on
python -m tools.pythons --newest   # the last of them
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def pythons() -> dict[str, str]:
    """Return a Python for each of ``VERSIONS`` that is found and runs, by version."""
    found = {}
    for version in VERSIONS:
        name = f"python{version}"
        folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
        root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
        folders += sorted(root.glob(f"versions/{version}.*/bin"))
        if runs := [str(folder / name) for folder in folders if _runs(folder / name, version)]:
            found[version] = runs[0]
    return found


def _runs(python: Path, version: str) -> bool:
    """Tell whether a program is a Python of a version; a shim of pyenv's may not be."""
    if not python.is_file():
        return False
    command = [str(python), "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


if __name__ == "__main__":
    every = list(pythons().values())
    print(*(every[-1:] if "--newest" in sys.argv[1:] else every), sep="\n")
