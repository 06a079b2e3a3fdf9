"""From a key to a new picture: the book's figures, and the same made with ``interact`` in Lab."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.program.browser import address, slow, slow_page, wait_until
from benchmarks.program.frames import READY, REVEAL
from benchmarks.program.sizes import Shown
from tools.browser import BrowserError
from tools.lab import STARTS, lab

HERE = Path(__file__).parent
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
    },
}
CELL: dict[str, Any] = {
    "cell_type": "code",
    "id": "a",
    "metadata": {},
    "execution_count": None,
    "outputs": [],
}
KEYS = ("ArrowLeft",) * 10 + ("ArrowRight",) * 10
"""A round: the slider ends where it began."""

# From a key's time stamp to the end of the first frame after the picture changed.
LISTEN = """(find) => {
  const { picture, slider } = Function(`return (${find})()`)();
  window.gradlabSlider = slider;
  window.gradlabTimes = [];
  let pressed = null;
  let shown = picture.querySelector("img")?.src;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(async () => {
    const image = picture.querySelector("img");
    if (pressed === null || (image ? image.src === shown : shown)) return;
    shown = image?.src;
    const since = pressed;
    pressed = null;
    await image?.decode();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.gradlabTimes.push(performance.now() - since);
      channel.port2.postMessage(null);
    });
  }).observe(picture, { subtree: true, childList: true, attributes: true });
  return true;
}"""
OURS = """() => {
  const figure = document.querySelectorAll("figure.gl-figure")[%(place)d];
  const picture = figure.querySelector(".gl-stage");
  return { picture, slider: figure.querySelector("[data-control=%(control)s]") };
}"""
LABS = """() => {
  const root = window.jupyterapp.shell.currentWidget.node;
  const picture = root.querySelector(".jp-OutputArea-output .jupyter-widgets.widget-output");
  const slider = root.querySelectorAll(".jupyter-widgets.widget-slider .noUi-handle")[%(number)d];
  return picture?.querySelector("img") && slider ? { picture, slider } : null;
}"""
ACCEPTS = """(find) => Boolean(Function(`return (${find})()`)())"""
IDLE = """() => {
  const session = window.jupyterapp?.shell.currentWidget?.context?.sessionContext;
  return session?.isReady && session.session?.kernel?.status === "idle";
}"""
RUN = """async () => { await window.jupyterapp.commands.execute("notebook:run-all-cells"); return true; }"""


@dataclass(frozen=True)
class Peer:
    """A figure of the book and the cell that makes the same with ipywidgets and matplotlib.

    Attributes:
      figure: the figure's class.
      cell: the file under ``peers/``.
      control: whose slider is moved.
      number: which of the cell's sliders that is, from 0.
    """

    figure: str
    cell: str
    control: str
    number: int = 0


PEERS = (
    Peer("UnrolledFlow", "unrolled_flow.py", "scale"),
    Peer("ReportedTangent", "reported_tangent.py", "scale"),
)


@contextmanager
def peers() -> Iterator[str]:
    """The address of a JupyterLab over a folder with one notebook for each peer."""
    with tempfile.TemporaryDirectory(prefix="gradlab-peers-") as folder:
        for peer in PEERS:
            source = (HERE / "peers" / peer.cell).read_text(encoding="utf-8")
            notebook = json.dumps({**NOTEBOOK, "cells": [{**CELL, "source": source}]})
            Path(folder, f"{peer.figure}.ipynb").write_text(notebook, encoding="utf-8")
        with lab(Path(folder)) as where:
            yield where


def steps(page: Any) -> list[float]:
    """Moves the slider step by step, each when the last picture is there: milliseconds each."""
    for count, key in enumerate(KEYS, start=1):
        page.evaluate("() => window.gradlabSlider.focus()")
        page.keyboard.press(key)
        wait_until(page, "(count) => window.gradlabTimes.length >= count", count)
        page.wait_for_timeout(100)
    return [float(time) for time in page.evaluate("() => window.gradlabTimes.splice(0)")]


def measure_peers(
    browser: Any, book: Path, figures: Sequence[Shown], rounds: int, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Moves the same slider in the book and in JupyterLab, by turns.

    Args:
      browser: Playwright's.
      book: the built book.
      figures: those found in it.
      rounds: how many.
      say: told how far it is.
    """
    found = []
    with peers() as where:
        for peer in PEERS:
            shown = next((shown for shown in figures if shown.name == peer.figure), None)
            if shown is None:
                raise BrowserError(f"No page of the built book shows {peer.figure}.")
            with slow_page(browser) as (ours, one), slow_page(browser) as (theirs, two):
                _open_ours(ours, book, shown, peer)
                _open_lab(theirs, where, peer)
                for session in (one, two):
                    slow(session)
                times: dict[str, list[list[float]]] = {"ours": [], "lab": []}
                for number in range(-1, rounds):  # the first round warms up
                    say(f"JupyterLab, {peer.figure}: round {number + 1} of {rounds}")
                    for name, page in (("ours", ours), ("lab", theirs)):
                        page.bring_to_front()
                        taken = steps(page)
                        if number >= 0:
                            times[name].append(taken)
            found.append({"figure": peer.figure, "control": peer.control, **compared(times)})
    return found


def _open_ours(page: Any, book: Path, shown: Shown, peer: Peer) -> None:
    page.goto(address(book, shown.page))
    wait_until(page, READY, shown.place)
    page.evaluate(REVEAL, shown.place)
    page.evaluate(LISTEN, OURS % {"place": shown.place, "control": peer.control})


def _open_lab(page: Any, where: str, peer: Peer) -> None:
    page.goto(f"{where}/lab/workspaces/{peer.figure}/tree/{peer.figure}.ipynb")
    wait_until(page, IDLE, seconds=STARTS)
    page.evaluate(RUN)
    find = LABS % {"number": peer.number}
    wait_until(page, ACCEPTS, find, seconds=STARTS)
    page.evaluate(LISTEN, find)


def compared(times: dict[str, list[list[float]]]) -> dict[str, Any]:
    """Medians over rounds of both, and of their ratio."""
    ratios = [
        statistics.median(theirs) / statistics.median(ours)
        for ours, theirs in zip(times["ours"], times["lab"], strict=True)
    ]
    return {
        **{
            name: {
                "median": statistics.median(map(statistics.median, rounds)),
                "p95": statistics.median(float(np.quantile(one, 0.95)) for one in rounds),
            }
            for name, rounds in times.items()
        },
        "ratio": {"median": statistics.median(ratios), "low": min(ratios), "high": max(ratios)},
    }
