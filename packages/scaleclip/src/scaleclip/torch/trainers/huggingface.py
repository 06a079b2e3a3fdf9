"""Clip and record in Hugging Face's Trainer, and so in TRL's."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "huggingface"):
    from accelerate.state import AcceleratorState
    from transformers import TrainerCallback

import torch

from scaleclip.torch.trainers._clipping import Clipping, refuse_owner
from scaleclip.torch.trainers.accelerate import unwrapped

FILE = "scaleclip_recorder.pt"
"""The record's file in a checkpoint: ``scaleclip.torch.read(torch.load(...))`` reads it."""


class ClipCallback(Clipping, TrainerCallback):  # type: ignore[misc]
    """Clip and record the gradients of a Hugging Face Trainer.

    >>> from scaleclip.torch.trainers.huggingface import ClipCallback
    >>> clip = ClipCallback(1.0)  # then Trainer(..., callbacks=[clip]), and after training:
    >>> print(clip.read())  # doctest: +SKIP

    The trainer calls it after its own clip, whose limit ``max_grad_norm`` is 1 by default. So that
    limit is set to 0 while the training runs: ``ClipCallback()`` takes it over, and another limit
    replaces it with a warning. What the trainer logs as ``grad_norm`` is the norm before the clip.

    The record is saved with each checkpoint, as ``scaleclip_recorder.pt``, and goes on when
    training resumes from it. Gradients of a scaled loss are unscaled, and micro-batches that are
    accumulated count as one step.

    With ``max_grad_norm = 0`` Transformers multiplies all gradients by NaN once their norm is inf.
    Such a step is recorded as not finite, but not in which module it began.

    Args:
      limit, nonfinite, stream, options: see ``scaleclip.torch.trainers``' other callbacks:
        ``limit`` as ``max_norm`` of ``scaleclip.torch.Recorder.clip_by_global_norm_``, or None for
        the trainer's own; ``stream`` is called with the recorder after each step; ``options`` are
        the recorder's.

    Raises:
      ValueError: for ``nonfinite="zero"``, because Transformers leaves nothing finite to keep; and
        when training begins, if DeepSpeed, Megatron-LM or XLA owns the gradients.
    """

    def __init__(self, limit: Any = None, **options: Any) -> None:
        super().__init__(limit, **options)
        if self.nonfinite == "zero":
            raise ValueError(
                'nonfinite="zero" was given, but Transformers multiplies every gradient by NaN '
                'before a callback sees a norm of inf, so that "zero" would drop the whole step. '
                'Give nonfinite="propagate" or "raise".'
            )

    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any, **_: Any) -> None:
        refuse_owner(AcceleratorState().distributed_type.value)
        if state.global_step and not self._loaded:
            self._load(args, state)
        self.begin(model, args.max_grad_norm, "max_grad_norm")
        args.max_grad_norm = 0.0

    def on_pre_optimizer_step(
        self, args: Any, state: Any, control: Any, optimizer: Any, **_: Any
    ) -> None:
        scaler = getattr(optimizer, "scaler", None)
        self.clip(unwrapped(optimizer), scaler, state.is_world_process_zero)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        folder = _checkpoint(args, state)
        if state.is_world_process_zero and folder.is_dir():
            torch.save(self.state_dict(), folder / FILE)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        args.max_grad_norm = self.end()

    def _load(self, args: Any, state: Any) -> None:
        folders = [Path(args.resume_from_checkpoint or ""), _checkpoint(args, state)]
        for folder in folders:
            if (folder / FILE).is_file():
                return self.load_state_dict(torch.load(folder / FILE, map_location="cpu"))
        warnings.warn(
            f"Training resumes at step {state.global_step}, but {folders[-1] / FILE} isn't there: "
            "the record begins anew. To go on from one elsewhere, call "
            "callback.load_state_dict(torch.load(...)) before trainer.train(...).",
            stacklevel=2,
        )
        return None


def _checkpoint(args: Any, state: Any) -> Path:
    return Path(args.output_dir) / f"checkpoint-{state.global_step}"
