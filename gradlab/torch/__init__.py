"""The operators for PyTorch, a recorder of what a clip does in training, and a ledger.

    recorder = Recorder(model)
    ...
    loss.backward()
    recorder.clip_by_global_norm_(1.0)  # in place of torch.nn.utils.clip_grad_norm_
    optimizer.step()
    ...
    recorder.read()  # what was clipped, as a gradlab.probe.Recording

Nothing here waits for the device but ``read``, ``nonfinite="raise"`` and sparse gradients. PyTorch
is not among what gradlab installs.
"""

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ImportError(
        "gradlab.torch needs PyTorch: pip install torch. The operators of gradlab.ops do without."
    ) from error

from gradlab.torch.at_tensors import clip_gradient, clip_gradient_norm, scale_gradient
from gradlab.torch.gradients import clip_by_global_norm_
from gradlab.torch.groups import by_layer, by_leaf, by_module
from gradlab.torch.ledger import ledger
from gradlab.torch.recorder import Recorder, read
from gradlab.torch.weights import max_norm_

__all__ = [
    "Recorder",
    "by_layer",
    "by_leaf",
    "by_module",
    "clip_by_global_norm_",
    "clip_gradient",
    "clip_gradient_norm",
    "ledger",
    "max_norm_",
    "read",
    "scale_gradient",
]
