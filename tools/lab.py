"""A JupyterLab of one's own over a folder, for tests and measurements."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STARTS = 120.0
"""Seconds after which a JupyterLab has not started."""

STOPS = 10.0
"""Seconds that it may take to stop; then it is killed: it may wait for a thread of its own that never ends."""


class LabError(RuntimeError):
    """JupyterLab did not start: the message has what it said."""


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """Start JupyterLab on this machine, open to this machine, and stop it at the end.

    It knows nothing of the user's settings and leaves none behind.

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
                yield _address_of(server, log)
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


def _address_of(server: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + STARTS
    while time.monotonic() < deadline and server.poll() is None:
        words = log.read_text(encoding="utf-8").split()
        found = [word for word in words if word.startswith("http://127")]
        if found:
            address = found[0].partition("/lab")[0]
            try:
                with urllib.request.urlopen(f"{address}/api/status", timeout=5):
                    return address
            except OSError:
                pass  # it has said where it will be, and is not there yet
        time.sleep(0.25)
    raise LabError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")
