"""Fill snippets/reports with each script, its output and versions: python -m tools.reports."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "snippets" / "reports"
DISTRIBUTIONS = {  # by the first word of a script's name: what its report gives the versions of
    "keras": ("keras", "jax"),
    "optax": ("optax", "jax"),
    "pytorch": ("torch",),
    "sonnet": ("dm-sonnet", "tensorflow", "tensorflow-cpu"),
    "tensorflow": ("tensorflow", "tensorflow-cpu"),
}
SCRIPT = re.compile(r"(?<=```python\n).*?(?=```)", re.S)
OUTPUT = re.compile(r"(```python\n.*?```.*?```text\n)(.*?)(?=```)", re.S)
VERSIONS = re.compile(r"(\n##+ [^\n]*ersion[^\n]*\n.*?```text\n)(.*?)(?=```)", re.S)


def library_of(script: Path) -> str:
    """Return the first word of a script's name."""
    return script.stem.partition("_")[0]


def runs_here(script: Path) -> bool:
    """Return whether this Python has the script's library, and TensorFlow where it is its backend."""
    needed = {library_of(script).replace("pytorch", "torch")}
    if '"tensorflow"' in script.read_text(encoding="utf-8"):
        needed.add("tensorflow")
    return all(find_spec(name) for name in needed)


def output_of(script: Path) -> str:
    """Run a script in a process of its own, and return what it printed; it must not fail."""
    env = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
    return subprocess.check_output([sys.executable, script], env=env, text=True)


def versions(script: Path) -> str:
    """Return the versions of a script's library, of what it computes with, and of Python."""
    here = {found.name.replace("_", "-"): found.version for found in distributions()}
    lines = [f"{name} {here[name]}" for name in DISTRIBUTIONS[library_of(script)] if name in here]
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, CPU"
    return "\n".join([*lines, system, ""])


if __name__ == "__main__":
    for script in filter(runs_here, sorted(FOLDER.glob("*.py"))):
        report, code = script.with_suffix(".md"), script.read_text(encoding="utf-8")
        text = SCRIPT.sub(lambda _: code, report.read_text(encoding="utf-8"), count=1)  # noqa: B023
        for block, new in ((OUTPUT, output_of(script)), (VERSIONS, versions(script))):
            text = block.sub(lambda old: old[1] + new, text, count=1)  # noqa: B023
        report.write_text(text, encoding="utf-8")
