"""Record what a clip does to a training, try other limits, and see which loss moves what.

    tx = optax.chain(probe.clip_by_global_norm(1.0), optax.adam(3e-4), probe.updates())
    ...
    recording = probe.read(opt_state)

It prints as a table; with ``scaleclip.figure`` imported, a notebook draws it, with a limit to drag.

``load`` takes norms that were logged by other means, ``sources`` the terms of a loss, ``adopt`` the
state of a job that is running. ``read`` takes a checkpoint too, without model or optimizer. Optax's
own ``snapshot``, ``monitor`` and ``measure_with_ema`` keep the latest value or a running mean; here
each of the last steps is kept by group, so that you can try another limit.

``compare`` lays two recordings side by side. During a training, a ``Stream`` sends new steps to
Weights & Biases, TensorBoard, trackio or MLflow, and checks an ``Alert`` against them.

Whatever is given a ``Recording`` needs NumPy alone; the rest is imported with JAX and Optax
when it is first used.
"""

from typing import TYPE_CHECKING

from scaleclip._extras import lazily
from scaleclip.probe.alerts import Alert, above_median, clips_more_than, not_finite
from scaleclip.probe.comparing import Comparison, compare
from scaleclip.probe.groups import by_layer, by_leaf, by_module
from scaleclip.probe.limits import AGC, AutoClip, ZClip
from scaleclip.probe.logs import load
from scaleclip.probe.recording import Recording, Spike
from scaleclip.probe.streams import Stream

if TYPE_CHECKING:
    from scaleclip.probe._reading import read, read_all
    from scaleclip.probe._terms import Sources, sources
    from scaleclip.probe._updating import updates
    from scaleclip.probe.adopting import adopt
    from scaleclip.probe.recorder import clip_by_global_norm

__all__ = [
    "AGC",
    "Alert",
    "AutoClip",
    "Comparison",
    "Recording",
    "Sources",
    "Spike",
    "Stream",
    "ZClip",
    "above_median",
    "adopt",
    "by_layer",
    "by_leaf",
    "by_module",
    "clip_by_global_norm",
    "clips_more_than",
    "compare",
    "load",
    "not_finite",
    "read",
    "read_all",
    "sources",
    "updates",
]
MODULES = {
    "Sources": "_terms",
    "adopt": "adopting",
    "clip_by_global_norm": "recorder",
    "read": "_reading",
    "read_all": "_reading",
    "sources": "_terms",
    "updates": "_updating",
}
"""The modules that need JAX and Optax, by the names that they define."""

__getattr__ = lazily(__name__, MODULES, "jax")


def __dir__() -> list[str]:
    return __all__
