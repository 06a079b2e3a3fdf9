"""Each operator of scaleclip.torch on each kind of gradient: the table of tests/kinds_of_gradient.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

import scaleclip.torch as gt  # noqa: E402
from scaleclip.torch import Recorder, clip_by_global_norm_, max_norm_  # noqa: E402

FILE = Path(__file__).parents[1] / "kinds_of_gradient.toml"
TABLE = tomllib.loads(FILE.read_text(encoding="utf-8"))
KINDS = [*TABLE["kinds"]["all"], *TABLE["kinds"]["torch"]]
CELLS = TABLE["torch"]

NUMBERS = np.array([[0.0, 0.0], [3.0, -4.0], [0.0, 0.0], [6.0, 8.0]])
OTHER = np.array([12.0])  # the gradient of another parameter
LIMIT = 5.5
DTYPES = {
    "bfloat16": torch.bfloat16,
    "complex": torch.complex64,
    "float16": torch.float16,
    "float64": torch.float64,
    "float8": torch.float8_e4m3fn,
    "integer": torch.int32,
}


def example(kind):
    """A gradient of a kind, and the same numbers in one dense array of NumPy."""
    dense = NUMBERS[:0] if kind == "empty" else NUMBERS * (0.6 + 0.8j if kind == "complex" else 1)
    if kind in ("nan", "inf"):
        dense[1, 0] = float(kind)
    g = torch.tensor(dense).to(DTYPES.get(kind, torch.float32))
    if kind == "sparse":
        g = g.to_sparse(1)
    if kind == "sparse, repeated":
        rows, index = (
            torch.tensor([[1.0, -1.0], [6.0, 8.0], [2.0, -3.0]]),
            torch.tensor([[1, 3, 1]]),
        )
        g = torch.sparse_coo_tensor(index, rows, (4, 2), check_invariants=True)
    return g, dense


def shortened(*arrays):
    """Arrays times min(1, LIMIT / their norm), and the norm."""
    norm = np.sqrt(sum((np.abs(a) ** 2).sum() for a in arrays))
    factor = min(1.0, LIMIT / (norm or 1.0)) if np.isfinite(norm) else np.nan
    return [a * factor for a in arrays], norm


def column_capped(w):
    norms = np.sqrt((np.abs(w) ** 2).sum(1, keepdims=True))
    factors = np.minimum(1.0, LIMIT / np.where(norms == 0, 1.0, norms))
    return w * np.where(np.isfinite(norms), factors, np.nan)


def assert_close(given, expected):
    tolerance = {1: 0.1, 2: 1e-2}.get(given.dtype.itemsize, 1e-6)
    given = given.detach()
    given = given.to_dense() if given.is_sparse else given
    wide = given.to(torch.complex128 if given.is_complex() else torch.float64).numpy()
    np.testing.assert_allclose(wide, expected, rtol=tolerance)


class Gives(torch.autograd.Function):
    """A number whose gradient is what was given."""

    @staticmethod
    def forward(ctx, x, gradient):
        ctx.gradient = gradient
        return torch.zeros(())

    @staticmethod
    def backward(ctx, _):
        return ctx.gradient, None


AT_TENSOR = {
    "scale_gradient": ((0.5,), lambda g: g * 0.5),
    "clip_gradient": ((-2.0, 5.0), lambda g: np.clip(g, -2.0, 5.0)),
    "clip_gradient_norm": ((LIMIT,), lambda g: shortened(g)[0][0]),
}


def at_tensor(name, kind):
    numbers, by_numpy = AT_TENSOR[name]
    g, dense = example(kind)
    if kind == "integer":
        return getattr(gt, name)(g, *numbers) is g
    x = torch.zeros(g.shape, dtype=g.dtype)
    if kind == "replaced":
        model = torch.nn.Linear(2, 4)
        x = model.weight = torch.nn.Parameter(x)
    y = getattr(gt, name)(x.requires_grad_(), *numbers)
    if kind == "missing":
        other = torch.ones((), requires_grad=True) * 1
        return torch.autograd.grad(other, (x, y), allow_unused=True) == (None, None)
    Gives.apply(y, g).backward()
    assert x.grad.dtype == g.dtype
    assert_close(x.grad, by_numpy(dense))
    return None


def of_a_model(kind, recorded):
    """Clip a model with a gradient of a kind and another one, and compare both."""
    g, dense = example(kind)
    model = torch.nn.ParameterDict()
    model["w"] = torch.nn.Parameter(torch.zeros(g.shape, dtype=g.dtype), kind != "integer")
    model["b"] = torch.nn.Parameter(torch.zeros(1))
    recorder = Recorder(model, groups=gt.by_leaf)
    if kind == "replaced":
        model["w"] = torch.nn.Parameter(torch.zeros(g.shape))
    alone = kind in ("missing", "integer")
    if not alone:
        model["w"].grad = g
    model["b"].grad = torch.tensor(OTHER, dtype=torch.float32)
    clip = recorder.clip_by_global_norm_ if recorded else lambda c: clip_by_global_norm_(model, c)
    returned = clip(LIMIT)
    expected, norm = shortened(OTHER) if alone else shortened(OTHER, dense)
    np.testing.assert_allclose(float(returned), norm, rtol=1e-6)
    assert_close(model["b"].grad, expected[0])
    if recorded:
        recording = recorder.read()
        np.testing.assert_allclose(recording.norms, [norm], rtol=1e-6)
        own = 0.0 if alone else np.linalg.norm(dense)
        np.testing.assert_allclose(recording.groups.get("w", [0.0]), [own], rtol=1e-6)
    if alone:
        return model["w"].grad is None
    assert_close(model["w"].grad, expected[1])
    return None


def units(kind):
    g, dense = example(kind)
    model = torch.nn.ParameterDict()
    model["w"] = torch.nn.Parameter(torch.zeros(g.shape, dtype=g.dtype), kind != "integer")
    if kind not in ("missing", "integer"):
        model["w"].grad = g
    gt.clip_adaptively_(model, 1.0, LIMIT)  # the weights are 0, so each unit's limit is LIMIT
    if model["w"].grad is None:
        return True
    assert_close(model["w"].grad, column_capped(dense))
    return None


def weights(kind):
    g, dense = (None, None) if kind == "missing" else example(kind)
    if kind == "replaced":
        model = torch.nn.Linear(2, 4, bias=False)
        g = model.weight = torch.nn.Parameter(g)
    max_norm_(model if kind == "replaced" else g, LIMIT)
    assert_close(g, column_capped(dense))


OPERATORS = {
    **{name: lambda kind, name=name: at_tensor(name, kind) for name in AT_TENSOR},
    "Recorder": lambda kind: of_a_model(kind, recorded=True),
    "clip_adaptively_": units,
    "clip_by_global_norm_": lambda kind: of_a_model(kind, recorded=False),
    "max_norm_": weights,
}


def test_the_table_has_every_operator_and_every_kind():
    others = {"by_layer", "by_leaf", "by_module", "ledger", "read", "read_all", "sources"}
    operators = set(gt.__all__) - others - {"AGC", "AutoClip", "ZClip"}
    assert set(CELLS) == operators == set(OPERATORS)
    for name, cells in CELLS.items():
        assert set(cells) == set(KINDS), name


def test_max_norm_of_a_module_leaves_no_complex_kernel_out_unasked():
    model = torch.nn.ParameterDict({"w": torch.ones(2, 2), "z": torch.ones(2, 2) * 1j})
    with pytest.raises(TypeError, match="z must be real"):
        max_norm_(model, 1.0)
    max_norm_(model, 1.0, where=lambda name, parameter: name == "w")
    assert float(model["w"].detach().norm()) == pytest.approx(2**0.5)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sharded"])
@pytest.mark.parametrize("name", OPERATORS)
def test_a_cell_of_the_table_is_as_it_is_written(name, kind):
    expected = CELLS[name][kind]
    if expected == "value":
        assert OPERATORS[name](kind) is None
    elif expected == "passes":
        assert OPERATORS[name](kind) is True
    else:
        with pytest.raises((TypeError, ValueError), match=expected):
            OPERATORS[name](kind)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*AT_TENSOR, "max_norm_", "clip_adaptively_"])
def test_a_tensor_in_two_processes_gives_the_values_of_the_whole(two_processes, name):
    # for the clip of a model and its record see test_sharded.py
    by_numpy = AT_TENSOR[name][1] if name in AT_TENSOR else column_capped
    assert CELLS[name]["sharded"] == "value"
    for process in two_processes:
        for given in process["one_by_one"][name]:
            assert_close(given, by_numpy(NUMBERS))
