"""A page has the date of its last change in git, or none."""

from __future__ import annotations

import subprocess
from pathlib import Path

from sccbook.site.dates import last_changed


def commit(folder: Path, name: str, day: str) -> None:
    (folder / name).write_text(day)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    when = {"GIT_COMMITTER_DATE": f"{day}T12:00:00Z", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    for words in (["init", "-q"], ["add", name], [*who, "commit", "-qm", day]):
        subprocess.run(["git", *words], cwd=folder, env=when, check=True)


def test_dates_need_the_whole_history(tmp_path: Path) -> None:
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    whole.mkdir()
    assert last_changed(whole) == {}
    commit(whole, "one.md", "2026-01-02")
    commit(whole, "two.md", "2026-03-04")
    assert last_changed(whole) == {"one.md": "2026-01-02", "two.md": "2026-03-04"}
    subprocess.run(["git", "clone", "-q", "--depth=1", whole.as_uri(), shallow], check=True)
    assert last_changed(shallow) == {}
