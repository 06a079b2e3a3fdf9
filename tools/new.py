"""Write the skeleton of a chapter, a figure or an exercise: `make new-chapter NAME=13_which_one`.

A skeleton passes `make lint` as it is, and says where to write what.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATES = Path(__file__).parent / "templates"
BOOK = "packages/sccbook/src/sccbook"
BUNDLER = ROOT / "packages/explorax/src/explorax/frontend/bundle.mjs"
"""Builds the views that figures have of their own."""
PLACES = {
    "chapter": {"chapter.ipynb": "notebooks/{name}.ipynb"},
    "figure": {
        "figure.py.txt": BOOK + "/figures/{name}/figure.py",
        "test_figure.py.txt": BOOK + "/figures/{name}/test_{name}.py",
    },
    "exercise": {
        "exercise.py.txt": BOOK + "/exercises/{name}/exercise.py",
        "test_exercise.py.txt": BOOK + "/exercises/{name}/test_{name}.py",
    },
}
"""The files to write for each kind: a template, and the place of the file."""
VIEW = {
    "figure_with_view.py.txt": BOOK + "/figures/{name}/figure.py",
    "view.js.txt": BOOK + "/figures/{name}/view.js",
    "view.css.txt": BOOK + "/figures/{name}/view.css",
    "view.test.js.txt": BOOK + "/figures/{name}/view.test.js",
    "test_figure.py.txt": BOOK + "/figures/{name}/test_{name}.py",
}
"""The same for a figure with a view of its own."""
NEXT = {
    "chapter": """and a line in _toc.yml: give it the chapter's title, and move it if it belongs elsewhere.
Then: make lab                       write it
      make notebooks NAME={name}    execute it
and list what it promises in classroom/assignments/objectives.yml.""",
    "figure": "Then show it in a notebook, and test it: .venv/bin/python -m pytest -p no:nbval -k {name} packages/sccbook",
    "view": """Then, after each change of view.js: make views, and figure.save_html("figure.html") in Python.
make lint checks its types, and runs view.test.js.""",
    "exercise": "Test it: .venv/bin/python -m pytest -p no:nbval packages/sccbook/tests/exercises -k {name}",
}
EXAMPLES = {"chapter": "13_which_one", "figure": "turning_arrow", "exercise": "clip_twice"}


def write(kind: str, name: str, root: Path = ROOT, *, view: bool = False) -> list[Path]:
    """Write a skeleton and return its files.

    Args:
        kind: "chapter", "figure" or "exercise".
        name: such as ``13_which_one`` for a chapter, and ``turning_arrow`` for the others.
        root: the repository.
        view: whether a figure gets a view of its own.

    Raises:
        ValueError: for a name of another form, or one that is taken.
    """
    number = r"\d\d_" if kind == "chapter" else ""
    if not re.fullmatch(number + "[a-z][a-z0-9_]*", name):
        raise ValueError(
            f"NAME is {name!r}; expected {'two digits, then ' if number else ''}lower-case letters, digits "
            f"and underscores, as NAME={EXAMPLES[kind]}."
        )
    if keyword.iskeyword(name):
        raise ValueError(f"NAME is {name!r}, a keyword of Python; choose another NAME.")
    if number and (taken := sorted(root.glob(f"notebooks/{name[:3]}*.ipynb"))):
        raise ValueError(f"{taken[0]} exists already; choose another number.")
    places = VIEW if view else PLACES[kind]
    files = {root / place.format(name=name): template for template, place in places.items()}
    for path in files:
        if path.exists():
            raise ValueError(f"{path} exists already; choose another NAME.")
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(filled(TEMPLATES / template, name), encoding="utf-8", newline="\n")
    if kind == "chapter":
        contents = root / "_toc.yml"
        contents.write_text(
            with_chapter(contents.read_text(encoding="utf-8"), name), encoding="utf-8"
        )
    else:
        (next(iter(files)).parent / "__init__.py").touch()
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


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.new", description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=PLACES)
    parser.add_argument("name")
    parser.add_argument("--view", action="store_true", help="give a figure a view of its own")
    given = parser.parse_args()
    if given.view and given.kind != "figure":
        parser.error("only a figure has a view of its own")
    try:
        files = write(given.kind, given.name, view=given.view)
    except ValueError as error:
        parser.error(str(error))
    print(
        "Written, for you to fill in:", *(f"  {path.relative_to(ROOT)}" for path in files), sep="\n"
    )
    if given.view:
        figures = ROOT / BOOK / "figures"
        subprocess.run(["node", BUNDLER, figures, figures / "dist"], check=True)
    print(NEXT["view" if given.view else given.kind].format(name=given.name))


if __name__ == "__main__":
    main()
