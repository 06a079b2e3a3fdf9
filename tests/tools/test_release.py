"""A release is what packages and changelog call it; workflows run what exists, and nobody can exchange their actions."""

from __future__ import annotations

import re

import pytest

from tools.release import problems
from tools.site.contents import ROOT

WORKFLOWS = "\n".join(path.read_text("utf-8") for path in ROOT.glob(".github/*/**/*.yml"))


@pytest.mark.parametrize(
    ("tag", "heading", "says"),
    [
        ("v0.3.0", "## [0.3.0] - 2026-12-01", []),
        ("v0.3.0", "## [Unreleased]", ["CHANGELOG.md needs a heading"]),
        ("v0.3.1", "## [0.3.1] - 2026-12-01", ["a has version 0.3.0", "b has version 0.3.0"]),
        ("", "## [0.3.0] - 2026-12-01", ["a has", "b has", "CHANGELOG.md needs a heading"]),
    ],
)
def test_a_tag_is_the_version_of_each_package_and_dated_in_the_changelog(
    tag: str, heading: str, says: list[str]
) -> None:
    found = problems(tag, {"a": "0.3.0", "b": "0.3.0"}, f"# Changes\n\n{heading}\n")
    assert [line[: len(start)] for line, start in zip(found, says, strict=True)] == says


def test_workflows_run_commands_that_exist() -> None:
    rules = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", rules, re.MULTILINE))
    assert set(re.findall(r"\bmake ([\w-]+)", WORKFLOWS)) - targets == set()
    tools = {path.stem for path in ROOT.glob("tools/*")}
    assert set(re.findall(r"-m tools\.(\w+)", WORKFLOWS)) - tools == set()


def test_actions_are_pinned_to_a_commit_and_say_which_version_that_is() -> None:
    pins = set(re.findall(r"uses: (?!\./)(.*)", WORKFLOWS))
    assert pins
    assert not {pin for pin in pins if not re.fullmatch(r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+", pin)}
