"""A release is what the packages and the changelog call it, by actions that nobody can exchange."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.release import PACKAGES, problems

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob(".github/actions/*/action.yml")]


@pytest.mark.parametrize(
    ("tag", "heading", "says"),
    [
        ("v0.3.0", "## [0.3.0] - 2026-12-01", []),
        ("0.3.0", "## [0.3.0] - 2026-12-01", [f"{name} is at 0.3.0" for name in PACKAGES]),
        ("v0.3.0", "## [Unreleased]", ["CHANGELOG.md needs a heading"]),
        ("v0.3.1", "## [0.3.1] - 2026-12-01", [f"{name} is at 0.3.0" for name in PACKAGES]),
    ],
)
def test_a_tag_is_the_version_of_each_package_and_dated_in_the_changelog(
    tmp_path: Path, tag: str, heading: str, says: list[str]
) -> None:
    for name in PACKAGES:
        (tmp_path / "packages" / name).mkdir(parents=True)
        project = tmp_path / "packages" / name / "pyproject.toml"
        project.write_text('[project]\nversion = "0.3.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{heading}\n")
    found = problems(tmp_path, tag)
    assert [line[: len(start)] for line, start in zip(found, says, strict=True)] == says


def test_actions_are_pinned_to_a_commit_and_say_which_version_that_is() -> None:
    used = [re.findall(r"uses: (?!\./)(.*)", path.read_text("utf-8")) for path in WORKFLOWS]
    pins = {pin for pins in used for pin in pins}
    assert pins
    assert not {pin for pin in pins if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", pin)}
