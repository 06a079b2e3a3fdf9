"""Run failed tests of pages and of JupyterLab once more, alone: those that pass then are unsteady.

A browser on a busy machine is late now and then. Where all pass when
nothing else runs, they are listed at the end, to be fixed, and the run passes.
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
    if len(failed) > MOST or not all(name.startswith(FOLDERS) for name in failed):
        return
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *failed],
        cwd=session.config.rootpath,
        env={**os.environ, ALONE: "1"},
        capture_output=True,
        check=False,
    )
    if done.returncode == 0:
        stats["unsteady"] = [*stats.pop("failed", []), *stats.pop("error", [])]
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
