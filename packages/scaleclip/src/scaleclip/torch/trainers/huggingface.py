"""Clip and record in Hugging Face's Trainer, and so in TRL's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "huggingface"):
    from accelerate.state import AcceleratorState
    from transformers import TrainerCallback

import torch

from scaleclip.torch.trainers._clipping import Clipping, refuse_owner, unscale

FILE = "scaleclip_recorder.pt"
"""The record's file in a checkpoint: ``scaleclip.torch.read(torch.load(...))`` reads it."""
HELD = "_max_grad_norm_held"
"""Where the arguments keep the trainer's own limit during a step, in which that is 0."""


class ClipCallback(Clipping, TrainerCallback):  # type: ignore[misc]
    """Clip and record the gradients of a Hugging Face Trainer.

    >>> from scaleclip.torch.trainers.huggingface import ClipCallback
    >>> clip = ClipCallback(1.0)  # then Trainer(..., callbacks=[clip]), and after training:
    >>> print(clip.read())  # doctest: +SKIP

    The trainer calls it after its own clip, whose limit ``max_grad_norm`` is 1 by default. So the
    trainer's clip is off in each step: ``ClipCallback()`` takes the limit over; another one replaces
    it, with a warning unless ``max_grad_norm`` is 0. What the trainer logs as ``grad_norm`` is still
    the norm before the clip; Transformers 4 then logs none.

    The record is saved with each checkpoint, as ``scaleclip_recorder.pt``, and goes on when
    training resumes from it. Gradients of a scaled loss are unscaled, and micro-batches that are
    accumulated count as one step. In a hyperparameter search no record is saved.

    Once the norm is inf or NaN, Transformers multiplies all gradients by NaN before a callback sees
    them. Such a step is recorded as not finite in every group, and not where it began;
    nor does the error of ``nonfinite="raise"`` say that.

    Args:
      limit: as ``max_norm`` of ``scaleclip.torch.Recorder.clip_by_global_norm_``; None takes
        ``max_grad_norm``, and records alone if it is 0.
      options: ``nonfinite``, as there; ``stream``, which is called with the recorder after each
        step; and those of ``Recorder``, where ``updates=True`` stands for the trainer's optimizer.

    Raises:
      ValueError: when training begins, for ``nonfinite="zero"``, because Transformers leaves
        nothing finite to keep; or if DeepSpeed, Megatron-LM or XLA owns the gradients.
    """

    def on_train_begin(
        self, args: Any, state: Any, control: Any, model: Any, optimizer: Any, **_: Any
    ) -> None:
        refuse_owner(AcceleratorState().distributed_type.value)
        if self.nonfinite == "zero":
            raise ValueError(
                'nonfinite="zero" was given, but Transformers multiplies every gradient by NaN '
                'before a callback sees that one is inf or NaN, so that "zero" would drop the whole '
                'step. Give nonfinite="propagate", "skip" or "raise".'
            )
        if state.global_step and not self._loaded:
            self._load(args.resume_from_checkpoint, _checkpoint(args, state))
        _restore(args)
        self.begin(model, optimizer.optimizer, args.max_grad_norm, "max_grad_norm")
        self._loaded = {}  # a later training doesn't go on from it, if this one is interrupted

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        args.__dict__.setdefault(HELD, args.max_grad_norm)
        args.max_grad_norm = 0.0

    def on_pre_optimizer_step(
        self, args: Any, state: Any, control: Any, optimizer: Any, **_: Any
    ) -> None:
        _restore(args)
        unscale(optimizer.scaler, optimizer.optimizer)
        self.clip(state.is_world_process_zero)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.is_world_process_zero and not state.is_hyper_param_search:
            torch.save(self.state_dict(), _checkpoint(args, state) / FILE)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.end(state.is_world_process_zero)

    def _load(self, *folders: Any) -> None:
        files = [Path(folder) / FILE for folder in folders if folder]
        for file in filter(Path.is_file, files):
            return self.load_state_dict(torch.load(file, map_location="cpu"))
        return self.anew(f"{' or '.join(map(str, files))} isn't there")


def _restore(args: Any) -> None:
    """Give the trainer its own limit back, also after a step that was interrupted."""
    args.max_grad_norm = args.__dict__.pop(HELD, args.max_grad_norm)


def _checkpoint(args: Any, state: Any) -> Path:
    return Path(args.output_dir) / f"checkpoint-{state.global_step}"
