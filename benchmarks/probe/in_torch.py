"""Time PyTorch's part, in the environment that has it: python -m benchmarks.probe.in_torch '{...}'."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from scaleclip.torch import Recorder


def stepper(size: tuple[int, int, int], recorded: bool) -> Callable[[], float]:
    """Return what takes one step, and tells its seconds."""
    width, layers, batch = size
    torch.manual_seed(0)
    blocks = [(torch.nn.Linear(width, width), torch.nn.Tanh()) for _ in range(layers)]
    model = torch.nn.Sequential(*(module for block in blocks for module in block))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    recorder, x = Recorder(model), torch.randn(batch, width)

    def call() -> float:
        start = time.perf_counter()
        optimizer.zero_grad()
        ((model(x) - 1) ** 2).mean().backward()
        if recorded:
            recorder.clip_by_global_norm_(1.0)
        else:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return time.perf_counter() - start

    call()
    return call


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """Time both steps by turns; ``benchmarks.turns`` needs what is not installed here."""
    torch.set_num_threads(2)
    width, layers, _ = size = asked["size"]
    ways = {name: stepper(size, name == "recorded") for name in ("clip_grad_norm_", "recorded")}
    rounds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(asked["rounds"]):
        times: dict[str, list[float]] = {name: [] for name in ways}
        end = time.perf_counter() + 2 * asked["seconds"]
        while not times["recorded"] or time.perf_counter() < end:
            for name in sorted(ways, reverse=len(times["recorded"]) % 2 > 0):
                times[name].append(ways[name]())
        for name, taken in times.items():
            rounds[name].append(statistics.median(taken))
    parameters = layers * width * (width + 1)
    return {"rounds": rounds, "version": torch.__version__, "parameters": parameters}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
