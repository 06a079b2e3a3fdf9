"""Run PyTorch's clips on four processes, and record what they measure: ``python -m experiments.torch_at_scale.run``.

It runs in the environment that ``make frameworks`` makes; ``protocol.md`` says what is run and why. The
results stand in ``packages/sccbook/src/sccbook/records/torch_at_scale.json``, where the chapter finds them.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import clip_grad_norm_

from experiments.record import made_with, store

OUT = Path(__file__).parents[2] / "packages/sccbook/src/sccbook/records/torch_at_scale.json"
WORLD, LIMIT = 4, 1.0
EXAMPLES, FEATURES, UNITS, OUTPUTS = 32, 8, 16, 4
LONG = 10.0
"""How many times as large the errors of the first process's examples are."""
START, INTERVAL, STEPS = 2.0**40, 10, 60


def network() -> nn.Sequential:
    """Return the model, with the same weights each time."""
    torch.manual_seed(0)
    layers = nn.Linear(FEATURES, UNITS), nn.Tanh(), nn.Linear(UNITS, OUTPUTS)
    return nn.Sequential(*layers).double()


def data() -> tuple[Tensor, Tensor]:
    """Return all examples; those of the first process have long errors."""
    source = torch.Generator().manual_seed(1)
    x = torch.randn(EXAMPLES, FEATURES, generator=source, dtype=torch.float64)
    y = torch.randn(EXAMPLES, OUTPUTS, generator=source, dtype=torch.float64)
    y[: EXAMPLES // WORLD] *= LONG
    return x, y


def loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    """Return the mean squared error."""
    return nn.functional.mse_loss(model(x), y)


def flat(tensors: Iterable[Tensor]) -> Tensor:
    """Return arrays as one vector."""
    return torch.cat([t.detach().flatten() for t in tensors])


def compared(step: Tensor, gradient: Tensor) -> dict[str, float]:
    """The length of a step, and its angle to a gradient in degrees."""
    cosine = step @ gradient / step.norm() / gradient.norm()
    return {
        "length": step.norm().item(),
        "turned": torch.rad2deg(torch.arccos(cosine.clamp(-1, 1))).item(),
    }


def gradient_of_one() -> Tensor:
    """Return the gradient of the whole batch, in one process."""
    model = network()
    loss(model, *data()).backward()
    return flat(p.grad for p in model.parameters() if p.grad is not None)


def fsdp(rank: int) -> dict[str, Any]:
    """Each process holds a fourth of every array's rows, and of its gradient."""
    mesh = init_device_mesh("cpu", (WORLD,))
    model = network()
    for layer in (model[0], model[2], model):
        fully_shard(layer, mesh=mesh)
    share = [part.chunk(WORLD)[rank] for part in data()]
    loss(model, *share).backward()
    grads: list[Any] = [p.grad for p in model.parameters()]
    own = flat(g.to_local() for g in grads).norm()
    by_own = [g.to_local() * min(1.0, LIMIT / own.item()) for g in grads]
    parts = [type(g).from_local(k, mesh, g.placements, shape=g.shape, stride=g.stride())
             for g, k in zip(grads, by_own, strict=True)]  # fmt: skip
    wrong = flat(part.full_tensor() for part in parts)
    partial: Any = torch.nn.utils.get_total_norm(grads)
    norm: Any = clip_grad_norm_(model.parameters(), LIMIT)
    right = flat(g.full_tensor() for g in grads)
    return {
        "own": own.item(),
        "returned": norm.full_tensor().item(),
        "returned_local": norm.to_local().item(),
        "placements": str(norm.placements[0]),
        "get_total_norm_local": partial.to_local().item(),
        "by_one_norm": compared(right, gradient_of_one()),
        "by_own_norm": compared(wrong, gradient_of_one()),
    }


def ddp(rank: int) -> dict[str, Any]:
    """Each process holds all weights, and takes the mean of the gradients."""
    found = {}
    share = [part.chunk(WORLD)[rank] for part in data()]
    for name in ("average_then_clip", "clip_then_average"):
        local = name == "clip_then_average"
        model = DistributedDataParallel(network())
        with model.no_sync() if local else nullcontext():
            loss(model, *share).backward()
        norm = clip_grad_norm_(model.parameters(), LIMIT)
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        if local:
            for g in grads:
                dist.all_reduce(g)
                g /= WORLD
        found[name] = {"norm": norm.item(), **compared(flat(grads), gradient_of_one())}
    return found


def worker(rank: int, port: int, name: str, folder: str) -> None:
    """Run one of four processes, and write what it found."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=WORLD)
    work: Callable[[int], dict[str, Any]] = {"fsdp": fsdp, "ddp": ddp}[name]
    found = work(rank)
    Path(folder, f"{rank}.json").write_text(json.dumps(found), encoding="utf-8")
    dist.destroy_process_group()


def on_four(name: str) -> list[dict[str, Any]]:
    """Return what each of four processes found."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(worker, args=(port, name, folder), nprocs=WORLD)
        return [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(WORLD)]


def scaler(start: float) -> torch.amp.GradScaler:
    """Return a loss scale that begins at ``start``."""
    return torch.amp.GradScaler("cpu", init_scale=start, growth_interval=INTERVAL)


def half_loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
    """In float16 but for the last mean, of a batch that counts 2**20 tokens."""
    with torch.autocast("cpu", dtype=torch.float16):
        found = model(x)
    return ((found.float() - y) ** 2).sum() / 2**20


def amp() -> dict[str, Any]:
    """Let the scale find its level; then clip before and after it is taken out."""
    model, (x, y) = network().float(), (part.float() for part in data())
    optimizer, scale = torch.optim.SGD(model.parameters(), lr=0.1), scaler(START)
    rows = []
    for _ in range(STEPS):
        before = flat(model.parameters()).clone()
        power = torch.log2(torch.tensor(scale.get_scale())).item()
        optimizer.zero_grad()
        scale.scale(half_loss(model, x, y)).backward()
        scale.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), LIMIT).item()
        scale.step(optimizer)
        scale.update()
        moved = not torch.equal(flat(model.parameters()), before)
        rows.append([int(power), norm if norm < float("inf") else str(norm), moved])
    orders = {}
    for late in (True, False):
        model = network().float()
        optimizer, scale = torch.optim.SGD(model.parameters(), lr=1.0), scaler(2.0**16)
        before = flat(model.parameters()).clone()
        # of 2**11 tokens: its gradient is shorter than the limit
        scale.scale(2**9 * half_loss(model, x, y)).backward()
        if late:
            scale.unscale_(optimizer)
        norm = clip_grad_norm_(model.parameters(), LIMIT).item()
        scale.step(optimizer)
        step = (flat(model.parameters()) - before).norm().item()
        orders["unscale_then_clip" if late else "clip_then_unscale"] = {"norm": norm, "step": step}
    return {"steps": rows, "orders": orders}


def main() -> None:
    """Run all three, and write the record."""
    found = {
        "provenance": made_with(
            "torch", processes=WORLD, backend="gloo", limit=LIMIT, growth_interval=INTERVAL
        ),
        "one_process": gradient_of_one().norm().item(),
        "fsdp": on_four("fsdp"),
        "ddp": on_four("ddp"),
        "amp": amp(),
    }
    store(OUT, json.dumps(found, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
