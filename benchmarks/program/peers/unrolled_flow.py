"""The river, as a notebook has it with ipywidgets and matplotlib: one cell."""

# mypy: ignore-errors

import jax
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact

from gradlab.figures.unrolled_flow import river

jax.config.update("jax_enable_x64", True)
river = jax.jit(river)


@interact(scale=(0.0, 1.0, 0.01), steps=(1, 12))
def draw(scale: float = 0.5, steps: int = 6) -> None:
    """Draw the values, the stream of each loss, and what theta receives."""
    flow = river(scale, 1.0, steps, 0, 0, False, False, 1.0, 0)
    applications = np.arange(1, 13)
    _, (values, stream) = plt.subplots(2, 1, figsize=(6.88, 4.2), sharex=True, height_ratios=(1, 3))
    values.bar(np.arange(13), flow["states"], color="tab:blue", width=0.3)
    values.set_ylabel("value h")
    stream.stackplot(applications, flow["arrivals"], edgecolor="white")
    stream.plot(applications, flow["received"], "D", color="tab:red")
    stream.set(xlim=(-0.5, 12.5), ylim=(0, 12), xlabel="application", ylabel="cotangent")
    stream.set_title(f"s = {scale:.2f}, K = {steps}: θ receives {flow['total']:.2f} losses' worth")
    plt.show()
