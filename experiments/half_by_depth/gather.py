"""Gather the units' results into the records that the package brings along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from experiments.half_by_depth.compute import CHECKPOINTS
from experiments.half_by_depth.units import Unit
from experiments.record import provenance_of, short, store
from sccbook.records import Cell, cell_of, path, written
from sccbook.records.half_by_depth import SHORTER

Found = Mapping[Unit, Mapping[str, Any]]
MEASURED = ("by_lag", "own", "totals")

Key = tuple[str, str, str, int, float]


def gather(found: Found) -> None:
    """Write the two records of what was found."""
    provenance = provenance_of([result["made"] for result in found.values()])
    joined = _by_arm(found)
    for name, cells in (
        ("half_by_depth", _cells(joined)),
        ("half_by_depth_totals", _totals(joined)),
    ):
        store(path(name), written({"provenance": provenance, "cells": cells}))


def _by_arm(found: Found) -> dict[Key, dict[str, Any]]:
    """Join the blocks of seeds of an arm: the seeds are the second axis of measures, else the first."""
    blocks: dict[Key, list[tuple[int, Any]]] = {}
    for unit, result in found.items():
        key: Key = unit.stage, unit.optimizer, unit.arm, unit.steps, unit.rate
        blocks.setdefault(key, []).append((unit.first, result["found"]))
    joined: dict[Key, dict[str, Any]] = {}
    for key, several in blocks.items():
        several.sort(key=lambda pair: pair[0])
        results = [result for _, result in several]
        one = {
            name: np.concatenate([np.asarray(r[name]) for r in results], axis=int(name in MEASURED))
            for name in results[0]
            if name != "checkpoints"
        }
        joined[key] = {**one, "first": several[0][0]}
    return joined


def _cells(joined: Mapping[Key, Any]) -> Iterator[Cell]:
    for key, one in joined.items():
        curve = one["curve"]
        error = curve.std(axis=0, ddof=1) / np.sqrt(len(curve))
        numbers = (one["auc"], one["late"], one["final"], curve.mean(axis=0), error)
        broken = int(np.sum(~one["finite"]))
        yield cell_of("half_by_depth")(*key, one["first"], *map(short, numbers), broken)


def _totals(joined: Mapping[Key, Any]) -> Iterator[Cell]:
    for (stage, optimizer, arm, steps, _), one in joined.items():
        for at, part in enumerate(CHECKPOINTS if "totals" in one else ()):
            own, totals, lags = one["own"][at], one["totals"][at], one["by_lag"][at]
            lengths = np.array([length for length in SHORTER if length <= steps])
            # of a run whose numbers aren't finite
            with np.errstate(invalid="ignore", divide="ignore"):
                in_parts = totals / totals[..., :1]  # [seeds, scales, lengths]
                reach = np.cumsum(own * (2 - 2.0 ** -np.arange(steps)), axis=1)[:, lengths - 1]
                bound = reach / lengths / own[:, :1]
                lag = np.nanmedian(lags / lags[:, :1], axis=0)
                size = np.nanmedian(own[:, lengths - 1] / own[:, :1], axis=0)
                added_up = lags @ np.arange(steps, 0, -1)
                left = np.nanmedian(steps * totals[:, 0, -1] / added_up)
            quartiles = np.nanquantile(in_parts, (0.5, 0.25, 0.75), axis=0)  # [3, scales, lengths]
            rows = (size, lag, *quartiles[:, 0], *quartiles[:, 1], np.nanmedian(bound, axis=0))
            kept = np.nanmean(in_parts[:, 1] <= bound, axis=0)
            fields = stage, optimizer, arm, steps, part, tuple(lengths.tolist())
            yield cell_of("half_by_depth_totals")(
                *fields, *map(short, rows), short(kept), short(left)
            )
