"""What the tests of the built book share: its files, a server over them, and a real browser."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

import pytest

from tests.run_in_node import RunInNode
from tools.browser import OPTIONS, BrowserError, find_browser

ROOT = Path(__file__).parents[1]
CI = os.environ.get("CI", "").lower() in ("1", "true")

NOBODY_ELSE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
HERE = ("127.0.0.1", "localhost")
INLINE = ("about", "blob", "chrome", "chrome-extension", "data", "file")


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built book."""
    folder = ROOT / "_build" / "html"
    if not (folder / "index.html").is_file():
        pytest.fail(f"There is no built book in {folder}. Build it first: make book", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:
    """The address of a server over the built book, ending in a slash."""
    from tools.serve import make_server

    with make_server(site, 0) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium driven by Playwright. Where there is none: skip loudly, and fail in CI."""
    try:
        program = find_browser()
    except BrowserError as error:
        if CI or os.environ.get("GRADLAB_BROWSER"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=program, headless=True, args=[*OPTIONS, NOBODY_ELSE]
        )
        yield running
        running.close()


class OpenPage(Protocol):
    """The type of the fixture ``open_page``."""

    def __call__(self, url: str, *, strict: bool = True, **context: Any) -> Any:
        """Open a page in a new context."""


@pytest.fixture
def open_page(browser: Any, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open pages, each in a fresh context: ``open_page(url, strict=True, **context options)``.

    The address is a whole one, or a path under the built book, which is then served. Returned is
    Playwright's page, with two more attributes: ``sent``, the addresses that were asked for, and
    ``errors``, what was logged as an error, raised, or failed to load. When the test ends, a strict
    page must have no error and must have asked nobody but this machine.
    """
    pages: list[tuple[Any, bool]] = []

    def open_one(url: str, *, strict: bool = True, **context: Any) -> Any:
        if not urlsplit(url).scheme:
            url = urljoin(request.getfixturevalue("server"), url)
        page = browser.new_context(**context).new_page()
        page.sent, page.errors = [], []
        listen(page)
        pages.append((page, strict))
        page.goto(url)
        return page

    yield open_one
    complaints = []
    for page, strict in pages:
        page.context.close()
        if strict:
            complaints += [f"{page.url}: {error}" for error in page.errors]
            complaints += [f"{page.url}: asked {url}" for url in page.sent if not is_here(url)]
    assert not complaints, "\n".join(complaints)


@pytest.fixture(scope="session")
def take() -> Callable[[Any, Any], tuple[float, float]]:
    """Press the mouse on the middle of an element, and say where: ``x, y = take(page, element)``."""

    def middle(page: Any, element: Any) -> tuple[float, float]:
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        return x, y

    return middle


@pytest.fixture(scope="session")
def drag(take: Callable[[Any, Any], tuple[float, float]]) -> Callable[..., None]:
    """Drag the knob of a handle by so many pixels, in a few moves: ``drag(page, handle, dx, dy)``."""

    def by(page: Any, handle: Any, dx: float, dy: float) -> None:
        x, y = take(page, handle.locator(".gl-knob"))
        for step in range(1, 6):
            page.mouse.move(x + dx * step / 5, y + dy * step / 5)
        page.mouse.up()

    return by


@pytest.fixture
def page_of(tmp_path: Path) -> Callable[[Any], str]:
    """Save figures as pages of their own; ``page_of(figure)`` is the address of one."""
    saved: list[Path] = []

    def save(figure: Any) -> str:
        saved.append(figure.save_html(tmp_path / f"figure{len(saved)}.html"))
        return saved[-1].as_uri()

    return save


AXE = ROOT / "gradlab" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = (
    f"{AXE} is missing. Install what checks the front end: make lint, or npm ci in gradlab/frontend"
)
RUN_AXE = """async (within) => {
  const { violations } = await axe.run(within ?? document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map((node) =>
    `${id} (${help}): ${node.target.join(" ")}: ${node.html.slice(0, 200)}`));
}"""


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """What axe-core objects to in a page as it stands: ``axe(page, within=None)``, a selector."""
    if not AXE.is_file():
        pytest.fail(NO_AXE, pytrace=False)
    script = AXE.read_text(encoding="utf-8")

    def check(page: Any, within: str | None = None) -> list[str]:
        page.evaluate(script)
        found: list[str] = page.evaluate(RUN_AXE, within)
        return found

    return check


def listen(page: Any) -> None:
    """Keep what a page asks for and what it complains of, from now on."""
    page.on("request", lambda sent: page.sent.append(sent.url))
    page.on("websocket", lambda socket: page.sent.append(socket.url))
    page.on("pageerror", lambda error: page.errors.append(f"raised {error}"))
    page.on("crash", lambda _: page.errors.append("crashed"))
    page.on(
        "console",
        lambda said: page.errors.append(f"logged {said.text}") if said.type == "error" else None,
    )
    page.on(
        "requestfailed",
        # a page that is left drops what it still waits for
        lambda failed: (
            page.errors.append(f"could not load {failed.url}: {failed.failure}")
            if failed.failure != "net::ERR_ABORTED"
            else None
        ),
    )


def is_here(url: str) -> bool:
    """Say whether an address is on this machine."""
    parts = urlsplit(url)
    return parts.scheme in INLINE or parts.hostname in HERE


def _compile_quickly() -> Iterator[None]:
    """XLA translates a program and hardly optimises it: for large ones that run a few times."""
    import jax

    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", before)


compile_quickly = pytest.fixture(_compile_quickly)
compile_module_quickly = pytest.fixture(scope="module")(_compile_quickly)


@pytest.fixture(scope="session")
def run_in_node() -> Iterator[RunInNode]:
    """Evaluate emitted programs: for each call, its results as flat arrays."""
    with RunInNode() as run:
        yield run
