"""What test_sharded.py runs in each of two processes: python -m tests.torch.two_processes RANK FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, distributed
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.debug import CommDebugMode

from scaleclip.torch import (
    Recorder,
    clip_adaptively_,
    clip_by_global_norm_,
    clip_gradient,
    clip_gradient_norm,
    max_norm_,
    scale_gradient,
)

LIMIT = 0.5


def network() -> torch.nn.Module:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(5, 7), torch.nn.Tanh(), torch.nn.Linear(7, 3))


def train(model: torch.nn.Module, recorder: Recorder, half: slice) -> dict[str, Any]:
    """Take three steps on a part of each batch, and return what was recorded and clipped."""
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for step in range(3):
        x = torch.randn(8, 5, generator=torch.Generator().manual_seed(step))[half]
        optimizer.zero_grad()
        (3 * model(x).square()).mean().backward()
        recorder.clip_by_global_norm_(LIMIT)
        optimizer.step()
    grads = [whole(p.grad).clone() for p in model.parameters()]
    return {"record": recorder.state_dict(), "grads": grads}


def whole(tensor: Any) -> Tensor:
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def fully_sharded(rank: int, before: bool) -> dict[str, Any]:
    model = network()
    recorder = Recorder(model) if before else None
    mesh = init_device_mesh("cpu", (2,))
    for part in (model[0], model[2], model):
        fully_shard(part, mesh=mesh)
    recorder = recorder or Recorder(model)
    found = train(model, recorder, slice(4 * rank, 4 * rank + 4))
    with CommDebugMode() as counting:
        recorder.clip_by_global_norm_(LIMIT)
    return found | {"reductions": counting.get_total_counts()}


# kinds of gradient, as (whole numbers, which mesh, placements)
def kinds() -> list[tuple[Tensor, int, list[Any]]]:
    a = torch.arange(1.0, 16.0).reshape(5, 3)
    return [
        (a, 0, [Shard(0)]),  # five rows in two processes
        (a.T.bfloat16(), 0, [Shard(1)]),
        (a, 0, [Replicate()]),
        (a, 0, [Partial()]),
        (a[:1], 0, [Shard(0)]),  # one process has nothing
        (torch.complex(a, -a), 0, [Shard(0)]),
        (a, 1, [Replicate(), Shard(0)]),
        (a, 1, [Shard(0), Shard(1)]),
        (a, 1, [Replicate(), Replicate()]),
        (a, 2, [Shard(0), Replicate()]),
    ]


def sharded_by_hand(factor: float = 1.0, dtype: torch.dtype | None = None) -> list[Tensor]:
    """Make parameters with gradients of each kind on three meshes, and one that is no DTensor.

    With a dtype, real ones get it and complex ones its double.
    """
    meshes = [init_device_mesh("cpu", shape) for shape in ((2,), (1, 2), (2, 1))]
    parameters = [torch.zeros(2, requires_grad=True)]
    parameters[0].grad = torch.ones(2, dtype=torch.float32)
    for given, n, placements in kinds():
        to = dtype.to_complex() if dtype and given.is_complex() else dtype
        g = given.to(to or given.dtype) * factor
        if isinstance(placements[0], Partial):
            share = (0.25, 0.75)[distributed.get_rank()]
            grad = DTensor.from_local(g * share, meshes[n], placements)
            like = distribute_tensor(torch.zeros_like(g), meshes[n], [Replicate()])
        else:
            grad = distribute_tensor(g, meshes[n], placements)
            like = torch.zeros_like(grad)
        parameter = like.detach().requires_grad_()
        parameter.grad = grad
        parameters.append(parameter)
    return parameters


def clip_each_kind(factor: float, limit: float, dtype: torch.dtype | None) -> dict[str, Any]:
    parameters = sharded_by_hand(factor, dtype)
    with CommDebugMode() as counting:
        norm = clip_by_global_norm_(parameters, limit)
    grads = [whole(p.grad) for p in parameters]
    return {"norm": norm, "grads": grads, "reductions": counting.get_total_counts()}


def one_by_one() -> dict[str, list[Tensor]]:
    """Apply what acts at one tensor, or to weights, to a DTensor by rows and by columns."""
    operators = {
        "scale_gradient": lambda x: scale_gradient(x, 0.5),
        "clip_gradient": lambda x: clip_gradient(x, -2.0, 5.0),
        "clip_gradient_norm": lambda x: clip_gradient_norm(x, 5.5),
    }
    mesh = init_device_mesh("cpu", (2,))
    found: dict[str, list[Tensor]] = {
        name: [] for name in (*operators, "max_norm_", "clip_adaptively_")
    }
    for axis in (0, 1):
        numbers = torch.tensor([[0.0, 0.0], [3.0, -4.0], [0.0, 0.0], [6.0, 8.0]])
        g = distribute_tensor(numbers, mesh, [Shard(axis)])
        for name, operator in operators.items():
            x = torch.zeros_like(g).requires_grad_()
            found[name].append(whole(torch.autograd.grad(operator(x), x, g)[0]))
        zeros = torch.zeros_like(g).requires_grad_()
        zeros.grad = g.clone()
        clip_adaptively_(zeros, 1.0, 5.5)
        found["clip_adaptively_"].append(whole(zeros.grad))
        found["max_norm_"].append(whole(max_norm_(g, 5.5)))
    return found


def nonfinite(rank: int) -> dict[str, Any]:
    """Put inf into the part that the second process has, and NaN into its share of a sum."""
    found: dict[str, Any] = {}
    for how in ("raise", "zero"):
        parameters = sharded_by_hand()
        if rank == 1:
            parameters[1].grad.to_local()[0, 0] = torch.inf
            parameters[4].grad.to_local()[0, 0] = torch.nan
        try:
            found[how] = clip_by_global_norm_(parameters, 1e9, nonfinite=how)
            found["entries"] = [whole(parameters[n].grad)[[0, 3], 0] for n in (1, 4)]
        except FloatingPointError as error:
            found[how] = str(error)
    return found


def without_a_gradient_in_one(rank: int) -> Tensor:
    parameters = sharded_by_hand()
    if rank == 0:
        parameters[1].grad = None
    return clip_by_global_norm_(parameters, 1e9)


def fsdp1() -> list[str]:
    """Return the error of each way to clip what FSDP1 has sharded."""
    errors = []
    for original in (True, False):
        inner = network()
        before = Recorder(inner)
        model = FullyShardedDataParallel(
            inner, device_id=torch.device("cpu"), use_orig_params=original
        )
        model(torch.ones(2, 5)).sum().backward()
        for clip, arguments in (
            (Recorder, (model,)),
            (before.clip_by_global_norm_, (1.0,)),
            (clip_by_global_norm_, (model, 1.0)),
            (clip_by_global_norm_, (model.parameters(), 1.0)),
        ):
            try:
                errors.append(f"no error: {clip(*arguments)}")
            except ValueError as error:
                errors.append(str(error))
    return errors


def main(rank: int, folder: Path) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group(
        "gloo", init_method=(folder / "store").as_uri(), rank=rank, world_size=2
    )
    model = network()
    wrapped = torch.nn.parallel.DistributedDataParallel(model)
    found = {
        "before": fully_sharded(rank, before=True),
        "after": fully_sharded(rank, before=False),
        "ddp": train(wrapped, Recorder(wrapped), slice(4 * rank, 4 * rank + 4)),
        "kinds": clip_each_kind(1.0, 10.0, None),
        "large": clip_each_kind(2.0**900, 1.0, torch.float64),
        "one_by_one": one_by_one(),
        "nonfinite": nonfinite(rank),
        "missing": without_a_gradient_in_one(rank),
        "fsdp1": fsdp1(),
    }
    torch.save(found, folder / f"{rank}.pt")
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
