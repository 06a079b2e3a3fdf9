"""Run a failed test of a page or of JupyterLab once more, alone: one that passes then is unsteady.

A browser on a busy machine is late now and then. What fails twice fails. What passes when nothing
else runs is listed at the end, to be mended, and the run passes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

FOLDERS = ("tests/site/", "tests/lab/")
MOST = 10
"""Failures. Where there are more, it is not the browser that is unsteady."""

ALONE = "EXPLORAX_TEST_ALONE"
"""Set where a test is run once more."""


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Run each failed test once more, when all the others have ended."""
    if (
        hasattr(session.config, "workerinput")  # one of several processes; the first one decides
        or ALONE in os.environ
        or exitstatus != pytest.ExitCode.TESTS_FAILED
    ):
        return
    reporter: Any = session.config.pluginmanager.getplugin("terminalreporter")
    stats = reporter.stats
    failed = {report.nodeid for kind in ("failed", "error") for report in stats.get(kind, [])}
    again = sorted(name for name in failed if name.startswith(FOLDERS))
    if len(again) > MOST:
        return
    for name in again:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", name],
            cwd=session.config.rootpath,
            env={**os.environ, ALONE: "1"},
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            for kind in ("failed", "error"):
                reports = stats.pop(kind, [])
                moved = [report for report in reports if report.nodeid == name]
                stats.setdefault("unsteady", []).extend(moved)
                if rest := [report for report in reports if report.nodeid != name]:
                    stats[kind] = rest
    if not stats.get("failed") and not stats.get("error"):
        session.exitstatus = pytest.ExitCode.OK


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the unsteady ones, each with how it failed."""
    reports = terminalreporter.stats.get("unsteady", [])
    if reports:
        terminalreporter.section("unsteady: failed, and passed when run once more, alone")
    for report in reports:
        crash = getattr(report.longrepr, "reprcrash", None)
        said = crash.message if crash else str(report.longrepr)
        terminalreporter.line(f"UNSTEADY {report.nodeid}: {said.splitlines()[0]}", yellow=True)
