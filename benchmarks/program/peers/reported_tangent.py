"""A curve and its reported tangent, as a notebook has it with ipywidgets and matplotlib."""

# mypy: ignore-errors

import jax
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact

from gradlab.figures.reported_tangent import reported

jax.config.update("jax_enable_x64", True)
reported = jax.jit(reported)


@interact(scale=(-1.0, 1.0, 0.01), x=(-2.0, 2.0, 0.01))
def draw(scale: float = 0.5, x: float = 0.2) -> None:
    """Draw the curve, its own tangent and the reported one."""
    shown = reported(scale, x)
    ends = x + np.array([-1.0, 1.0])
    _, axes = plt.subplots(figsize=(6.88, 3.4))
    axes.plot(shown["abscissae"], shown["ordinates"])
    for slope, style in ((shown["slope"], "--"), (shown["reported"], "-")):
        axes.plot(ends, shown["value"] + slope * (ends - x), style, color="tab:red")
    axes.plot(x, shown["value"], "o")
    axes.set(xlim=(-2.0, 2.0), ylim=(-1.0, 3.0), xlabel="x")
    axes.set_title(f"s = {scale:.2f}: the reported slope is {shown['reported']:.2f}")
    plt.show()
