"""Plots take the palette that the pages have."""

import matplotlib as mpl
import pytest

from sccbook import style


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_meaningful_colours_have_contrast_4_5(mode):
    colours = style.palette(mode)
    page = luminance(colours["page"])
    for name in ("ink", "state", "cotangent", "own", "parameter", "loss", "limit", "muted"):
        darker, lighter = sorted((luminance(colours[name]), page))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, name


def test_plots_use_the_palette():
    with mpl.rc_context():
        style.use("dark")
        assert mpl.rcParams["figure.facecolor"] == style.palette("dark")["page"]
        first = next(iter(mpl.rcParams["axes.prop_cycle"]))["color"]
        assert first == style.palette("dark")["state"]


def test_unknown_mode_lists_the_modes():
    with pytest.raises(ValueError, match="'light', 'dark'"):
        style.palette("sepia")
