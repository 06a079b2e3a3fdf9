"""What the callbacks of all trainers share: a recorder, its limit, and what they refuse."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch

from scaleclip.probe.recording import Recording
from scaleclip.torch._arguments import Nonfinite, check_choice, norm_limit
from scaleclip.torch.recorder import Recorder

OWNERS = {
    "DEEPSPEED": (
        "DeepSpeed keeps the gradients in its engine and clips them there. Set gradient_clipping "
        "in DeepSpeed's configuration, and log engine.get_global_grad_norm() at each step: "
        "scaleclip.probe.load makes a recording of a list of norms."
    ),
    "MEGATRON_LM": (
        "Megatron-LM keeps the gradients in its engine and clips them there. Set clip_grad in its "
        "arguments, and give the norms that it logs to scaleclip.probe.load."
    ),
    "XLA": (
        "On XLA, Accelerate adds up the gradients inside its own clip, which would not run. Keep "
        "that clip, and give the norms that it returns to scaleclip.probe.load."
    ),
}
"""Kinds of training whose gradients can't be clipped from outside, and what to do instead."""


def refuse_owner(kind: str) -> None:
    """Refuse a kind of training whose gradients can't be clipped from outside.

    Raises:
      ValueError: if it is one of ``OWNERS``.
    """
    if kind in OWNERS:
        raise ValueError(f"The gradients can't be clipped or recorded here. {OWNERS[kind]}")


def unscale(scaler: torch.amp.GradScaler | None, optimizer: Any) -> None:
    """Divide gradients by the scale of a loss that was scaled, unless that was done already."""
    if scaler is None:
        return
    try:
        scaler.unscale_(optimizer)
    except RuntimeError as error:
        if "already been called" not in str(error):
            raise


class Clipping:
    """Clip a model's gradients and record them, as a callback of a trainer.

    Args:
      limit: as ``max_norm`` of ``Recorder.clip_by_global_norm_``. None takes the trainer's own
        limit, and records alone if it has none.
      nonfinite: as in ``Recorder.clip_by_global_norm_``.
      stream: is called with the recorder after each step, in the main process, such as a
        ``scaleclip.probe.Stream``.
      options: of ``Recorder``, such as ``groups`` and ``keep``.
    """

    def __init__(
        self,
        limit: Any = None,
        *,
        nonfinite: Nonfinite = "propagate",
        stream: Callable[[Recorder], object] | None = None,
        **options: Any,
    ) -> None:
        check_choice(nonfinite)
        self.limit = limit if limit is None or callable(limit) else norm_limit(limit, "limit")
        self.nonfinite, self.stream, self.options = nonfinite, stream, options
        self._recorder: Recorder | None = None
        self._loaded: Mapping[str, Any] = {}
        self._own: float = 0.0

    @property
    def recorder(self) -> Recorder:
        """The recorder of the training, once it has begun."""
        if self._recorder is None:
            raise RuntimeError("There is no record yet: it is made when the training begins.")
        return self._recorder

    def read(self) -> Recording:
        """Wait for the device once, and return what was recorded."""
        return self.recorder.read()

    def state_dict(self) -> dict[str, Any]:
        """Return the record for a checkpoint; empty before the training begins."""
        return {} if self._recorder is None else self._recorder.state_dict()

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a record, in this training or in the one that begins next."""
        self._loaded = state_dict
        if self._recorder is not None and state_dict:
            self._recorder.load_state_dict(state_dict)

    def begin(self, model: torch.nn.Module, own: float | None, name: str) -> None:
        """Make the recorder, and take over from the trainer's own limit.

        Args:
          model: whose gradients are clipped.
          own: the trainer's own limit, which the caller then switches off; 0 or None for none.
          name: of that limit, in a warning if another replaces it.
        """
        self._own = own or self._own  # it is still off if the last training was interrupted
        if own and self.limit is not None and self.limit != own:
            warnings.warn(
                f"{type(self).__name__} clips with its own limit, {self.limit}; {name} = {own} is "
                "switched off for this training.",
                stacklevel=2,
            )
        self._recorder = Recorder(model, **self.options)
        if self._loaded:
            self._recorder.load_state_dict(self._loaded)

    def clip(self, optimizer: Any, scaler: torch.amp.GradScaler | None, main: bool) -> None:
        """Unscale, clip and record the gradients of one step, and stream them if ``main``."""
        unscale(scaler, optimizer)
        limit = (self._own or math.inf) if self.limit is None else self.limit
        self.recorder.clip_by_global_norm_(limit, nonfinite=self.nonfinite)
        if self.stream is not None and main:
            self.stream(self.recorder)

    def end(self) -> float:
        """Forget what was loaded, and return the trainer's own limit, to be switched on again."""
        self._loaded = {}
        return self._own
