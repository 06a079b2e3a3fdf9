"""A ledger of a torch step says what JAX's says of the same step."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip import ledger as of_jax

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

from scaleclip.torch import clip_gradient_norm, ledger  # noqa: E402

RANDOM = np.random.default_rng(0)
PARAMS = {"w": RANDOM.normal(size=(4, 4)) / 2, "v": RANDOM.normal(size=4)}
START, INPUTS = RANDOM.normal(size=4), RANDOM.normal(size=(5, 4))


def by_jax(**how):
    with jax.enable_x64(True):
        step = lambda p, h, x: jnp.tanh(p["w"] @ h + x)
        head = lambda p, h, x: jnp.mean((p["v"] * h - x) ** 2)
        found = of_jax.ledger(step, head, PARAMS, jnp.asarray(START), jnp.asarray(INPUTS), **how)
        return jax.tree.map(np.asarray, found)


def by_torch(**how):
    tensors = {name: torch.tensor(value) for name, value in PARAMS.items()}
    step = lambda p, h, x: torch.tanh(p["w"] @ h + x)
    head = lambda p, h, x: ((p["v"] * h - x) ** 2).mean()
    return ledger(step, head, tensors, torch.tensor(START), torch.tensor(INPUTS), **how)


@pytest.mark.parametrize("placement", of_jax.PLACEMENTS)
@pytest.mark.parametrize("how", [{"scale": 0.5}, {"scale": -0.3, "weights": [1, 0, 2, 0.5, 3.0]}])
def test_every_number_is_jaxs(placement, how):
    found, expected = by_torch(placement=placement, **how), by_jax(placement=placement, **how)
    for name in (
        "scale", "weights", "losses", "coefficients", "norms", "inner_products", "sum_norm",
        "head_norms", "own", "through", "root", "shares",
    ):  # fmt: skip
        one, other = (np.asarray(getattr(of, name)) for of in (found, expected))
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12, err_msg=name)
    for name in ("total", "step_total"):
        for leaf in PARAMS:
            one, other = (getattr(of, name)[leaf] for of in (found, expected))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.state_cotangent[0], expected.state_cotangent, rtol=1e-9)
    assert found.sum_error < 1e-12
    assert repr(found) == repr(expected)


def test_a_modules_step_by_torch_func_with_a_state_of_two():
    cell = torch.nn.LSTMCell(3, 4).double()
    params = dict(cell.named_parameters())
    step = lambda p, state, x: torch.func.functional_call(cell, p, (x, state))
    head = lambda p, state, x: state[0].square().mean()
    state = (torch.zeros(1, 4).double(), torch.zeros(1, 4).double())
    xs = torch.tensor(RANDOM.normal(size=(4, 1, 3)))
    found = ledger(step, head, params, state, xs)
    losses, (h, c) = [], state
    for x in xs:
        h, c = cell(x, (h, c))
        losses.append(h.square().mean() / 4)
    sum(losses).backward()
    for name, p in params.items():
        np.testing.assert_allclose(found.total[name], p.grad.numpy(), rtol=1e-9, atol=1e-15)
    assert np.all(found.norms[np.tril_indices(4)] > 0)


def test_a_clip_in_the_step_is_named():
    step = lambda p, h, x: clip_gradient_norm(torch.tanh(p @ h + x), 0.01)
    found = ledger(step, lambda p, h, x: h.sum(), torch.eye(3), torch.ones(3), torch.zeros(4, 3))
    assert "not linear" in repr(found)


ONE = torch.ones(2)


@pytest.mark.parametrize(
    ("change", "how", "error", "message"),
    [
        ({}, {"placement": "there"}, ValueError, "placement must be one of"),
        ({"inputs": []}, {}, ValueError, "0 inputs and 0 weights"),
        ({"inputs": [0, 1]}, {"weights": [1.0]}, ValueError, "2 inputs and 1 weights"),
        ({"params": 3}, {}, TypeError, "params must be float tensors, but one is 3"),
        ({"head": lambda p, h, x: h}, {}, TypeError, r"head must return a float \[\]"),
    ],
)
def test_what_cannot_be_right_is_refused(change, how, error, message):
    given = {"step": lambda p, h, x: p * h, "head": lambda p, h, x: h.sum(), "params": ONE}
    given |= {"state": ONE, "inputs": [0]} | change
    with pytest.raises(error, match=message):
        ledger(*given.values(), **how)
