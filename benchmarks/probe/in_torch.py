"""Time PyTorch's training steps with a recorder and without.

`_build/frameworks/bin/python -m benchmarks.probe.in_torch`, after `make frameworks` (2 minutes).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks.report import QUICK, Row, by_turns, circumstances, clocked, summary, write
from scaleclip.torch import Recorder

SIZES = {"small": (256, 4, 256), "medium": (512, 4, 256), "large": (1024, 6, 64)}
"""Width, layers and batch."""
SHOWN = ", ".join(f"{name} {' x '.join(map(str, size))}" for name, size in SIZES.items())
ROUNDS, SECONDS = (2, 0.2) if QUICK else (9, 2.0)
STEPS = f"""\
A step of an MLP (width x layers x batch: {SHOWN}) with Adam, on two
threads. *clip_grad_norm_* is a step with `torch.nn.utils.clip_grad_norm_`, *recorded* one with our `Recorder`,
which reads each gradient once and waits for no device. In turn, in {ROUNDS} rounds of {SECONDS:g} s each; a ratio
is taken within a round: its median, lowest and highest."""


def stepper(size: tuple[int, int, int], recorded: bool) -> Callable[[], None]:
    """Return a call that takes one step."""
    width, layers, batch = size
    torch.manual_seed(0)
    blocks = [(torch.nn.Linear(width, width), torch.nn.Tanh()) for _ in range(layers)]
    model = torch.nn.Sequential(*(module for block in blocks for module in block))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    recorder, x = Recorder(model), torch.randn(batch, width)

    def call() -> None:
        optimizer.zero_grad()
        ((model(x) - 1) ** 2).mean().backward()
        if recorded:
            recorder.clip_by_global_norm_(1.0)
        else:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    call()
    return call


def steps(name: str) -> Row:
    """Time the steps of one size."""
    width, layers, _ = size = SIZES[name]
    ways = {
        way: clocked(stepper(size, way == "recorded")) for way in ("clip_grad_norm_", "recorded")
    }
    times = summary(by_turns(ways, ROUNDS, SECONDS), "ms", "recorded / clip_grad_norm_")
    return {"size": name, "parameters": layers * width * (width + 1), **times}


def main() -> None:
    """Measure everything and write the results."""
    torch.set_num_threads(2)
    where = circumstances(("packages/scaleclip/src/scaleclip/torch",), ("torch",))
    sections = {STEPS: [steps(name) for name in SIZES]}
    file = Path(__file__).with_name("results_in_torch.md")
    write(file, "A recorder's price in PyTorch", where, sections)


if __name__ == "__main__":
    main()
