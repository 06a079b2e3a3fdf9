"""One archive for a room without network: ``python -m gradlab_classroom.lab_kit``, or ``make lab-kit``.

It holds the wheels of everything that chapters, assignments and the grader import, the built book,
the chapters as notebooks, the assignments, and a page that says what to type.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from gradlab_classroom.paths import RELEASE

FOLDER = "lab-kit"
"""The archive unpacks into one folder of this name."""

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, so that the same files give the same archive."""

OURS = ("gradlab", "gradlab_classroom")
WANTED = "pip wheel --wheel-dir FOLDER -r requirements-read.txt ./classroom"

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

START = """\
# Start here

This folder has all that the book and its assignments need. Nothing is fetched from a network.
It is for Python {python} on {machine}, the kind of machine that it was made on. Another system needs a
kit of its own: `make lab-kit`, run there.

In a terminal, in this folder:

```
python{python} -m venv env
env/bin/pip install --no-index --find-links wheels -r requirements.txt
env/bin/jupyter lab
```

The first two are needed once. They take a few minutes, and 1.2 GB of disk.

- `site/index.html` is the book. Open it in a browser; it needs neither Python nor a server.
- `chapters/` has the same chapters as notebooks, to run and to change. Their worked solutions stand in
  the book alone. Start with `01_the_missing_function.ipynb`.
- `assignments/` has {assignments}. Write your id where the notebook asks for it.

Who teaches in this room grades here too: `env/bin/pip install --no-index --find-links wheels gradlab-classroom`
adds the grader, which wants Linux with bubblewrap, and the course's file, which is not in this folder.

If `pip` says that it finds no matching distribution, look at the version of your Python and at
your system first: they are not those of the line above. If it says that `venv` or `ensurepip` is missing,
your system keeps them in a package of their own (Debian and Ubuntu: `python3-venv`), which
has to be installed before the network is gone.
"""


class LabKitError(RuntimeError):
    """The archive cannot be made: the message says what is missing, and what makes it."""


def offline_requirements(text: str) -> str:
    """Return the lines of a ``requirements-read.txt``, with gradlab's wheel for the folder ``.``.

    Raises:
      LabKitError: where no line is ``.``: the kit would come without gradlab.
    """
    lines = [line.partition(" #")[0].strip() for line in text.splitlines()]
    wanted = [line for line in lines if line and not line.startswith("#")]
    if "." not in wanted:
        raise LabKitError(
            "requirements-read.txt has no line '.', which stands for gradlab. Expected one: put it back."
        )
    return "".join(f"{'gradlab' if line == '.' else line}\n" for line in wanted)


def start_page(assignments: int) -> str:
    """Return START.md for the Python and the system that run this."""
    return START.format(
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        machine=f"{platform.system()} ({platform.machine()})",
        assignments="the assignment" if assignments == 1 else f"the {assignments} assignments",
    )


def make_kit(wheels: Path, site: Path, release: Path, requirements: Path, out: Path) -> int:
    """Write the archive.

    Args:
      wheels: a folder with a wheel of everything that ``requirements`` asks for, gradlab included, of
        gradlab-classroom, and of what that needs.
      site: the built book.
      release: the assignments as students get them, a folder each.
      requirements: the ``requirements-read.txt`` of the chapters.
      out: the archive to write; its folder is made where there is none.

    Returns:
      The number of files in it.

    Raises:
      LabKitError: where one of them is not what it should be.
    """
    lines = offline_requirements(_text(requirements))
    found = _wheels(wheels, lines)
    if not (site / "index.html").is_file():
        raise LabKitError(f"there is no built book in {site}. Build it first: make book")
    chapters = sorted((site / "_sources" / "notebooks").glob("*.ipynb"))
    if not chapters:
        raise LabKitError(f"{site} offers no chapter as a notebook. Build it again: make book")
    handed_out = list(_files(release))
    names = {path.relative_to(release).parts[0] for path in handed_out if path.suffix == ".ipynb"}
    if not names:
        raise LabKitError(f"there is no assignment in {release}. Make them first: make assignments")

    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", compresslevel=6) as archive:
        _add(archive, "START.md", start_page(len(names)).encode())
        _add(archive, "requirements.txt", lines.encode())
        for path in found:
            _add(archive, f"wheels/{path.name}", path.read_bytes(), stored=True)
        for path in chapters:
            _add(archive, f"chapters/{path.name}", path.read_bytes())
        snippets = requirements.parent / "snippets"  # which a chapter reads
        for path in _files(snippets):
            name = path.relative_to(snippets).as_posix()
            _add(archive, f"snippets/{name}", path.read_bytes())
        for folder, files in (("assignments", handed_out), ("site", list(_files(site)))):
            root = release if folder == "assignments" else site
            for path in files:
                name = path.relative_to(root).as_posix()
                _add(archive, f"{folder}/{name}", path.read_bytes())
        return len(archive.infolist())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LabKitError(
            f"there is no {path}. Run this in the folder of the project, or name the file."
        ) from None


def _wheels(folder: Path, requirements: str) -> list[Path]:
    """The wheels, once each package asked for by name has one, and our two have one only."""
    found = sorted(folder.glob("*.whl"))
    others = sorted(path.name for path in _files(folder) if path.suffix != ".whl")
    if others:
        raise LabKitError(
            f"{folder} holds {others[0]}, which is no wheel: without network it could not be "
            f"built. Fill an empty folder with: {WANTED}"
        )
    have = [_normal(path.name.partition("-")[0]) for path in found]
    asked = [name[0] for line in requirements.splitlines() if (name := NAME.match(line))]
    absent = [name for name in (*asked, "gradlab-classroom") if _normal(name) not in have]
    if absent:
        raise LabKitError(
            f"{folder} has no wheel of {', '.join(absent)}. Expected one of everything that "
            f"requirements-read.txt names, and of gradlab-classroom: {WANTED}"
        )
    for package in OURS:
        if have.count(package) > 1:
            raise LabKitError(
                f"{folder} has several wheels of {package}. Empty it, and fill it again."
            )
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _files(folder: Path) -> Iterator[Path]:
    """Every file below, in order; none that is hidden, or in a folder that is."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") for part in parts):
            yield path


def _add(archive: ZipFile, name: str, content: bytes, *, stored: bool = False) -> None:
    entry = ZipInfo(f"{FOLDER}/{name}", EPOCH)
    entry.compress_type = ZIP_STORED if stored else ZIP_DEFLATED  # a wheel is a zip already
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m gradlab_classroom.lab_kit", description=(__doc__ or "").splitlines()[0]
    )
    folders = {
        "--wheels": ("_build/lab-kit/wheels", "the wheels"),
        "--site": ("_build/html", "the built book"),
        "--release": (str(RELEASE), "the assignments as students get them"),
        "--requirements": ("requirements-read.txt", "what the chapters need"),
        "--out": ("dist/lab-kit.zip", "the archive to write"),
    }
    for option, (default, help_) in folders.items():
        parser.add_argument(
            option, type=Path, default=Path(default), help=f"{help_}; default: %(default)s"
        )
    options = parser.parse_args(arguments)
    try:
        files = make_kit(**vars(options))
    except LabKitError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    size = options.out.stat().st_size / 1e6
    print(f"{options.out}: {files} files, {size:.0f} MB. It unpacks into {FOLDER}/; see START.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
