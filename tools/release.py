"""Build what goes to PyPI into ``dist/release``, and try it: ``make release TAG=v0.1.0``.

The tag must be the packages' version, and the changelog must have a dated section for it. The wheels
are built from the source distributions, installed in an empty environment with the newest versions
of what they need, and used there.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PACKAGES = ("scaleclip", "explorax", "sccbook")
BUILT = Path("dist", "release")
UV = Path("_build", "uv", "bin", "uv").absolute()
TRIAL = Path("tests", "packaging", "trial.py").absolute()


def problems(root: Path, tag: str) -> list[str]:
    """List what keeps a tag from being released."""
    found = []
    for name in PACKAGES:
        text = (root / "packages" / name / "pyproject.toml").read_text("utf-8")
        version = tomllib.loads(text)["project"]["version"]
        if tag != f"v{version}":
            found.append(f"{name} is at {version}: the tag must be v{version}, and it's {tag}")
    heading = rf"^## \[{re.escape(tag.removeprefix('v'))}\] - \d{{4}}-\d\d-\d\d$"
    if not re.search(heading, (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        found.append(f"CHANGELOG.md needs a heading like '## [{tag[1:]}] - 2026-12-31'")
    return found


def build() -> None:
    """Build the source distributions, and from these the wheels."""
    shutil.rmtree(BUILT, ignore_errors=True)
    made = (UV, "build", "--quiet", "--build-constraint", "constraints.txt", "--out-dir", BUILT)
    for name in PACKAGES:
        subprocess.run([*made, Path("packages", name)], check=True)


def try_out() -> None:
    """Install the wheels in an empty environment, and use them there."""
    wheels = [path.absolute() for path in BUILT.glob("*.whl")]
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "env", "bin", "python")
        subprocess.run([UV, "venv", "--quiet", Path(folder, "env")], check=True)
        subprocess.run([UV, "pip", "install", "--quiet", "--python", python, *wheels], check=True)
        subprocess.run([python, "-I", TRIAL], cwd=folder, check=True)


if __name__ == "__main__":
    if found := problems(Path(), sys.argv[1]):
        sys.exit("error: this can't be released:\n" + "\n".join(found))
    build()
    try_out()
