"""Results are stale when what they measure has changed since their commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.stale import state


def test_results_are_fresh_until_what_they_measure_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "ROOT", tmp_path)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")

    def commit(file: str, text: str) -> str:
        (tmp_path / file).write_text(text)
        report.git("add", file)
        report.git("commit", "--quiet", "--message", text)
        return report.git("rev-parse", "HEAD")

    report.git("init", "--quiet")
    first = commit("measured", "1")
    commit("other", "1")
    assert state(first, ["measured"]) == "fresh"
    assert "not committed" in state(first, ["measured"], changes=True)
    (tmp_path / "measured").write_text("2")
    assert "not committed" in state(first, ["measured"])
    second = commit("measured", "2")
    assert state(first, ["measured"]) == "stale: 1 commit since"
    assert state(second, ["measured"]) == "fresh"
    assert "not in this history" in state("0" * 40, ["measured"])
