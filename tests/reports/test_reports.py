"""Reports about other libraries say what their scripts print here, in the form that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.reports import (
    DISTRIBUTIONS,
    FOLDER,
    OUTPUT,
    SCRIPT,
    VERSIONS,
    library_of,
    output_of,
    runs_here,
)

SCRIPTS = sorted(FOLDER.glob("*.py"))
FREE = [  # Optax and Sonnet have no form
    "Description",
    "Standalone code",
    "Actual behaviour",
    "Expected behaviour",
    "Proposed fix",
    "Similar issues",
    "Versions",
]
SECTIONS = {
    "optax": FREE,
    "sonnet": FREE,
    "keras": [
        "System information, versions",
        "Describe the problem",
        "Describe the current behavior",
        "Describe the expected behavior",
        "Contributing",
        "Standalone code to reproduce the issue",
        "Source code / logs",
    ],
    "pytorch": ["🐛 Describe the bug", "Versions"],
    "tensorflow": [
        "Issue type",
        "Have you reproduced the bug with TensorFlow Nightly?",
        "Source",
        "TensorFlow version",
        "Custom code",
        "OS platform and distribution",
        "Python version",
        "Current behavior?",
        "Standalone code to reproduce the issue",
        "Relevant log output",
    ],
}

each_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)


def report_of(script: Path) -> str:
    return script.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.exhaustive
@each_script
def test_a_script_prints_what_its_report_shows(script: Path) -> None:
    if not runs_here(script):
        pytest.skip(f"{library_of(script)} is not installed here: make frameworks test-frameworks")
    shown = OUTPUT.search(report_of(script))
    assert shown
    assert output_of(script) == shown[2], f"{script.name}: python -m tools.reports"


@each_script
def test_a_script_is_short_and_needs_its_library_alone(script: Path) -> None:
    code = script.read_text(encoding="utf-8")
    assert 5 <= len([line for line in code.split("\n") if line.strip()]) <= 20
    assert "scaleclip" not in code
    assert "expected" in code


@each_script
def test_a_report_has_its_projects_sections_its_script_and_versions(script: Path) -> None:
    report = report_of(script)
    held, versions = SCRIPT.search(report), VERSIONS.search(report)
    assert held
    assert held[0] == script.read_text(encoding="utf-8"), "python -m tools.reports"
    lines = report.split("\n")
    assert lines[0].startswith("# ")
    found = [line.lstrip("# ") for line in lines if line.startswith(("## ", "### "))]
    assert found == SECTIONS[library_of(script)]
    assert versions
    assert any(versions[2].startswith(f"{name} ") for name in DISTRIBUTIONS[library_of(script)])
    assert "Python 3" in versions[2]


def test_every_report_has_a_script_and_a_row_of_the_table() -> None:
    reports = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert reports == {script.stem for script in SCRIPTS}
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = [line for line in table.split("\n") if line.startswith("| [")]
    assert sorted(row.split("[")[1].split("]")[0] for row in rows) == sorted(reports)
    assert all(f"]({name}.md)" in table for name in reports)
