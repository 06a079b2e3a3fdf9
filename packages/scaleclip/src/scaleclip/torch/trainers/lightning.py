"""Clip and record in Lightning's Trainer."""

from __future__ import annotations

import math
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "lightning"):
    from lightning.pytorch import Callback, LightningModule

from scaleclip.torch.trainers._clipping import Clipping, held, refuse_owner, unscale


class ClipCallback(Clipping, Callback):  # type: ignore[misc]
    """Clip and record the gradients of a Lightning Trainer.

    >>> from scaleclip.torch.trainers.lightning import ClipCallback
    >>> clip = ClipCallback(1.0)  # then Trainer(..., callbacks=[clip]), and after training:
    >>> print(clip.read())  # doctest: +SKIP

    Lightning calls it before its own clip, and would then clip twice. So ``gradient_clip_val`` is
    switched off while the training runs: ``ClipCallback()`` takes it over; another limit replaces
    it, with a warning. The module's own ``on_before_optimizer_step`` comes after it, and
    would log norms that are clipped already.

    The record is saved with each checkpoint, and goes on when training resumes from it, or when the
    trainer fits the same module again. With
    ``precision="16-mixed"`` gradients are unscaled, and batches that are accumulated count as one
    step. In manual optimization each ``optimizer.step()`` is a step: leave out
    ``self.clip_gradients``. Several optimizers need a callback each::

        Trainer(callbacks=[ClipCallback(1.0, part="generator"), ClipCallback(0.1, part="critic")])

    Args:
      limit: as ``max_norm`` of ``scaleclip.torch.Recorder.clip_by_global_norm_``; None takes
        ``gradient_clip_val``, and records alone if there is none.
      part: the name of the submodule that is clipped and recorded, at the steps of its optimizer;
        by default the whole module.
      options: ``nonfinite``, as there; ``stream``, which is called with the recorder after each
        step; and those of ``Recorder``, where ``updates=True`` stands for the trainer's optimizer.

    Raises:
      ValueError: when training begins, if several optimizers move the part, or none;
        ``gradient_clip_algorithm`` is ``"value"``; the module overrides
        ``configure_gradient_clipping`` and the limit isn't ``math.inf``; or DeepSpeed or XLA owns
        the gradients. At a step, if a parameter with a gradient isn't the optimizer's.
    """

    def __init__(self, limit: Any = None, *, part: str = "", **options: Any) -> None:
        super().__init__(limit, **options)
        self.part = part
        self._module: Any = None

    @property
    def state_key(self) -> str:
        """The name of the record in a checkpoint's ``callbacks``."""
        return f"scaleclip {self.part}".strip()

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
        refuse_owner(type(trainer.strategy).__name__)
        last, self._module = self._module, pl_module.get_submodule(self.part)
        parameters = set(map(id, self._module.parameters()))
        moving = [each for each in trainer.optimizers if parameters & held(each)]
        if len(moving) != 1:
            raise ValueError(
                f"{len(moving)} optimizers move {self.part or 'the module'}; ClipCallback records "
                "one. Give each a callback with the name of the submodule that it moves, such as "
                'ClipCallback(1.0, part="generator").'
            )
        usual = type(pl_module).configure_gradient_clipping is (
            LightningModule.configure_gradient_clipping
        )
        if trainer.gradient_clip_algorithm == "value" or not (usual or self.limit == math.inf):
            raise ValueError(
                "Lightning would clip again, after ClipCallback: by gradient_clip_algorithm = "
                f'"value", or by {type(pl_module).__name__}.configure_gradient_clipping. Remove '
                "it. Beside configure_gradient_clipping, ClipCallback(math.inf) records alone."
            )
        self._optimizer = moving[0]
        if trainer.global_step and not trainer.ckpt_path and last is self._module:
            self._loaded = self.state_dict()
        self.begin(self._module, moving[0], trainer.gradient_clip_val, "gradient_clip_val")
        trainer.gradient_clip_val = None

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        if trainer.ckpt_path and not self._loaded:
            self.anew(f"{trainer.ckpt_path} has no record named {self.state_key!r}")

    def on_before_optimizer_step(self, trainer: Any, pl_module: Any, optimizer: Any) -> None:
        if optimizer is not self._optimizer:
            return
        named, own = self._module.named_parameters(), held(optimizer)
        if others := [name for name, p in named if p.grad is not None and id(p) not in own]:
            raise ValueError(
                f"{', '.join(others[:6])} ({len(others)} in all) have gradients but aren't the "
                "optimizer's, and would count in its norm. Freeze them, or give the name of the "
                "submodule that the optimizer moves: ClipCallback(..., part=...)."
            )
        unscale(getattr(trainer.precision_plugin, "scaler", None), optimizer)
        self.clip(trainer.is_global_zero)

    def teardown(self, trainer: Any, pl_module: Any, stage: Any) -> None:
        trainer.gradient_clip_val = self._own or trainer.gradient_clip_val
        self.end(trainer.is_global_zero)

    on_exception = teardown
