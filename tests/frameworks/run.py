"""Run the snippets of one library on every case: python -m tests.frameworks.run PyTorch OUT.npz.

A process of its own for each library: Keras computes with one backend a process, and what one
library does to a process is nothing to another.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from tests.frameworks.abilities import abilities, in_a_model
from tests.frameworks.adaptive import lengths
from tests.frameworks.cases import ARGUMENTS, CORNERS, OF_THE_VALUE, Case, cases
from tests.frameworks.clipped import clipped_steps
from tests.frameworks.constrained import constrained
from tests.frameworks.corners import corners
from tests.frameworks.files import SNIPPETS, function_of
from tests.frameworks.kinds import kinds, of_two_limits
from tests.frameworks.layers import layers
from tests.frameworks.rosetta import Vjp, cells, gone
from tests.frameworks.steps import by_tokens, steps
from tests.frameworks.surrogates import surrogates
from tests.frameworks.unrolled import updated


class Library(NamedTuple):
    """A library: the file of its snippets, what computes, and what its version is asked of."""

    snippet: str
    backend: str
    distribution: str


LIBRARIES = {
    "JAX": Library("jax", "jax", "jax"),
    "PyTorch": Library("pytorch", "torch", "torch"),
    "TensorFlow": Library("tensorflow", "tensorflow", "tensorflow-cpu"),
    "Keras on JAX": Library("keras", "jax", "keras"),
    "Keras on PyTorch": Library("keras", "torch", "keras"),
    "Keras on TensorFlow": Library("keras", "tensorflow", "keras"),
    "Sonnet": Library("", "tensorflow", "dm-sonnet"),
    "scaleclip": Library("", "jax", "jax"),
}
Operator = Callable[[Any, float], Any]


def operators(name: str) -> dict[str, Operator]:
    """Return a library's operators by name."""
    if name == "Sonnet":
        import sonnet

        return {"scale_gradient": sonnet.scale_gradient}
    if name == "scaleclip":
        from scaleclip.ops import clip_gradient_norm, scale_gradient

        return {
            "scale_gradient": scale_gradient,
            "clip_norm_at_state": lambda h, max_norm: clip_gradient_norm(h, max_norm, axis=-1),
        }
    files = sorted(SNIPPETS.glob(f"*/{LIBRARIES[name].snippet}.py"))
    known = [file.parent.name for file in files if file.parent.name in ARGUMENTS]
    return {operation: function_of(operation, LIBRARIES[name].snippet) for operation in known}


def with_jax(compiled: bool) -> tuple[Vjp, Any]:
    import jax

    jax.config.update("jax_enable_x64", True)

    def vjp(f: Any, x: np.ndarray, g: np.ndarray) -> tuple[Any, Any]:
        y, pull_back = jax.vjp(jax.jit(f) if compiled else f, jax.numpy.asarray(x))
        return y, pull_back(jax.numpy.asarray(g))[0]

    return vjp, lambda f: jax.grad(jax.grad(f))(1.0)


def with_torch(compiled: bool) -> tuple[Vjp, Any]:
    import torch

    def vjp(f: Any, x: np.ndarray, g: np.ndarray) -> tuple[Any, Any]:
        x = torch.tensor(x, requires_grad=True)
        y = (torch.compile(f, backend="aot_eager") if compiled else f)(x)
        y.backward(torch.tensor(g))
        return y.detach(), x.grad

    def twice(f: Any) -> Any:
        x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
        (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
        return torch.autograd.grad(slope, x)[0]

    return vjp, twice


def with_tensorflow(compiled: bool) -> tuple[Vjp, Any]:
    import tensorflow as tf

    def vjp(f: Any, x: np.ndarray, g: np.ndarray) -> tuple[Any, Any]:
        def run(x: Any) -> tuple[Any, Any]:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return y, tape.gradient(y, x, tf.constant(g))

        return (tf.function(run) if compiled else run)(tf.constant(x))

    def twice(f: Any) -> Any:
        x = tf.constant(1.0, tf.float64)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            slope = inner.gradient(y, x)
        return outer.gradient(slope, x)

    return vjp, twice


def hooks() -> dict[str, float]:
    """Return the gradient of 3 h + 2 y, where y is h with a hook that halves, hooked in several ways."""
    import torch

    def on_h(h: Any) -> Any:
        h.register_hook(lambda grad: 0.5 * grad)
        return h

    def on_view(h: Any) -> Any:
        return on_h(h.view_as(h))

    compiled = torch.compile(on_view, backend="aot_eager")
    found = {}
    for name, hooked in (
        ("on h itself", on_h),
        ("on a view of h", on_view),
        ("on a view of h, returned by a compiled function", compiled),
    ):
        h = torch.ones(2, requires_grad=True)
        state = 1 * h
        (3 * state + 2 * hooked(state)).sum().backward()
        found[name] = h.grad[0].item()
    return found


def hooked_river() -> dict[str, float]:
    """Return what theta receives in the river of six steps, by where hook_at_state halves."""
    import torch

    hook_at_state = function_of("hook_at_state", "pytorch")
    found = {}
    for name, on_view in (("on h itself", False), ("on a view of h", True)):
        theta = torch.zeros((), dtype=torch.float64, requires_grad=True)
        start = torch.ones((), dtype=torch.float64)
        hook_at_state(
            lambda h, _, theta=theta: h + theta, lambda h: h / 6, start, range(6), 0.5, on_view
        ).backward()
        found[name] = theta.grad.item()
    return found


RUN_IN_A_MODEL = ("TensorFlow", *(name for name in LIBRARIES if name.startswith("Keras")))
"""The libraries of which people build Keras models."""

KINDS_IN = {
    "JAX": "jax",
    "PyTorch": "torch",
    "TensorFlow": "tensorflow",
    "Keras on TensorFlow": "keras",
}
"""Where the kinds of gradient are tried, and their library in ``tests/kinds_of_gradient.toml``."""

WITH = {"jax": with_jax, "torch": with_torch, "tensorflow": with_tensorflow}


def run(case: Case, vjp: Vjp, operator: Operator) -> np.ndarray:
    """Return value and gradient of a case, stacked."""
    value, gradient = vjp(lambda x: operator(x, case.argument), case.x, case.g)
    value, gradient = np.asarray(value), np.asarray(gradient)
    assert value.dtype == gradient.dtype == case.x.dtype, (value.dtype, gradient.dtype)
    return np.stack([value, gradient])


def main(name: str, out: str) -> None:
    """Run a library on all cases that it has an operator for, and store what came out."""
    library = LIBRARIES[name]
    os.environ |= {"KERAS_BACKEND": library.backend, "JAX_PLATFORMS": "cpu"}
    os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    if name == "JAX":
        os.environ["XLA_FLAGS"] = (
            "--xla_force_host_platform_device_count=2"  # for arrays that are split
        )
    vjp, twice = WITH[library.backend](compiled=False)
    compiled, _ = WITH[library.backend](compiled=True)
    known = operators(name)
    found: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for number, case in enumerate(cases()):
        if case.operation not in known:
            continue
        operator = known[case.operation]
        found[f"{number}"] = run(case, vjp, operator)
        if case.x.shape == (4, 5) and case.argument in (0.1, 0.3, 1.0):  # compiling takes a while
            try:
                found[f"{number} compiled"] = run(case, compiled, operator)
            except (TypeError, ValueError) as failure:
                failed[f"{number}"] = f"{type(failure).__name__} in {case.x.dtype}"
    at_corners = {
        corner: run(case, vjp, known[case.operation])[int(corner not in OF_THE_VALUE)][0].tolist()
        for corner, case in CORNERS.items()
        if case.operation in known
    }
    told = {
        "version": version(library.distribution),
        "python": ".".join(map(str, sys.version_info[:3])),
        "corners": at_corners,
        "second derivative": float(twice(lambda x: known["scale_gradient"](x, 0.5) ** 3)) / 6,
        "failed": failed,
        "abilities": {
            operation: abilities(operation, known[operation], library.backend)
            for operation in ARGUMENTS
            if operation in known
        },
        "rosetta": cells(name, vjp),
        "gone": gone(name, vjp),
        "corners of clips": corners(name),
    }
    if name in RUN_IN_A_MODEL:
        told["Keras model"] = {
            operation: {
                "on a symbolic tensor": in_a_model(operator, operation, inside=False),
                "in a layer": in_a_model(operator, operation, inside=True),
            }
            for operation, operator in known.items()
            if operation in ARGUMENTS
        }
    stem = library.snippet
    if stem:
        told |= {
            "clipped_step": clipped_steps(stem),
            "max_norm": constrained(stem),
            "percentile_clip": lengths(stem),
            "policy_clips": surrogates(stem),
            "update_weights": updated(stem),
            "step": steps(stem, function_of("mixed_precision_step", stem)),
            "by tokens": by_tokens(stem, function_of("accumulate_by_tokens", stem)),
        }
    if name in KINDS_IN:
        told["kinds"] = kinds(stem)
    if stem == "keras":
        told |= {"two limits": of_two_limits(), "layers": layers(eager=vjp, compiled=compiled)}
    if name == "PyTorch":
        told |= {"hooks": hooks(), "hook_at_state": hooked_river()}
    np.savez(out, told=json.dumps(told), **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
