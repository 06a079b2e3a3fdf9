"""The summary's picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from gradlab_classroom.grading.counts import AssignmentCounts

ALL, PART, NONE, FOUND = "#0072b2", "#e69f00", "#bdbdbd", "#d55e00"
"""Colours that the colour-blind tell apart. Each kind has a hatching too."""
MOST = 12
"""Findings of one assignment that are drawn."""


def draw(parts: Sequence[AssignmentCounts]) -> bytes:
    """Draw each assignment's functions, and what was found most often, as SVG.

    The same numbers always make the same bytes.
    """
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    rows = [max(2, len(part.functions), min(MOST, len(part.findings))) for part in parts] or [1]
    figure = Figure(figsize=(11, 0.9 * len(rows) + 0.34 * sum(rows)), layout="constrained")
    FigureCanvasSVG(figure)
    if parts:
        grid = figure.subplots(len(parts), 2, squeeze=False, height_ratios=rows)
        for part, (left, right) in zip(parts, grid, strict=True):
            _functions(left, part)
            _findings(right, part)
    file = io.BytesIO()
    settings: Any = {"svg.hashsalt": "summary", "svg.fonttype": "path"}
    with matplotlib.rc_context(settings):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _functions(axes: Any, part: AssignmentCounts) -> None:
    names = [function.name for function in part.functions]
    left = [0] * len(names)
    for label, color, hatch, counts in (
        ("all points", ALL, "", [function.all for function in part.functions]),
        ("a part", PART, "//", [function.part for function in part.functions]),
        ("none", NONE, "..", [function.none for function in part.functions]),
    ):
        axes.barh(names, counts, left=left, color=color, hatch=hatch, label=label, height=0.6)
        left = [before + count for before, count in zip(left, counts, strict=True)]
    axes.invert_yaxis()
    axes.set_title(part.title, loc="left", pad=24)  # the legend is below it
    axes.set_xlabel("students")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, fontsize="small", frameon=False)
    _declutter(axes)


def _findings(axes: Any, part: AssignmentCounts) -> None:
    shown = part.findings[:MOST]
    axes.set_title("what went wrong", loc="left")
    if not shown:
        axes.set_axis_off()
        axes.text(0, 0.5, "nothing", transform=axes.transAxes)
        return
    labels = [f"{finding.name}: {finding.finding}" for finding in shown]
    axes.barh(labels, [finding.count for finding in shown], color=FOUND, height=0.6)
    axes.invert_yaxis()
    axes.set_xlabel("students")
    _declutter(axes)


def _declutter(axes: Any) -> None:
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)
