"""Renew ``constraints.txt`` and ``constraints-frameworks.txt``: the newest that the ranges allow."""

from __future__ import annotations

import subprocess

COMPILE = (
    "uv", "pip", "compile", "--no-config", "--upgrade", "--universal", "--python-version", "3.11",
    "--custom-compile-command", "make constraints", "--quiet",
)  # fmt: skip
OURS = ("scaleclip", "explorax", "sccbook", "sccbook-classroom")
# PyTorch is not among them: it has an environment of its own, with the other frameworks.
TESTED = "./packages/scaleclip[jax,keras]\n./classroom\neditables\npip\nuv\n"


def main() -> None:
    """Compile both."""
    outside = [f"--no-emit-package={name}" for name in OURS]
    subprocess.run(
        [*COMPILE, *outside, "--group", "dev", "--output-file", "constraints.txt",
         "requirements.txt", "-"],
        input=TESTED, text=True, check=True,
    )  # fmt: skip
    frameworks = ("--output-file", "constraints-frameworks.txt", "requirements-frameworks.txt")
    subprocess.run([*COMPILE, *frameworks], check=True)
    print("Both are renewed. Now: make test frameworks test-frameworks")


if __name__ == "__main__":
    main()
