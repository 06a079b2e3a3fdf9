"""Figures in a real JupyterLab: Python reads and sets the river's controls, and it answers the hand.

Other widgets are linked to it, in Python and in the page; and a training loop runs in the page.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.fixtures import drag

pytestmark = pytest.mark.exhaustive

CELLS = [
    "from sccbook.figures import UnrolledFlow\nriver = UnrolledFlow(2, ask=None, scale=1.0, steps=6)\nriver",
    "river.scale = 0.25",
    "print(river.scale, river.gain, float(river.value['total']))",
    "import ipywidgets\n"
    "slider = ipywidgets.FloatSlider(min=0, max=1, step=0.01, description='by page')\n"
    "dial = ipywidgets.FloatSlider(min=0, max=2, step=0.01, description='by kernel')\n"
    "other = UnrolledFlow(2, ask=None, scale=1.0, steps=6)\n"
    "ipywidgets.jslink((slider, 'value'), (river, 'scale'))\n"
    "ipywidgets.jslink((river, 'steps'), (other, 'steps'))\n"
    "ipywidgets.link((dial, 'value'), (river, 'gain'))\n"
    "ipywidgets.VBox([slider, dial, other])",
    "dial.value = 0.5",
    "print(slider.value, dial.value, river.scale, river.gain, other.steps)",
    "import time\nprint('asleep', flush=True)\n"
    "try:\n    time.sleep(120)\nexcept KeyboardInterrupt:\n    print('stopped')",
    "ipywidgets.HBox([ipywidgets.FloatSlider(), UnrolledFlow(), UnrolledFlow()])",
    "import jax.numpy as jnp\n"
    "from explorax import explore\n"
    "def halve(x, rate):\n    x = x - rate * x\n    return x, x**2\n"
    "descent = explore(halve, {'rate': (0.0, 1.0, 0.5)}, run=40, carry=jnp.array(1.0))\n"
    "descent",
    "print(descent.rate)",
]
LINKED, ROW, RUNS = 3, 7, 8
ANSWERS, STARTS, STOPS = 20, 120.0, 10.0
"""Seconds that an answer may take, and JupyterLab's start and stop."""
OPTIONS = (
    "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root", "--IdentityProvider.token=",
    "--ServerApp.password=", "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab over a folder with one notebook."""
    folder = tmp_path_factory.mktemp("lab")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
    )
    nbformat.write(notebook, folder / "river.ipynb")
    home = tmp_path_factory.mktemp("home")
    folders = {
        f"JUPYTER{name}_DIR": str(home / name)
        for name in ("_CONFIG", "_RUNTIME", "LAB_SETTINGS", "LAB_WORKSPACES")
    }
    kept = {name: value for name, value in os.environ.items() if name != "EXPLORAX_OUTPUT"}
    with (home / "log.txt").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", *OPTIONS],
            env=kept | folders | {"JAX_PLATFORMS": "cpu"}, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        with server:
            yield address_of(server, home)
            server.terminate()
            try:
                server.wait(timeout=STOPS)
            except subprocess.TimeoutExpired:  # it may wait for a thread that never ends
                server.kill()


def address_of(server: subprocess.Popen[bytes], home: Path) -> str:
    """Wait until JupyterLab listens, and return its address without a slash at the end."""
    deadline = time.monotonic() + STARTS
    while time.monotonic() < deadline and server.poll() is None:
        for file in home.glob("_RUNTIME/jpserver-*.json"):
            with suppress(json.JSONDecodeError):  # half written
                return str(json.loads(file.read_text(encoding="utf-8"))["url"]).rstrip("/")
        time.sleep(0.25)
    server.kill()
    pytest.fail(f"JupyterLab did not start:\n{(home / 'log.txt').read_text(encoding='utf-8')}")


@pytest.fixture(scope="module")
def notebook(address: str, browser: Any) -> Iterator[Any]:
    """The notebook in JupyterLab, its first cell run."""
    page = browser.new_context(viewport={"width": 1500, "height": 1300}).new_page()
    page.goto(f"{address}/lab/tree/river.ipynb")
    page.wait_for_function(
        """() => {
          const panel = window.jupyterapp?.shell.currentWidget;
          const session = panel?.context?.sessionContext;
          return session?.isReady && session.session?.kernel?.status === "idle";
        }""",
        timeout=STARTS * 1000,
    )
    run(page, 0)
    page.locator("figure.gl-figure .gl-live").wait_for(timeout=STARTS * 1000)
    yield page
    page.context.close()


def run(page: Any, index: int) -> str:
    """Run a cell, wait for the kernel, and return what it printed."""
    page.evaluate(
        """async (index) => {
          const { content, context } = window.jupyterapp.shell.currentWidget;
          content.activeCellIndex = index;
          await window.jupyterapp.commands.execute("notebook:run-cell");
          await context.sessionContext.session.kernel.requestKernelInfo();
        }""",
        index,
    )
    return printed(page, index)


def printed(page: Any, index: int) -> str:
    return str(
        page.evaluate(
            """(index) => window.jupyterapp.shell.currentWidget.content.widgets[index].model.outputs
              .toJSON().map((o) => [].concat(o.text ?? []).join("")).join("")""",
            index,
        )
    )


def awaited(read: Callable[[], Any], holds: Callable[[Any], bool]) -> Any:
    """What is read as soon as it holds, or at last."""
    deadline = time.monotonic() + ANSWERS
    while not holds(found := read()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def painted(page: Any, selector: str) -> list[Any]:
    return page.locator("figure.gl-figure").evaluate(
        """(figure, selector) => {
          const svg = [...figure.querySelectorAll("svg")].find((s) => s.checkVisibility());
          return [...svg.querySelectorAll(selector)].map(
            (e) => ["d", "x", "y", "width", "height"].map((a) => e.getAttribute(a)));
        }""",
        selector,
    )


def handle(page: Any, control: str) -> Any:
    return page.locator(f"figure svg:visible [data-handle={control}]")


def says(page: Any, words: str, figure: int = 0) -> None:
    """Wait until a figure's sentence has these words."""
    page.wait_for_function(
        """([words, n]) => document.querySelectorAll("figure.gl-figure")[n]
          .querySelector(".gl-sentence").textContent.includes(words)""",
        arg=[words, figure],
        timeout=ANSWERS * 1000,
    )


def test_what_python_sets_the_figure_shows(notebook: Any) -> None:
    bands = painted(notebook, ".gl-band")
    run(notebook, 1)
    says(notebook, "s = 0.25 and K = 6")
    assert painted(notebook, ".gl-band") != bands


def test_what_the_hand_drags_python_reads(notebook: Any) -> None:
    run(notebook, 1)  # from s = 0.25
    says(notebook, "s = 0.25")
    bars = painted(notebook, ".gl-value")
    drag(notebook, handle(notebook, "scale"), 0, 8.3)
    assert painted(notebook, ".gl-value") == bars, "s never moves the values"
    drag(notebook, handle(notebook, "gain"), 0, 3.25)
    assert painted(notebook, ".gl-value") != bars, "the gain does"
    sentence = notebook.locator("figure .gl-sentence")
    # when the kernel is idle, Lab sends the traits: first those of mid-drag, perhaps
    (scale, gain, total), shown = awaited(
        lambda: ([float(x) for x in run(notebook, 2).split()], sentence.inner_text()),
        lambda found: f"gain {found[0][1]:g} and" in found[1],
    )
    assert scale == pytest.approx(0.5, abs=0.02)
    assert gain == pytest.approx(1.5, abs=0.05)
    assert (
        f"s = {scale:g}, gain {gain:g} and K = 6, the weights θ receive as much gradient as {total:.2f}"
        in shown
    )


@pytest.fixture(scope="module")
def linked(notebook: Any) -> Any:
    """The notebook with the cell run that links sliders and a second river to the first."""
    run(notebook, LINKED)
    notebook.locator(".widget-slider .noUi-handle").nth(1).wait_for(timeout=ANSWERS * 1000)
    notebook.locator("figure.gl-figure .gl-live").nth(1).wait_for(timeout=ANSWERS * 1000)
    return notebook


def numbers(page: Any, wanted: list[float]) -> list[float]:
    """What Python prints of the linked widgets, as soon as it is what is wanted, or at last."""
    return awaited(
        lambda: [float(x) for x in run(page, LINKED + 2).split()],
        lambda found: found == pytest.approx(wanted),
    )


def test_a_linked_widget_and_the_figure_follow_each_other_through_python(linked: Any) -> None:
    run(linked, LINKED + 1)
    says(linked, "gain 0.5 and")
    gain = linked.locator("figure [data-control=gain]").first
    gain.focus()
    gain.press("ArrowRight")
    says(linked, "gain 0.51 and")
    assert numbers(linked, [0, 0.51, 0, 0.51, 6])[1] == pytest.approx(0.51)
    linked.wait_for_function(
        "[...document.querySelectorAll('.widget-readout')].some((e) => e.textContent.trim() === '0.51')"
    )


def test_in_a_row_figures_share_the_room(linked: Any) -> None:
    run(linked, ROW)
    figures = linked.locator(".widget-hbox figure.gl-figure")
    figures.nth(1).locator(".gl-live").wait_for(timeout=ANSWERS * 1000)
    one, other = (figure.bounding_box() for figure in figures.all())
    assert one["y"] == other["y"]
    assert 320 <= one["width"] == pytest.approx(other["width"])
    assert one["height"] < 3000, "it was 13,095 where it had no width"


def test_a_training_loop_runs_in_the_page_and_python_reads_its_control(notebook: Any) -> None:
    run(notebook, RUNS)
    figure = notebook.locator("figure.gl-figure", has=notebook.locator(".gl-run"))
    button, line = figure.locator(".gl-run"), figure.locator("svg:visible path.gl-line").first
    assert button.inner_text() == "Run"
    button.click()
    figure.get_by_text("40 steps").first.wait_for(timeout=ANSWERS * 1000)
    assert line.get_attribute("d")
    rate = figure.locator("[data-control=rate]")
    rate.focus()
    rate.press("ArrowRight")
    button.click()
    earlier = figure.locator("li.gl-earlier").first  # hidden where the picture names the runs
    earlier.wait_for(state="attached", timeout=ANSWERS * 1000)
    assert run(notebook, RUNS + 1).strip() == rate.input_value() == "0.51"


def test_what_is_linked_in_the_page_answers_while_the_kernel_is_busy(linked: Any) -> None:
    asleep = LINKED + 3
    linked.evaluate(
        """async (index) => {
          const { content } = window.jupyterapp.shell.currentWidget;
          content.activeCellIndex = index;
          window.jupyterapp.commands.execute("notebook:run-cell");
        }""",
        asleep,
    )
    # The kernel's status does not tell: widgets' messages have a thread of their own ("subshell")
    # and the kernel calls itself idle after each.
    assert awaited(lambda: printed(linked, asleep), bool) == "asleep\n"
    handle = linked.locator(".widget-slider .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    shown = linked.locator(".widget-readout").first.inner_text().strip()
    says(linked, f"s = {float(shown):g}, ")
    steps = linked.locator("figure [data-control=steps]").first
    steps.focus()
    steps.press("ArrowLeft")
    says(linked, "and K = 5,")
    says(linked, "and K = 5,", figure=1)
    scale = linked.locator("figure [data-control=scale]").first
    scale.focus()
    scale.press("ArrowRight")
    scale.press("ArrowRight")
    state = linked.evaluate(
        "(index) => window.jupyterapp.shell.currentWidget.content.widgets[index].model.executionState",
        asleep,
    )
    assert (state, printed(linked, asleep)) == ("running", "asleep\n"), (
        "the cell sleeps all the while"
    )
    linked.evaluate(
        "window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.interrupt()"
    )
    wanted = float(scale.input_value())
    linked.wait_for_function(
        f"document.querySelector('.widget-readout').textContent.trim() === '{wanted:.2f}'"
    )
    found = numbers(linked, [wanted, 0.51, wanted, 0.51, 5])
    assert found == pytest.approx([wanted, 0.51, wanted, 0.51, 5])
    assert printed(linked, asleep) == "asleep\nstopped\n"


def test_the_figure_has_the_colours_of_the_theme(notebook: Any) -> None:
    read = "getComputedStyle(document.querySelector('figure .gl-value')).fill"
    light = notebook.evaluate(read)
    notebook.evaluate(
        """window.jupyterapp.commands.execute("apputils:change-theme", { theme: "JupyterLab Dark" })"""
    )
    notebook.wait_for_function(f"{read} !== {light!r}")
    assert (light, notebook.evaluate(read)) == ("rgb(0, 103, 165)", "rgb(108, 182, 232)")
