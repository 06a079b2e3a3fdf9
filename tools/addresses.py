"""Write the addresses in _config.yml where else they're needed: ``python -m tools.addresses``, or ``make addresses``.

``--check`` only compares, the version to cite with the packages' too. It's part of `make lint`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from sccbook.site.addresses import check
from sccbook.site.cite import FILE as CITATION
from sccbook.site.cite import record
from tools.site.contents import ROOT, settings

URLS = r"(?:\[project\.urls\]\n(?:.+\n)+\n)?(?=\[tool\.)"
LINKS = r"\]\((?:\.\./\.\./|https://[^\s)]+/blob/[^\s/)]+/)"
PLACES = {
    "README.md": r"(?<=<!-- addresses -->\n)[^<]*(?=<!-- end of addresses -->)",
    CITATION: r"(?:(?:repository-code|url): .*\n)*(?=license:)",
    "classroom/assignments/course.yml": r"(?<=\ninstall: ).*(?=\n)",
    "classroom/pyproject.toml": URLS,
    "packages/*/pyproject.toml": URLS,
    "packages/*/README.md": LINKS,
}
"""Where each file has what follows from the addresses: a pattern that matches once, be it nothing, or at each link."""


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that has an address in it, with the text that it should have.

    Raises:
        ConfigError: where an address in _config.yml isn't one.
        ValueError: where a file has no place for it.
    """
    config = settings(root)
    repository, site = config["repository"]["url"], config["html"]["baseurl"]
    blob = f"{repository}/blob/{config['repository']['branch']}"
    check(repository, site)
    urls = {"Homepage": site or repository, "Documentation": site, "Repository": repository}
    if repository:
        urls |= {"Issues": f"{repository}/issues", "Changelog": f"{blob}/CHANGELOG.md"}
    listed = "".join(f'{name} = "{url}"\n' for name, url in urls.items() if url)
    cited = f"repository-code: {repository}\n" * bool(repository) + f"url: {site}\n" * bool(site)
    written = {
        "README.md": f"Read the book at {site}\n\n" * bool(site),
        CITATION: cited,
        "classroom/assignments/course.yml": f'"{repository}"',
        # on PyPI, relative links are dead
        "packages/*/README.md": f"]({blob}/" if repository else "](../../",
    }
    for place, pattern in PLACES.items():
        text = written.get(place, f"[project.urls]\n{listed}\n" * bool(listed))
        text = text.replace("\\", r"\\")  # and not a group of the pattern
        for path in sorted(root.glob(place)):
            old = path.read_text(encoding="utf-8")
            new, found = re.subn(pattern, text, old, count=0 if pattern == LINKS else 1)
            if not found:
                raise ValueError(
                    f"{path} has no place for the addresses, which {pattern} should match."
                )
            yield path, new


def versions(root: Path) -> dict[str, str]:
    """Return the version that each package has, and the one to cite, by file."""
    paths = [*root.glob("packages/*/pyproject.toml"), root / "classroom/pyproject.toml"]
    read = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}
    found = {str(path.relative_to(root)): text["project"]["version"] for path, text in read.items()}
    return found | {CITATION: str(record(root)["version"])}


def main() -> None:
    """Write, or check."""
    checking = "--check" in sys.argv
    late = {path: new for path, new in texts(ROOT) if path.read_text(encoding="utf-8") != new}
    for path, new in late.items():
        if not checking:
            path.write_text(new, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT))
    if checking and late:
        sys.exit("These don't have the addresses of _config.yml. Run: make addresses")
    if len({*versions(ROOT).values()}) > 1:
        sys.exit(f"The packages and {CITATION} have different versions: {versions(ROOT)}")


if __name__ == "__main__":
    main()
