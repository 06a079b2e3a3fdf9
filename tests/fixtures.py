"""What the tests of the built book share: its files, a server over them, and a real browser."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from tests.run_in_node import RunInNode

from tools.browser import BrowserError, chromium, find_browser
from tools.serve import served

ROOT = Path(__file__).parents[1]
CI = os.environ.get("CI", "").lower() in ("1", "true")

NOBODY_ELSE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
VIEWPORT = {"width": 1280, "height": 720}
STILL = "reduce"
"""Nothing moves by itself, so that what a click brings about is there at once."""
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
    with served(site) as address:
        yield f"{address}/"


def found_or_skipped(variable: str) -> str:
    """Find a browser. Where there is none: skip loudly, and fail in CI or where the variable names one."""
    try:
        return find_browser(variable)
    except BrowserError as error:
        if CI or os.environ.get(variable):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium driven by Playwright."""
    found_or_skipped("SCC_BROWSER")
    with chromium(NOBODY_ELSE) as running:
        yield running


FORGET = "try { localStorage.removeItem('explorax-answers') } catch {}"
"""What was answered in one test isn't remembered in the next."""


@pytest.fixture(scope="session")
def new_page(browser: Any) -> Callable[..., Any]:
    """Make empty pages: ``new_page(alone=False, **context options)``.

    Pages of the same options share a context, and so what it has loaded and stored, but for one
    that is to be ``alone``. Returned is Playwright's page, with four more attributes: ``sent``,
    the addresses that were asked for; ``errors``, what was logged as an error, raised, or failed
    to load; ``complaints()``, these and what was asked of another machine than this; and
    ``leave()``, which hands it on: a new one takes a browser longer than what is done in it.
    """
    contexts: dict[str, Any] = {}
    left: dict[str, list[Any]] = {}
    defaults: dict[str, Any] = {"viewport": VIEWPORT, "reduced_motion": STILL}

    def make(*, alone: bool = False, **options: Any) -> Any:
        key = json.dumps(options, sort_keys=True)

        def leave() -> None:
            if alone:
                page.context.close()
                return
            if "crashed" in page.errors:
                page.close()
                return
            page.evaluate(FORGET)
            page.goto("about:blank")
            scheme = options.get("color_scheme", "light")
            motion = options.get("reduced_motion", STILL)
            page.emulate_media(media="null", color_scheme=scheme, reduced_motion=motion)
            page.set_viewport_size(options.get("viewport", VIEWPORT))
            left.setdefault(key, []).append(page)

        if alone:
            page = browser.new_context(**defaults | options).new_page()
        elif left.get(key):
            page = left[key].pop()
        else:
            if key not in contexts:
                contexts[key] = browser.new_context(**defaults | options)
            page = contexts[key].new_page()
        if not hasattr(page, "sent"):
            listen(page)
            page.wait_for_function = partial(wait_for, page)
        page.sent, page.errors, page.leave = [], [], leave
        page.complaints = lambda: page.errors + [f"asked {u}" for u in page.sent if not is_here(u)]
        return page

    return make


@pytest.fixture
def open_page(
    new_page: Callable[..., Any], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Any]]:
    """Open pages until the test ends: ``open_page(url, strict=True, **options of new_page)``.

    The address is a whole one, or a path under the built book, which is then served. When the
    test ends, a strict page must have no error and must have asked nobody but this machine.
    """
    pages: list[tuple[Any, bool]] = []

    def open_one(url: str, *, strict: bool = True, **options: Any) -> Any:
        if not urlsplit(url).scheme:
            url = urljoin(request.getfixturevalue("server"), url)
        page = new_page(**options)
        pages.append((page, strict))
        page.goto(url)
        return page

    yield open_one
    found = [f"{p.url}: {said}" for p, strict in pages if strict for said in p.complaints()]
    for page, _ in pages:
        page.leave()
    assert not found, "\n".join(found)


@pytest.fixture(scope="session")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any], str]:
    """Save figures as pages of their own; ``page_of(figure)`` is the address of one."""
    folder, saved = tmp_path_factory.mktemp("figures"), dict[str, str]()

    def save(figure: Any) -> str:
        key = json.dumps(figure.describe())
        if key not in saved:
            saved[key] = figure.save_html(folder / f"figure{len(saved)}.html").as_uri()
        return saved[key]

    return save


FRONTEND = ROOT / "packages" / "explorax" / "src" / "explorax" / "frontend"
AXE = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = f"{AXE} is missing. Install what checks the front end: make lint, or npm ci in {FRONTEND}"
RUN_AXE = Path(__file__).with_name("axe.js")


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], list[str]]:
    """What axe-core objects to in a page as it stands: ``axe(page)``."""
    if not AXE.is_file():
        pytest.fail(NO_AXE, pytrace=False)

    def check(page: Any) -> list[str]:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found: list[str] = page.evaluate(RUN_AXE.read_text(encoding="utf-8"))
        return found

    return check


def take(page: Any, element: Any, button: str = "left") -> tuple[float, float]:
    """Press the mouse on the middle of an element, and return where that is."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    return x, y


def drag(page: Any, handle: Any, dx: float, dy: float) -> None:
    """Drag the knob of a handle by so many pixels, in a few moves."""
    x, y = take(page, handle.locator(".gl-knob"))
    page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()


def wait_for(page: Any, condition: str, *, arg: Any = None, timeout: float = 30_000) -> None:
    """Wait until an expression is true, as ``wait_for_function`` does where a policy admits ``eval``."""
    until = time.monotonic() + timeout / 1000
    while not page.evaluate(condition, arg):
        assert time.monotonic() < until, f"not true within {timeout / 1000} s: {condition}"
        page.wait_for_timeout(20)


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


@pytest.fixture(scope="module")
def compile_module_quickly() -> Iterator[None]:
    """XLA translates a program and hardly optimises it: for large ones that run a few times."""
    import jax

    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", before)


@pytest.fixture(scope="module")
def x64(compile_module_quickly: None) -> Iterator[None]:
    """Let arrays be float64, and compile quickly: programs are run a few times only."""
    import jax

    with jax.enable_x64(True):
        yield


@pytest.fixture(scope="session")
def run_in_node() -> Iterator[RunInNode]:
    """Evaluate emitted programs: for each call, its results as flat arrays."""
    with RunInNode() as run:
        yield run
