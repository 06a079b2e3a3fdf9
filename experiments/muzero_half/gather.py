"""Gather the units' results into the records that the package brings along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from experiments.muzero_half.units import NETWORKS, OPTIMIZERS, ROOT, Unit
from experiments.record import provenance_of, short, store
from sccbook.records import Cell, cell_of, path, written
from sccbook.records.muzero_half import LENGTHS

Found = Mapping[Unit, Mapping[str, Any]]


def gather(found: Found) -> None:
    """Write the three records of what was found."""
    provenance = provenance_of([result["made"] for result in found.values()])
    trained = _by_arm({unit: result for unit, result in found.items() if unit.stage != "invisible"})
    pairs = {unit: result for unit, result in found.items() if unit.stage == "invisible"}
    records = (
        ("muzero_half", _cells(trained)),
        ("muzero_half_accounts", _accounts(trained)),
        ("muzero_half_pairs", _pairs(pairs)),
    )
    for name, cells in records:
        store(path(name), written({"provenance": provenance, "cells": cells}))


def _by_arm(found: Found) -> dict[tuple[str, str, str, float], dict[str, Any]]:
    """Join the blocks of seeds of an arm: the seeds are the last axis of measures, else the first."""
    blocks: dict[tuple[str, str, str, float], list[tuple[Unit, Any]]] = {}
    for unit, result in found.items():
        key = unit.stage, unit.task, unit.arm, unit.rate
        blocks.setdefault(key, []).append((unit, result["found"]))
    joined = {}
    for key, several in blocks.items():
        several.sort(key=lambda pair: pair[0].first)
        results = [result for _, result in several]
        one = {
            name: np.concatenate([r[name] for r in results]) for name in ("auc", "final", "curve")
        }
        for name in ("by_lag", "own", "sums", "totals"):
            one[name] = np.concatenate([np.asarray(r[name]) for r in results], axis=1)
        unit = several[0][0]
        parts = np.asarray(results[0]["checkpoints"]) / unit.iterations
        joined[key] = {**one, "first": unit.first, "parts": parts}
    return joined


def _cells(trained: Mapping[tuple[str, str, str, float], Any]) -> Iterator[Cell]:
    for key, one in trained.items():
        curve = one["curve"]
        error = curve.std(axis=0, ddof=1) / np.sqrt(len(curve))
        late = curve[:, -(curve.shape[1] // 5) :].mean(axis=1)
        numbers = (one["auc"], one["final"], late, curve.mean(axis=0), error)
        yield cell_of("muzero_half")(*key, one["first"], *map(short, numbers))


def _accounts(
    trained: Mapping[tuple[str, str, str, float], Any],
) -> Iterator[Cell]:
    for (stage, task, arm, _), one in trained.items():
        if stage == "tuning":
            continue
        for at, part in enumerate(one["parts"]):
            by_lag, own = one["by_lag"][at], one["own"][at]  # [seeds, 10]
            sums, totals = one["sums"][at], one["totals"][at]  # [seeds, scales, lengths]
            lags = by_lag / by_lag[:, :1]
            predicted = np.stack([_predicted(own, lags[:, 5] ** 0.2 * s) for s in (1.0, 0.5)], 1)
            sums_of, totals_of, predicted_of = (x / x[..., :1] for x in (sums, totals, predicted))
            middle, low, high = short(np.quantile(lags[:, 1], (0.5, 0.25, 0.75)))
            quartiles = np.quantile(totals_of, (0.5, 0.25, 0.75), axis=0)
            held = np.mean((totals_of[..., -1] > 0.5) & (totals_of[..., -1] < 2), axis=0)
            rows = (
                *np.median(predicted_of, axis=0), *np.median(sums_of, axis=0), *quartiles[:, 0],
                *quartiles[:, 1], *np.median(totals / sums, axis=0),
            )  # fmt: skip
            lag = short(np.median(lags, axis=0))
            fields = stage, task, arm, float(part), lag, middle, low, high, *map(short, rows)
            yield cell_of("muzero_half_accounts")(*fields, *short(held))


def _predicted(own: np.ndarray, product: np.ndarray) -> np.ndarray:
    """T(K) of each seed, ``[seeds, lengths]``, from the losses' own norms and s times the gain."""
    reach = np.cumsum(product[:, None] ** np.arange(own.shape[1]), axis=1)
    sums = np.cumsum(own * reach, axis=1)
    return np.stack([sums[:, length - 1] / length for length in LENGTHS], 1)


def _pairs(found: Found) -> Iterator[Cell]:
    for unit, result in found.items():
        (optimizer, root) = next(
            (name, weight)
            for name in OPTIMIZERS
            for without, weight in ROOT.items()
            if name + without == unit.arm
        )
        measured = result["found"]
        for updates, by_network in zip(measured["updates"], measured["apart"], strict=True):
            for network, apart in zip(NETWORKS, by_network, strict=True):
                yield cell_of("muzero_half_pairs")(optimizer, root, updates, network, short(apart))
