"""Give matplotlib the colours and type of the figures."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import matplotlib as mpl
from cycler import cycler


@cache
def palette(mode: str = "light") -> dict[str, str]:
    """Return the colours by what they stand for; ``mode`` is ``"light"`` or ``"dark"``.

    Examples:
      >>> palette()["cotangent"], palette("dark")["page"]
      ('#C4501B', '#14181E')
    """
    text = files("explorax").joinpath("frontend/src/palette.json").read_text(encoding="utf-8")
    colours: dict[str, dict[str, str]] = json.loads(text)
    if mode not in colours:
        raise ValueError(f"mode is {mode!r}; expected one of {', '.join(map(repr, colours))}.")
    return colours[mode]


def use(mode: str = "light") -> None:
    """Set matplotlib's defaults for plots beside figures."""
    colour = palette(mode)
    cycle = [colour[name] for name in ("state", "cotangent", "parameter", "loss", "own", "limit")]
    mpl.rcParams.update(
        {
            "figure.figsize": (5.6, 3.0),  # in inches: its words can be read on a telephone
            "figure.dpi": 100,
            "savefig.dpi": 200,
            "figure.facecolor": colour["page"],
            "axes.facecolor": colour["page"],
            "axes.edgecolor": colour["muted"],
            "axes.labelcolor": colour["ink"],
            "axes.titlecolor": colour["ink"],
            "axes.titlelocation": "left",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=cycle),
            "xtick.color": colour["muted"],
            "ytick.color": colour["muted"],
            "text.color": colour["ink"],
            "font.size": 11,
            "legend.frameon": False,
        }
    )
