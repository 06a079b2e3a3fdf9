"""A page has the date of its last change in git, or none."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sccbook.site.dates import last_changed, note_dates

PAGES = ["one.md", "two.md", "not_committed.md"]


def commit(folder: Path, name: str, day: str) -> None:
    (folder / name).write_text(day)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    when = {"GIT_COMMITTER_DATE": f"{day}T12:00:00Z", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    for words in (["init", "-q"], ["add", name], [*who, "commit", "-qm", day]):
        subprocess.run(["git", *words], cwd=folder, env=when, check=True)


def test_dates_need_the_whole_history(tmp_path: Path) -> None:
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    whole.mkdir()
    assert last_changed(whole, PAGES) == {}
    commit(whole, "one.md", "2026-01-02")
    commit(whole, "two.md", "2026-03-04")
    assert last_changed(whole, PAGES) == {"one.md": date(2026, 1, 2), "two.md": date(2026, 3, 4)}
    subprocess.run(["git", "clone", "-q", "--depth=1", whole.as_uri(), shallow], check=True)
    assert last_changed(shallow, PAGES) == {}


def test_only_pages_whose_dates_have_changed_are_written_again(tmp_path: Path) -> None:
    app: Any = SimpleNamespace(srcdir=tmp_path)
    env: Any = SimpleNamespace(found_docs=["one", "two"], doc2path=lambda name, base: f"{name}.md")
    assert note_dates(app, env) == []
    commit(tmp_path, "one.md", "2026-01-02")
    assert note_dates(app, env) == ["one"]
    commit(tmp_path, "two.md", "2026-03-04")
    assert note_dates(app, env) == ["two"]
