"""Train a small network in one way of `ways.toml`, given as JSON, and print what the way did, as JSON.

`run.py` runs it once for each way, with the Python of an environment that has the library.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from benchmarks.report import Row, by_turns, summary

STEPS, SPIKE, ROUNDS = 300, 200, 15
SIZES = {"batch 8": (724, 4, 8), "batch 64": (724, 4, 64)}
"""Width, layers and batch of the networks whose steps are timed."""
STEP = """\
def step(x, y, look=lambda: 0.0):
    optimizer.zero_grad()
    {backward}
    before = look()
    {clip}
    after = look()
    optimizer.step()
    return before, after
"""
DEFAULTS = {
    "backward": "loss = torch.nn.functional.mse_loss(model(x), y)\nloss.backward()",
    "clip": "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
}


def training(way: dict[str, str], width: int, layers: int) -> dict[str, Any]:
    """Return what a way's lines made of a network, an optimizer and the function `step`."""
    torch.manual_seed(0)
    parts = [
        part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.Tanh())
    ]
    model = torch.nn.Sequential(*parts)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    names = {"torch": torch, "model": model, "optimizer": optimizer, "norms": []}
    lines = {n: (DEFAULTS | way)[n].strip().replace("\n", "\n    ") for n in DEFAULTS}
    exec(way.get("make", "") + "\n" + STEP.format(**lines), names)
    return names


def checked(way: dict[str, str]) -> Row:
    """Count the steps whose gradient was cut, and those of which the library gives the norm before."""
    names = training(way, 16, 2)

    def look() -> float:
        return float(torch.nn.utils.get_total_norm([p.grad for p in names["model"].parameters()]))

    xs = torch.randn(STEPS, 32, 16)
    ys = [torch.sin(3 * x) * (30 if n == SPIKE else 1) for n, x in enumerate(xs)]
    before, after = zip(
        *(names["step"](x, y, look) for x, y in zip(xs, ys, strict=True)), strict=True
    )
    given = zip(eval(way.get("kept", "norms"), names), before, strict=False)
    cut = sum(b < 0.999 * a for a, b in zip(before, after, strict=True))
    return {"cut": cut, "norms": sum(abs(float(n) - a) < 1e-3 * a for n, a in given)}


def ten_steps(step: Callable[[Any, Any], Any], x: Any, y: Any) -> float:
    """Take ten steps, and return the processor time that they took, which other programs affect less."""
    start = time.process_time()
    for _ in range(10):
        step(x, y)
    return time.process_time() - start


def timed(way: dict[str, str], width: int, layers: int, batch: int) -> Any:
    """Divide the time of ten steps by that of ten with PyTorch's clip, taken in turn."""
    x, y = torch.randn(2, batch, width)
    tens = {
        name: partial(ten_steps, training(each, width, layers)["step"], x, y)
        for name, each in {"way": way, "clip": {}}.items()
    }
    return summary(by_turns(tens, ROUNDS), "ms", "way / clip")["way / clip"]


if __name__ == "__main__":
    torch.set_num_threads(1)
    given = json.loads(sys.argv[1])
    times = {size: timed(given, *SIZES[size]) for size in given.get("times", SIZES)}
    print(json.dumps({"torch": torch.__version__, **checked(given), **times}))
