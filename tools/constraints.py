"""Renew ``constraints.txt`` and ``constraints-frameworks.txt``: the newest that the ranges allow."""

from __future__ import annotations

import subprocess
from pathlib import Path

COMPILE = (
    "uv", "pip", "compile", "--no-config", "--upgrade", "--universal", "--python-version", "3.11",
    "--custom-compile-command", "make constraints", "--quiet",
)  # fmt: skip
OURS = ("scaleclip", "explorax", "sccbook", "sccbook-classroom")
PROJECTS = [
    *sorted(map(str, Path("packages").glob("*/pyproject.toml"))),
    "classroom/pyproject.toml",
]


def main() -> None:
    """Compile both."""
    outside = [f"--no-emit-package={name}" for name in OURS]
    subprocess.run(
        [*COMPILE, *outside, "--all-extras", "--group", "dev", "--output-file", "constraints.txt",
         *PROJECTS, "requirements.txt", "-"],
        input="editables\npip\nuv\n", text=True, check=True,
    )  # fmt: skip
    frameworks = ("--output-file", "constraints-frameworks.txt", "requirements-frameworks.txt")
    subprocess.run([*COMPILE, *frameworks], check=True)
    print("Both are renewed. Now: make test frameworks test-frameworks")


if __name__ == "__main__":
    main()
