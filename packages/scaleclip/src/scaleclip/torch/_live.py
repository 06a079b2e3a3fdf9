"""Limits that a run sets itself, on the device: the state of AutoClip and of ZClip."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor

from scaleclip.probe.limits import WARM_UP, AutoClip, ZClip


class Live:
    """A limit that follows the norms; called with each norm, it returns the limit of its step.

    Attributes:
      setting: which one, and its settings.
      state: AutoClip's last ``window`` finite norms, and NaN for those still to come, then their
        count; or ZClip's count of finite norms, mean and variance.
    """

    def __init__(self, setting: AutoClip | ZClip, like: Tensor) -> None:
        self.setting = setting
        if isinstance(setting, AutoClip):
            self.state = like.new_full((setting.window + 1,), math.nan)
            self.state[-1:].zero_()
        else:
            self.state = like.new_zeros(3)

    @classmethod
    def of(cls, saved: Mapping[str, Any], like: Tensor) -> Live:
        """Make one of what ``state_dict`` returned."""
        kinds: dict[str, Any] = {"AutoClip": AutoClip, "ZClip": ZClip}
        live = cls(kinds[saved["kind"]](**saved["setting"]), like)
        live.state = saved["state"].to(like)
        return live

    def state_dict(self) -> dict[str, Any]:
        """Return the setting and the state, of which no part changes any more."""
        kind = type(self.setting).__name__
        return {"kind": kind, "setting": asdict(self.setting), "state": self.state}

    def __call__(self, norm: Tensor) -> Tensor:
        """Take in a norm, of shape ``[]``, and return the limit."""
        self.state = self.state.to(norm)
        follow = _autoclip if isinstance(self.setting, AutoClip) else _zclip
        limit, self.state = follow(self.setting, self.state, norm)
        return limit


def _autoclip(setting: Any, state: Tensor, norm: Tensor) -> tuple[Tensor, Tensor]:
    finite, count = norm.isfinite(), state[-1:]
    at = torch.cat([count % setting.window, count * 0 + setting.window]).long()
    new = torch.cat([norm.reshape(1), count + 1])
    state = state.index_copy(0, at, torch.where(finite, new, state.index_select(0, at)))
    limit = state[:-1].nanquantile(setting.percentile / 100)
    return torch.where(limit.isnan(), math.inf, limit), state


def _zclip(setting: Any, state: Tensor, norm: Tensor) -> tuple[Tensor, Tensor]:
    count, mean, variance = state.unbind()
    std = variance.sqrt()
    level = mean + setting.z_limit * std
    # z standard deviations above the mean, where it is above the level
    cut = mean + setting.z_limit**2 * variance / torch.maximum(norm - mean, std)
    warm, finite = count < WARM_UP, norm.isfinite()
    after = torch.where(warm | (norm <= level), norm, cut)
    # the mean and the variance of all so far while it warms up, and then running ones
    weight = torch.where(warm, 1 / (count + 1), 1 - setting.alpha)
    off = after - mean
    mean = mean + weight * off
    squared = torch.where(warm, off * (after - mean), (after - mean).square())
    variance = variance + weight * (squared - variance)
    limit = torch.where(finite & (norm > level), cut, level)
    new = torch.stack([count + 1, mean, variance])
    return torch.where(warm, math.inf, limit), torch.where(finite, new, state)
