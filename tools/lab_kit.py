"""Make ``dist/lab-kit.zip``: wheels, book and assignments, for a room without network."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

KIT = Path("_build", "lab-kit")
PINS = ("-c", "constraints.txt", "--build-constraint", "constraints.txt")


def main() -> None:
    """Gather the parts, and pack them."""
    shutil.rmtree(KIT, ignore_errors=True)
    wheel = (sys.executable, "-m", "pip", "wheel", "--quiet", *PINS, "--wheel-dir", KIT / "wheels")
    subprocess.run([*wheel, "-r", "requirements-read.txt", "./classroom"], check=True)
    release = (sys.executable, "-m", "sccbook_classroom", "release")
    subprocess.run([*release, "--out", KIT / "assignments"], check=True)
    wanted = Path("requirements-read.txt").read_text(encoding="utf-8")
    wanted = wanted.replace("./packages/", "")  # by name: they are among the wheels
    (KIT / "requirements.txt").write_text(wanted, encoding="utf-8")
    shutil.copytree("snippets", KIT / "snippets")
    shutil.copytree("_build/html", KIT / "site")
    shutil.copytree("_build/html/_sources/notebooks", KIT / "chapters")
    start = Path("classroom/assignments/START.md").read_text(encoding="utf-8")
    made = f"Made on {platform.platform()} with Python {platform.python_version()}\n"
    (KIT / "START.md").write_text(start + made, encoding="utf-8")
    shutil.make_archive("dist/lab-kit", "zip", KIT.parent, KIT.name)


if __name__ == "__main__":
    main()
