"""Plots in the built book have a palette: lighter, with the same paper and nearly the same pixels."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from sccbook import style
from sccbook.site.plots import lighter


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=int)


def test_a_plot_is_a_third_as_heavy_and_looks_the_same(tmp_path: Path) -> None:
    plot = tmp_path / "plot.png"
    with mpl.rc_context():
        style.use()
        figure, axes = plt.subplots()
        axes.plot(np.sin(np.linspace(0, 9, 90)[:, None] + np.arange(6)), label=list("abcdef"))
        axes.legend()
        figure.savefig(plot, dpi=100)
        plt.close(figure)
    before, stored = pixels(plot), lighter(plot)
    off = np.abs(pixels(stored) - before)
    assert stored.stat().st_size < plot.stat().st_size / 3
    assert off.max() <= 40  # of 255, at the rims of lines: a thin line keeps its hue
    assert off.mean() < 0.6
    assert not off[np.all(before == before[0, 0], axis=2)].any(), "the paper keeps its colour"


def test_transparent_pictures_and_photos_are_left_alone(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (200, 200, 3), dtype=np.uint8)
    glass = np.zeros((20, 20, 4), dtype=np.uint8)
    for name, data in (("photo", noise), ("glass", glass)):
        path = tmp_path / f"{name}.png"
        Image.fromarray(data).save(path)
        assert lighter(path) == path
