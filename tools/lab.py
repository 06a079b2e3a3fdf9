"""Start a JupyterLab over a folder, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

STARTS = 120.0
"""Seconds that JupyterLab may take to start."""

STOPS = 10.0
"""Seconds that it may take to stop before it is killed, because it may wait for a thread that never ends."""


class LabError(RuntimeError):
    """JupyterLab did not start: the message has what it said."""


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Start JupyterLab for this machine alone, with default settings, and stop it at the end.

    Args:
      folder: what it shows.

    Yields:
      Its address, without a slash at the end; ``/lab/tree/NAME`` opens a notebook.

    Raises:
      LabError: it ended, or did not answer in `STARTS` seconds.
    """
    with tempfile.TemporaryDirectory(prefix="explorax-lab-") as home:
        log = Path(home, "log.txt")
        with log.open("w", encoding="utf-8") as out:
            server = subprocess.Popen(
                [
                    sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1",
                    "--port=0", "--allow-root", "--IdentityProvider.token=",
                    "--ServerApp.password=", f"--ServerApp.root_dir={folder}",
                    "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
                    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                    "--LabApp.extension_manager=readonly",
                ],
                env=_environment(Path(home)), stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            yield _address_of(server, Path(home, "runtime"), log)
        finally:
            server.terminate()
            try:
                server.wait(timeout=STOPS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "EXPLORAX_OUTPUT"}
    return kept | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JAX_PLATFORMS": "cpu",
    }


def _address_of(server: subprocess.Popen[bytes], runtime: Path, log: Path) -> str:
    deadline = time.monotonic() + STARTS
    while time.monotonic() < deadline and server.poll() is None:
        for file in runtime.glob("jpserver-*.json"):  # written when it listens
            with suppress(json.JSONDecodeError):
                return str(json.loads(file.read_text(encoding="utf-8"))["url"]).rstrip("/")
        time.sleep(0.25)
    raise LabError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
