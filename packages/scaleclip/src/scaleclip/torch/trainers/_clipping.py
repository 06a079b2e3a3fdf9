"""What the callbacks of all trainers share: a recorder, its limit, and what they refuse."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, cast

import torch

from scaleclip.probe.recording import Recording
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
        "On XLA, the gradients of several devices are added up later, inside the library's own "
        "clip or step. Keep that clip, and give the norms that it logs to scaleclip.probe.load."
    ),
}
"""Kinds of training whose gradients can't be clipped from outside, and what to do instead."""


def refuse_owner(kind: str) -> None:
    """Refuse a kind of training whose gradients can't be clipped from outside.

    Raises:
      ValueError: if its name begins with one of ``OWNERS``, in small or capital letters.
    """
    for owner, instead in OWNERS.items():
        if kind.upper().startswith(owner):
            raise ValueError(f"The gradients can't be clipped or recorded here. {instead}")


def unscale(scaler: torch.amp.GradScaler | None, optimizer: Any) -> None:
    """Divide gradients by the scale of a loss that was scaled, unless that was done already."""
    try:
        if scaler is not None:
            scaler.unscale_(optimizer)
    except RuntimeError as error:
        if "already been called" not in str(error):
            raise


def held(optimizer: Any) -> set[int]:
    """Return the identities of the parameters that an optimizer moves."""
    return {id(p) for group in optimizer.param_groups for p in group["params"]}


class Clipping:
    """Clip a model's gradients and record them: what a trainer's callback does at each step.

    Args:
      limit: as ``max_norm`` of ``Recorder.clip_by_global_norm_``. None takes the trainer's own
        limit, and records alone if it has none.
      nonfinite: as in ``Recorder.clip_by_global_norm_``.
      stream: is called with the recorder once a step's updates are known, before the next clip, in
        the main process; such as a ``scaleclip.probe.Stream``.
      options: of ``Recorder``, such as ``groups`` and ``keep``; ``updates=True`` stands for the
        trainer's optimizer.

    Attributes:
      recorder: the ``Recorder`` of the training; None before it begins.
    """

    def __init__(
        self,
        limit: Any = None,
        *,
        nonfinite: str = "propagate",
        stream: Callable[[Recorder], object] | None = None,
        **options: Any,
    ) -> None:
        self.limit, self.nonfinite, self.options = limit, nonfinite, options
        self.stream: Any = stream
        self.recorder: Any = None
        self._loaded: Mapping[str, Any] = {}
        self._own, self._unsent = 0.0, False

    def read(self) -> Recording:
        """Wait for the device, and return what was recorded.

        Raises:
          RuntimeError: if the training hasn't begun.
        """
        if self.recorder is None:
            raise RuntimeError("There is no record yet: it begins with the training.")
        return cast(Recording, self.recorder.read())

    def state_dict(self) -> dict[str, Any]:
        """Return the record for a checkpoint; empty before the training begins."""
        sent: Any = getattr(self.stream, "state_dict", dict)()
        return {} if self.recorder is None else self.recorder.state_dict() | {"stream": sent}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a record, in this training or in the one that begins next."""
        self._loaded = state_dict
        if self.recorder is not None and state_dict:
            self.recorder.load_state_dict(state_dict)
            if state_dict.get("stream") and hasattr(self.stream, "load_state_dict"):
                self.stream.load_state_dict(state_dict["stream"])

    def begin(
        self, model: torch.nn.Module, optimizer: Any, own: float | None = None, name: str = ""
    ) -> None:
        """Make the recorder, and take over from the trainer's own limit.

        Args:
          model: whose gradients are clipped.
          optimizer: which moves it.
          own: the trainer's own limit, which the caller then switches off; 0 or None for none.
          name: of that limit, in a warning if another replaces it.
        """
        self._own, self._unsent = own or 0.0, False
        if own and self.limit is not None and self.limit != own:
            warnings.warn(
                f"ClipCallback clips with its own limit, {self.limit}; {name} = {own} is switched "
                "off for this training.",
                stacklevel=2,
            )
        if self.options.get("parts") and hasattr(self.stream, "flush"):
            raise ValueError(
                "A Stream sends one record, but with parts there are several. Give a function, such "
                'as stream=lambda recorder: stream(lambda: recorder.read_all()["muon"]).'
            )
        measured = {"updates": optimizer} if self.options.get("updates") is True else {}
        self.recorder = Recorder(model, **self.options | measured)
        self.load_state_dict(self._loaded)

    def clip(self, main: bool) -> torch.Tensor:
        """Stream the steps before in the ``main`` process, and clip and record the gradients of one."""
        if self.stream is not None and main and self._unsent:
            self.stream(self.recorder)
        self._unsent = True
        limit = (self._own or math.inf) if self.limit is None else self.limit
        return cast(
            torch.Tensor, self.recorder.clip_by_global_norm_(limit, nonfinite=self.nonfinite)
        )

    def end(self, main: bool) -> None:
        """Send what is left."""
        if main and self._unsent and self.stream is not None:
            getattr(self.stream, "flush", self.stream)(self.recorder)
        self._loaded, self._own, self._unsent = {}, 0.0, False

    def anew(self, missing: str) -> None:
        """Warn that a training resumes without its record."""
        warnings.warn(
            f"Training resumes, but {missing}: the record begins anew. To go on from one elsewhere, "
            "call callback.load_state_dict(torch.load(...)) before the training.",
            stacklevel=2,
        )
