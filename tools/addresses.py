"""Write the addresses in _config.yml where else they're needed: ``python -m tools.addresses``, or ``make addresses``.

``--check`` only compares, the version to cite with the packages' too. It's part of `make lint`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

from sccbook.site.addresses import check
from sccbook.site.cite import FILE as CITATION

ROOT = Path(__file__).parents[1]
PLACES = {
    "README.md": r"(?<=<!-- addresses -->\n)[^<]*(?=<!-- end of addresses -->)",
    CITATION: r"(?:(?:repository-code|url): .*\n)*(?=license:)",
    "classroom/assignments/course.yml": r"(?<=\ninstall: ).*(?=\n)",
    "pyproject.toml": r"(?:\[project\.urls\]\n(?:.+\n)+\n)?(?=\[tool\.)",
}
"""Where each file has what follows from the addresses: a pattern that matches once, be it nothing."""


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that has an address in it, with the text that it should have.

    Raises:
        ConfigError: where an address in _config.yml isn't one.
        ValueError: where a file has no place for it.
    """
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    repository, site = config["repository"]["url"], config["html"]["baseurl"]
    blob = f"{repository}/blob/{config['repository']['branch']}"
    check(repository, site)

    def placed(path: Path, lines: list[str]) -> tuple[Path, str]:
        pattern, text = PLACES[path.name if path.suffix == ".toml" else relative(path)], ""
        if lines and path.suffix == ".toml":
            text = "\n".join(["[project.urls]", *lines, "", ""])
        elif lines:
            text = "\n".join(lines) + "\n" * (path.name != "course.yml")
        old = path.read_text(encoding="utf-8")
        new, found = re.subn(pattern, lambda _: text, old, count=1)
        if not found:
            raise ValueError(
                f"{path} has no place for the addresses, which {pattern} should match."
            )
        return path, new

    def relative(path: Path) -> str:
        return path.relative_to(root).as_posix()

    yield placed(root / "classroom/assignments/course.yml", [f'"{repository}"'])
    cited = [f"repository-code: {repository}"] * bool(repository) + [f"url: {site}"] * bool(site)
    yield placed(root / CITATION, cited)
    yield placed(root / "README.md", [f"Read the book at {site}", ""] * bool(site))
    for path in sorted(
        [*root.glob("packages/*/pyproject.toml"), root / "classroom/pyproject.toml"]
    ):
        urls = {"Homepage": site or repository, "Documentation": site, "Repository": repository}
        if repository:
            urls |= {"Issues": f"{repository}/issues", "Changelog": f"{blob}/CHANGELOG.md"}
        yield placed(path, [f'{name} = "{url}"' for name, url in urls.items() if url])
    start = f"]({blob}/" if repository else "](../../"  # on PyPI, relative links are dead
    for path in sorted(root.glob("packages/*/README.md")):
        links = r"\]\((?:\.\./\.\./|https://[^\s)]+/blob/[^\s/)]+/)"
        yield path, re.sub(links, lambda _: start, path.read_text(encoding="utf-8"))


def versions(root: Path) -> dict[str, str]:
    """Return the version that each package has, and the one to cite, by file."""
    found = {
        str(path.relative_to(root)): tomllib.loads(path.read_text(encoding="utf-8"))["project"][
            "version"
        ]
        for path in [*root.glob("packages/*/pyproject.toml"), root / "classroom/pyproject.toml"]
    }
    cited = yaml.safe_load((root / CITATION).read_text(encoding="utf-8"))["version"]
    return {**found, CITATION: str(cited)}


def main() -> None:
    """Write, or check."""
    checking = "--check" in sys.argv
    late = [(path, new) for path, new in texts(ROOT) if path.read_text(encoding="utf-8") != new]
    for path, new in late:
        if not checking:
            path.write_text(new, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT))
    if checking and late:
        sys.exit("These don't have the addresses of _config.yml. Run: make addresses")
    if len({*versions(ROOT).values()}) > 1:
        sys.exit(f"The packages and {CITATION} have different versions: {versions(ROOT)}")


if __name__ == "__main__":
    main()
