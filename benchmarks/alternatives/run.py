"""Install and run what else clips or watches gradients: `python -m benchmarks.alternatives.run` (20 minutes).

It needs a package index, and 8 GB for environments that are removed at the end.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.report import QUICK, ROOT, Row, circumstances, write

HERE = Path(__file__).parent
UV = str(ROOT / "_build/uv/bin/uv")
WORDS = """\
Each library in an environment of its own, with the newest PyTorch that it accepts, and the lines of
[ways.toml](ways.toml). A network of two layers is trained for 300 steps, with targets 30 times as large in one
of them. *Cut* are the steps whose gradient became smaller, by the library's clip or, if it has none, by the one
written beside it; *norms* the steps for which it gives the global norm before the clip, to a thousandth: returned, kept, or
computed from what it keeps. The other columns are processor times of a step (MLP of 724 x 4, batch 8 and 64,
AdamW, float32, one thread), divided by that of a step with `clip_grad_norm_`: ten steps of each in turn, in 15
rounds; the median, lowest and highest."""


def outcome(way: dict[str, Any]) -> Row:
    """Install a way and run it, and say what it did or how it failed."""
    with tempfile.TemporaryDirectory() as folder:
        python = f"{folder}/v/bin/python"
        needs = way["install"] if "program" in way else [*way["install"], "torch", "numpy"]
        program = (
            ["-c", way["program"]]
            if "program" in way
            else ["-m", "benchmarks.alternatives.training", json.dumps(way)]
        )
        commands = (
            [UV, "venv", "--quiet", "--python", "3.11", f"{folder}/v"],
            [UV, "pip", "install", "--quiet", "--python", python, *needs],
            [python, *program],
        )
        for command in commands:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            if done.returncode:
                error = done.stderr.strip().splitlines()[-1].replace("|", "/")
                return {"runs": f"no: {error[:90]}"}
    return {"runs": "yes", **(json.loads(done.stdout.splitlines()[-1]) if done.stdout else {})}


def main() -> None:
    """Run everything and write the results."""
    ways = tomllib.loads((HERE / "ways.toml").read_text("utf-8"))
    where = circumstances(("benchmarks/alternatives",), ()).replace(", .", ".")
    rows = []
    for name, way in ways.items():
        print(name, flush=True)
        row: Row = {"way": name, "released": way.get("released"), "cut": None, "norms": None}
        rows.append({**row, **outcome({**way, "times": []} if QUICK else way)})
    write(HERE / "results.md", "What else there is", where, {WORDS: rows})


if __name__ == "__main__":
    main()
