"""Clip and record in Lightning's Trainer."""

from __future__ import annotations

import math
from typing import Any

from scaleclip._extras import needed

with needed(__name__, "lightning"):
    from lightning.pytorch import Callback, LightningModule
    from lightning.pytorch.strategies import DeepSpeedStrategy

from scaleclip.torch.trainers._clipping import Clipping, refuse_owner


class ClipCallback(Clipping, Callback):  # type: ignore[misc]
    """Clip and record the gradients of a Lightning Trainer.

    >>> from scaleclip.torch.trainers.lightning import ClipCallback
    >>> clip = ClipCallback(1.0)  # then Trainer(..., callbacks=[clip]), and after training:
    >>> print(clip.read())  # doctest: +SKIP

    Lightning calls it before its own clip, and would then clip twice. So ``gradient_clip_val`` is
    switched off while the training runs: ``ClipCallback()`` takes it over, and another limit
    replaces it with a warning.

    The record is saved with each checkpoint, and goes on when training resumes from it. With
    ``precision="16-mixed"`` gradients are unscaled, and batches that are accumulated count as one
    step. In manual optimization each ``optimizer.step()`` is a step: leave out
    ``self.clip_gradients``. Several optimizers need a callback each::

        Trainer(callbacks=[ClipCallback(1.0, part="generator"), ClipCallback(0.1, part="critic")])

    Args:
      limit, nonfinite, stream, options: ``limit`` as ``max_norm`` of
        ``scaleclip.torch.Recorder.clip_by_global_norm_``, or None for the trainer's own;
        ``stream`` is called with the recorder after each step; ``options`` are the recorder's.
      part: the name of the submodule that is clipped and recorded, at the steps of its optimizer;
        by default the whole module.

    Raises:
      ValueError: when training begins, if there are several optimizers and no ``part``;
        ``gradient_clip_algorithm`` is ``"value"``; the module overrides
        ``configure_gradient_clipping`` and the limit isn't ``math.inf``; or DeepSpeed owns the
        gradients. At a step, if a parameter with a gradient belongs to no optimizer, or to another.
    """

    def __init__(self, limit: Any = None, *, part: str = "", **options: Any) -> None:
        super().__init__(limit, **options)
        self.part = part

    @property
    def state_key(self) -> str:
        """The name of the record in a checkpoint's ``callbacks``."""
        return f"scaleclip {self.part}".strip()

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
        if isinstance(trainer.strategy, DeepSpeedStrategy):
            refuse_owner("DEEPSPEED")
        if len(trainer.optimizers) > 1 and not self.part:
            raise ValueError(
                f"There are {len(trainer.optimizers)} optimizers, and each has a norm of its own. "
                'Give a callback to each, such as ClipCallback(1.0, part="generator").'
            )
        if trainer.gradient_clip_val and trainer.gradient_clip_algorithm == "value":
            raise ValueError(
                'gradient_clip_algorithm = "value" was given, which clips each entry after '
                "ClipCallback has clipped the norm. Leave gradient_clip_val out."
            )
        own = type(pl_module).configure_gradient_clipping
        if own is not LightningModule.configure_gradient_clipping and self.limit != math.inf:
            raise ValueError(
                f"{type(pl_module).__name__} overrides configure_gradient_clipping, which clips "
                "after ClipCallback. Remove it, or give ClipCallback(math.inf), which records alone."
            )
        module = pl_module.get_submodule(self.part)
        self.begin(module, trainer.gradient_clip_val, "gradient_clip_val")
        trainer.gradient_clip_val = None
        self._module, self._covered = module, False

    def on_before_optimizer_step(self, trainer: Any, pl_module: Any, optimizer: Any) -> None:
        if self._covered_by(optimizer):
            scaler = getattr(trainer.precision_plugin, "scaler", None)
            self.clip(optimizer, scaler, trainer.is_global_zero)

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        trainer.gradient_clip_val = self.end() or None

    def _covered_by(self, optimizer: Any) -> bool:
        """Tell whether an optimizer moves the part that is recorded: all of it, or none."""
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        parameters = dict(self._module.named_parameters())
        if held.isdisjoint(map(id, parameters.values())):
            return False
        if not self._covered:
            missing = [n for n, p in parameters.items() if p.grad is not None and id(p) not in held]
            if missing:
                raise ValueError(
                    f"{', '.join(missing[:6])} of the {len(parameters)} parameters have a gradient "
                    "but aren't this optimizer's, and would count in its norm. Freeze them, or "
                    "give the name of the optimizer's module: ClipCallback(..., part=...)."
                )
            self._covered = True
        return True
