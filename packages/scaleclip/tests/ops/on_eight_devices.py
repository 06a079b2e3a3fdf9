"""Every operator on one device and on eight: ``python -m tests.ops.on_eight_devices``.

A process of its own, because the number of devices is settled when JAX is first used: ``test_sharded`` sets it in the
environment. Printed is, by operator and layout, the largest difference of an entry; and the same of
clips inside ``jax.shard_map``, and of the norms that a recorder keeps.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from tests.ops.operators import TREES, pulled

from scaleclip import ops, probe

SOURCE = np.random.default_rng(0)
TREE = {
    "kernel": SOURCE.normal(size=(16, 8)),
    "single": SOURCE.normal(size=(8, 16)).astype(np.float32),
    "bias": SOURCE.normal(size=8),
}
"""So large that a limit of 1 acts on most of it."""
LAYOUTS: dict[str, dict[str, Any]] = {
    "rows": dict.fromkeys(TREE, P("d")),
    "columns": {"kernel": P(None, "d"), "single": P(None, "d"), "bias": P()},
    "copied": dict.fromkeys(TREE, P()),
}


def constrained(t: Any) -> Any:
    optimizer = ops.constrained(optax.sgd(0.1), lambda w: ops.max_norm(w, 2.0))
    return optimizer.update(t, optimizer.init(t), t)[0]


AT_TENSOR = ("scale_gradient", "reverse_gradient", "clip_gradient", "clip_gradient_norm")
OPERATORS: dict[str, Callable[[Any], Any]] = TREES | {
    **{name: pulled(TREES[name]) for name in AT_TENSOR},
    "straight_through": lambda t: jax.tree.map(lambda a: ops.straight_through(a, jnp.round(a)), t),
    "clip_by_norm": lambda t: [ops.clip_by_norm(t, 2.0), ops.clip_by_norm(t, 2.0, layout="in_out")],
    "clip_by_average_norm": lambda t: ops.clip_by_average_norm(t, 0.05),
    "clip_by_rms": lambda t: ops.clip_by_rms(t, 0.9),
    "clip_by_global_norm": lambda t: ops.clip_by_global_norm(t, 1.0),
    "clip_adaptively": lambda t: ops.clip_adaptively(t, t, 0.1),
    "clip_per_example": lambda t: ops.clip_per_example({k: t[k] for k in ("bias", "single")}, 3.0),
    "global_norm": ops.global_norm,
    "max_norm": lambda t: ops.max_norm(t, 2.0),
    "min_max_norm": lambda t: ops.min_max_norm(t, 3.0, 4.0),
    "unit_norm": ops.unit_norm,
    "constrained": constrained,
}


def of_layouts(mesh: Mesh) -> dict[str, dict[str, float]]:
    """Return the largest difference to one device, by operator and layout, in epsilons of the dtype."""
    every = jax.jit(lambda t: {name: f(t) for name, f in OPERATORS.items()})
    expected = every(TREE)
    found: dict[str, dict[str, float]] = {name: {} for name in OPERATORS}
    for layout, specs in LAYOUTS.items():
        put = {k: jax.device_put(a, NamedSharding(mesh, specs[k])) for k, a in TREE.items()}
        for name, result in every(put).items():
            pairs = zip(jax.tree.leaves(result), jax.tree.leaves(expected[name]), strict=True)
            found[name][layout] = max(apart(a, b) / float(jnp.finfo(b.dtype).eps) for a, b in pairs)
    return found


def apart(a: Any, b: Any) -> float:
    return float(np.max(np.abs(np.asarray(a) - np.asarray(b))))


def inside_shard_map(mesh: Mesh) -> dict[str, float]:
    """Return how far clips of each device's part are from those of the whole."""
    kernel = TREE["kernel"]

    def by_one_norm(part: Any) -> Any:
        norm = jnp.sqrt(jax.lax.psum(ops.global_norm(part) ** 2, "d"))
        return ops.clip_by_global_norm(part, 1.0, norm)[0]

    def by_its_own(part: Any) -> Any:
        return ops.clip_by_global_norm(part, 1.0)[0]

    def by_example(part: Any) -> Any:
        return ops.clip_per_example(part, 1.0)

    on_each = partial(jax.shard_map, mesh=mesh, in_specs=P("d"), out_specs=P("d"))
    whole = {by_one_norm: by_its_own, by_its_own: by_its_own, by_example: by_example}
    return {
        clip.__name__: apart(jax.jit(on_each(clip))(kernel), expected(kernel))
        for clip, expected in whole.items()
    }


def recorded(mesh: Mesh) -> float:
    """Return how far the norms that a recorder keeps of shards are from those of the whole."""
    clip = probe.clip_by_global_norm(1.0, keep=3, groups=probe.by_leaf)
    step = jax.jit(lambda w: clip.update(w, clip.init(w))[1])
    shards = jax.device_put(TREE, NamedSharding(mesh, P("d")))
    assert len(shards["kernel"].sharding.device_set) == 8
    whole, found = (probe.read(step(w)) for w in (TREE, shards))
    pairs = [(whole.norms, found.norms), *((whole.groups[g], found.groups[g]) for g in TREE)]
    return max(apart(a, b) / float(a[0]) for a, b in pairs)


if __name__ == "__main__":
    devices = Mesh(np.array(jax.devices()), ("d",))
    print(
        json.dumps(
            {
                "devices": devices.size,
                "layouts": of_layouts(devices),
                "inside": inside_shard_map(devices),
                "recorded": recorded(devices),
            }
        )
    )
