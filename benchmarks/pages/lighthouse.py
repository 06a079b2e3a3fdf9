"""Serve a built book compressed, as its host does, and let Lighthouse score its pages."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT, Row
from tools.browser import OPTIONS, find_browser
from tools.serve import Handler

LEAST = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
"""The scores that a page needs."""
INSTALLED = ROOT / "_build" / "audit"
NODE, NPM = (str(Path(sys.executable).with_name(name)) for name in ("node", "npm"))


class Compressing(Handler):
    """Compress what is text."""

    def send_head(self) -> Any:
        """Send the head of a file; return the file."""
        file = Path(self.translate_path(self.path))
        if file.suffix not in (".css", ".html", ".js", ".json", ".svg") or not file.is_file():
            return super().send_head()
        body = gzip.compress(file.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of what no site needs to have, such as robots.txt."""


def install() -> None:
    """Install Lighthouse into _build/audit, unless it is there as package-lock.json asks for it."""
    wanted = [Path(__file__).with_name(name) for name in ("package.json", "package-lock.json")]
    done = INSTALLED / "node_modules" / ".package-lock.json"
    if done.is_file() and done.stat().st_mtime > max(file.stat().st_mtime for file in wanted):
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for file in wanted:
        shutil.copy(file, INSTALLED)
    command = [NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=INSTALLED, check=True, stdout=sys.stderr)


def scores(url: str) -> Row:
    """Return Lighthouse's scores of a page on a simulated phone, and where it lost points."""
    program = INSTALLED / "node_modules" / "lighthouse" / "cli" / "index.js"
    command = [NODE, str(program), url, "--output=json", "--quiet", "--no-enable-error-reporting"]
    command += [f"--only-categories={','.join(LEAST)}"]
    command += [f"--chrome-flags={' '.join(('--headless', *OPTIONS))}"]
    environment = {**os.environ, "CHROME_PATH": find_browser()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: Lighthouse failed at {url}:\n{done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    audits = [
        (part["weight"], report["audits"][part["id"]])
        for name in LEAST
        for part in report["categories"][name]["auditRefs"]
    ]
    lost = [
        f"{audit['id']} {audit.get('displayValue', '')}".strip()
        for weight, audit in audits
        if weight and audit["score"] is not None and audit["score"] < 0.9
    ]
    found = {name: round(100 * report["categories"][name]["score"]) for name in LEAST}
    return {**found, "lost points": ", ".join(lost)}
