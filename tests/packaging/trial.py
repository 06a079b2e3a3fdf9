"""Use each package once, with nothing but what pip installed: `make release` runs this."""

from pathlib import Path

import jax
import jax.numpy as jnp

from explorax import explore
from scaleclip.ops import clip_by_global_norm, scale_gradient
from sccbook.exercises import check
from sccbook.figures import UnrolledFlow

assert jax.grad(lambda x: scale_gradient(x, 0.5) ** 2)(3.0) == 3.0
assert clip_by_global_norm({"w": jnp.array([3.0, 4.0])}, 1.0)[1] == 5.0
assert check("scale_gradient", scale_gradient).passed
for figure in (explore(jnp.sin, {"x": (0.0, 6.0)}), UnrolledFlow(scale=0.5)):
    figure.save_html("figure.html")
    assert "<svg" in Path("figure.html").read_text("utf-8")
    print(f"{type(figure).__name__}: drawn without the repository")
