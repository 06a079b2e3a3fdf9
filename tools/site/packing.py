"""Pack the site into a zip that is the same, byte for byte, whenever its files are."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

LONG_AGO = (1980, 1, 1, 0, 0, 0)
START = """\
{title}

To read the book, open index.html in a browser. It works from this folder: nothing needs to be
installed, and it needs no network.

{name}.pdf is the whole book, for printing. Each chapter's PDF is in notebooks/.
"""


def pack(site: Path, to: Path, title: str) -> None:
    """Write a zip with everything in the site's folder, and a text that says how to start."""
    files = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file() and path != to
    }
    files["START.txt"] = START.format(title=title, name=to.stem).encode()
    with ZipFile(to, "w") as archive:
        for name, data in sorted(files.items()):
            info = ZipInfo(f"{to.stem}/{name}", LONG_AGO)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data, ZIP_DEFLATED, 9)
