"""What checks an answer in a page needs no JAX, and no NumPy where ``in_page`` returns "python"."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sccbook.site.python_files import archive, in_page

CHECKED = re.compile(r'^(?:result = )?check\("(\w+)", (\w+)\)', re.MULTILINE)
SCRIPT = """
import json, sys
path, need, jobs = json.load(sys.stdin)
if need:
    absent = ["jax", "jaxlib", "ml_dtypes", "matplotlib", "scaleclip", "explorax"]
    sys.modules |= dict.fromkeys([*absent, *["numpy"] * (need == "python")])
    sys.path.insert(0, path)
from sccbook.exercises import check
from sccbook.exercises.catalogue import EXERCISES
assert not need or check.__code__.co_filename.startswith(path)
for name, function, code in jobs:
    reader = {}
    exec(code, reader)
    mistakes = getattr(EXERCISES[name].judge, "misconceptions", ())
    for answer in [reader[function], *(answer for m in mistakes for answer in m.answers)]:
        print(name, check(name, answer))
"""
"""Check the reader's answers, and each known mistake, with the modules of the zip or, without a need, ours."""


def chapters(need):
    """Yield each answer of a chapter that a page can check: its exercise, its function and its code."""
    for path in sorted(Path("notebooks").glob("*.ipynb")):
        code = "import numpy as np\n" * (need == "numpy")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            tags = {*cell["metadata"].get("tags", ())} & {"exercise", "solution"}
            if cell["cell_type"] == "code" and tags:
                before, *found = CHECKED.split("".join(cell["source"]), 1)
                code += f"{before}\n"
                if found and in_page(found[0]) == need:
                    yield *found[:2], code


@pytest.mark.slow
@pytest.mark.parametrize(("need", "exercises"), [("python", 1), ("numpy", 14)])
def test_a_page_gives_the_messages_of_jupyterlab(need, exercises, tmp_path):
    path, jobs = tmp_path / "sccbook.zip", list(chapters(need))
    path.write_bytes(archive())
    here, there = (
        subprocess.run(
            [sys.executable, "-I", "-c", SCRIPT],
            input=json.dumps([str(path), where, jobs]),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        for where in ("", need)
    )
    assert there == here
    passed = {name for name, *_ in jobs if f"{name} Passed: " in there}
    assert len(passed) == exercises
