"""Write the skeleton of a chapter, a figure or an exercise: `make new-chapter NAME=13_which_one`.

A skeleton passes `make test-quick` as it is. What is to be filled in stands in it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATES = Path(__file__).parent / "templates"
PLACES = {
    "chapter": {"chapter.ipynb": "notebooks/{name}.ipynb"},
    "figure": {
        "figure.py.txt": "packages/sccbook/src/sccbook/figures/{name}.py",
        "test_figure.py.txt": "tests/figures/test_{name}.py",
    },
    "exercise": {
        "exercise.py.txt": "packages/sccbook/src/sccbook/exercises/{name}.py",
        "test_exercise.py.txt": "tests/exercises/test_{name}.py",
    },
}
"""Files to write for each kind: a template, and the place of the file."""

NAMES = {
    "chapter": r"\d\d_[a-z][a-z0-9_]*",
    "figure": r"[a-z][a-z0-9_]*",
    "exercise": r"[a-z][a-z0-9_]*",
}
EXAMPLES = {"chapter": "13_which_one", "figure": "turning_arrow", "exercise": "clip_twice"}


def write(kind: str, name: str, root: Path = ROOT) -> list[Path]:
    """Write a skeleton; return the files.

    Raises:
        ValueError: for a name that is of another form, or is taken.
    """
    if not re.fullmatch(NAMES[kind], name):
        raise ValueError(
            f"NAME is {name!r}; expected lower-case letters, digits and underscores, as "
            f"NAME={EXAMPLES[kind]}."
        )
    files = {root / place.format(name=name): template for template, place in PLACES[kind].items()}
    for path in files:
        if path.exists():
            raise ValueError(f"{path} is there already; choose another NAME.")
    for path, template in files.items():
        path.write_text(filled(TEMPLATES / template, name), encoding="utf-8", newline="\n")
    if kind == "chapter":
        contents = root / "_toc.yml"
        contents.write_text(
            with_chapter(contents.read_text(encoding="utf-8"), name), encoding="utf-8"
        )
    return list(files)


def filled(template: Path, name: str) -> str:
    """Return a template with the name in it: as it is, as a class, and in words."""
    title = re.sub(r"^\d\d_", "", name).replace("_", " ")
    text = template.read_text(encoding="utf-8")
    for mark, value in {
        "{name}": name,
        "{Name}": "".join(word.capitalize() for word in name.split("_")),
        "{title}": title.capitalize(),
    }.items():
        text = text.replace(mark, value)
    return text


def with_chapter(contents: str, name: str) -> str:
    """Return the table of contents with a chapter after the last one that has a lower number."""
    entry = "      - file: notebooks/{0}\n        title: {1}\n"
    found = list(re.finditer(r"      - file: notebooks/(\w+)\n        title: .*\n", contents))
    place = max((line.end() for line in found if line[1] < name), default=found[0].start())
    title = f"{name[:2]} {name[3:].replace('_', ' ').capitalize()}"
    return contents[:place] + entry.format(name, title) + contents[place:]


def main() -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.new", description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=PLACES)
    parser.add_argument("name")
    given = parser.parse_args()
    try:
        files = write(given.kind, given.name)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("Written, to be filled in:", *(f"  {path.relative_to(ROOT)}" for path in files), sep="\n")
    if given.kind == "chapter":
        print(
            "and a line in _toc.yml. Then: make lab, to write it, and "
            f"make notebooks NAME={given.name}, to execute it."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
