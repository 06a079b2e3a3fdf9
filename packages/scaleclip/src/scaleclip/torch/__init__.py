"""The operators for PyTorch, a recorder of what a clip does in training, and a ledger.

    recorder = Recorder(model)
    ...
    loss.backward()
    recorder.clip_by_global_norm_(1.0)  # in place of torch.nn.utils.clip_grad_norm_
    optimizer.step()
    ...
    recorder.read()  # what was clipped, as a scaleclip.probe.Recording

The limit may be a schedule, or one that the run sets itself: ``AutoClip()``, ``ZClip()``, ``AGC()``.

Nothing here waits for the device but ``read``, ``read_all``, ``sources``, ``nonfinite="raise"`` and
``"skip"``, and sparse gradients. It needs PyTorch and NumPy, and no JAX.
"""

from scaleclip._extras import needed

with needed(__name__, "torch"):
    import torch as _torch  # noqa: F401

from scaleclip.probe.groups import by_layer, by_leaf, by_module
from scaleclip.probe.limits import AGC, AutoClip, ZClip
from scaleclip.torch.adaptive import clip_adaptively_
from scaleclip.torch.at_tensors import clip_gradient, clip_gradient_norm, scale_gradient
from scaleclip.torch.gradients import clip_by_global_norm_
from scaleclip.torch.ledger import ledger
from scaleclip.torch.recorder import Recorder
from scaleclip.torch.records import read, read_all
from scaleclip.torch.sources import sources
from scaleclip.torch.weights import max_norm_

__all__ = [
    "AGC",
    "AutoClip",
    "Recorder",
    "ZClip",
    "by_layer",
    "by_leaf",
    "by_module",
    "clip_adaptively_",
    "clip_by_global_norm_",
    "clip_gradient",
    "clip_gradient_norm",
    "ledger",
    "max_norm_",
    "read",
    "read_all",
    "scale_gradient",
    "sources",
]
