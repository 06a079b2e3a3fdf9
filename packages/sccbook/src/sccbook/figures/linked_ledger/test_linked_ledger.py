"""The ledger: its cells, their sums and mean are one set of numbers, the river's; its words at the corners."""

import jax
import numpy as np
import pytest

from scaleclip.ledger import PLACEMENTS, coefficients, ledger
from sccbook.figures.linked_ledger.figure import MOST, UNIT, network

pytestmark = pytest.mark.slow

SETTINGS = [
    {"scale": scale, "gain": gain, "steps": steps, "placement": placement}
    for placement in PLACEMENTS
    for scale, gain, steps in ((0.5, 1.0, 6), (0.5, 2.0, 10), (0.0, 1.0, 4), (0.8, 0.7, 1))
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_each_entry_is_the_product_of_its_gates_and_gains(figure, settings):
    figure.set(**settings)
    steps, found = settings["steps"], figure.value
    with jax.enable_x64(True):
        factors, _ = coefficients(steps, settings["scale"], settings["placement"], np.ones(steps))
    k = np.arange(steps)
    through = np.asarray(factors) * settings["gain"] ** np.maximum(k[:, None] - k, 0.0)
    np.testing.assert_allclose(found["contributions"][:steps, :steps], through, atol=1e-12)
    assert not found["contributions"][steps:].any()
    np.testing.assert_allclose(found["sent"][:steps], through.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(found["received"][:steps], through.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(found["total"], through.sum() / steps, atol=1e-12)
    np.testing.assert_allclose(found["entries"], through.sum(), atol=1e-12)


@pytest.mark.parametrize(
    ("scale", "gain"), [(0.5, 1.0), (1.0, 1.0), (0.5, 2.0), (0.3, 0.9), (0.9, 1.0)]
)
def test_the_mean_is_the_closed_form_for_every_k_and_below_the_bound(at, scale, gain):
    rho, means = scale * gain, []
    for steps in range(1, MOST + 1):
        found, before = (
            at(scale=scale, gain=gain, steps=steps, placement=placement)
            for placement in ("after_heads", "before_heads")
        )
        reached = np.arange(1, steps + 1)
        closed = np.mean((1 - rho**reached) / (1 - rho) if rho != 1 else reached)
        means.append(found["total"])
        assert means[-1] == pytest.approx(closed, rel=1e-12)
        assert before["total"] == pytest.approx(scale * closed, rel=1e-12)
        assert all(np.all(found[name] < found["bound"]) for name in ("total", "sent", "received"))
    assert np.all(np.diff(means) > 0)
    assert np.isfinite(found["bound"]) == (rho < 1)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_networks_cells_are_measured_at_every_setting(figure, settings):
    figure.set(**settings, cells="measured")
    steps, found = settings["steps"], figure.value
    wave = np.sin(np.arange(steps + 1.0))
    with jax.enable_x64(True):
        account = jax.tree.map(
            np.asarray,
            ledger(
                lambda p, h, x: jax.numpy.tanh(p["w"] @ h + p["u"] * x[0]),
                lambda p, h, x: 0.5 * (p["v"] @ h - x[1]) ** 2,
                *network(settings["gain"]),
                np.stack([wave[:-1], wave[1:]], axis=1),
                scale=settings["scale"],
                placement=settings["placement"],
                weights=np.ones(steps),
            ),
        )
    near = {"rtol": 1e-9, "atol": 1e-12}
    norms = UNIT * found["contributions"][:steps, :steps]
    np.testing.assert_allclose(norms, account.norms, **near)
    np.testing.assert_allclose(UNIT * found["total"], np.sum(account.norms) / steps, **near)
    np.testing.assert_allclose(UNIT * found["vectors"], account.sum_norm, **near)
    assert np.isnan(found["bound"])


def test_the_unit_is_the_mean_of_the_networks_diagonal(at):
    diagonal = np.diag(at(steps=MOST, gain=1.0, cells="measured")["contributions"])
    assert np.mean(diagonal) == pytest.approx(1.0, rel=1e-6)


def test_vectors_add_up_to_nearly_the_same_for_every_scale_up_to_1(at):
    for steps in range(1, 11):
        found = [
            at(cells="measured", steps=steps, scale=s)["together"]
            for s in (0.0, 0.25, 0.5, 0.75, 1.0)
        ]
        assert max(found) - min(found) < 0.02
