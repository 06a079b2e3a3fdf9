"""The two descents: their numbers against the chapter's gradients written out, and where they end."""

import numpy as np
import pytest

from sccbook.figures.two_paths.figure import BEST, LEAST, RATE, SHOWN, TARGETS, resting

K = np.arange(1, len(TARGETS) + 1)


def errors(p):
    return p[0] + p[1] * K - TARGETS


def reported(p, s):
    """The chapter's sums: s^(k-1) e_k for h_0, and (1 + s + ... + s^(k-1)) e_k for theta."""
    factors = np.stack([s ** (K - 1.0), [np.sum(s ** np.arange(k)) for k in K]])
    return factors @ errors(p) / len(K)


@pytest.mark.parametrize(
    ("scale", "both", "start"),
    [(0.5, False, (1.0, 0.0)), (0.0, False, (-0.6, 0.8)), (0.3, True, (0.4, 0.1))],
)
def test_both_runs_make_the_updates_that_are_written_out(at, scale, both, start):
    value = at(scale=scale, both=both, start=start)
    plain, scaled = np.array(start), np.array(start)
    for n in range(1, 1001):
        plain = plain - RATE * reported(plain, 1.0)
        scaled = scaled - RATE * (
            scale * reported(scaled, 1.0) if both else reported(scaled, scale)
        )
        if n in SHOWN:
            i = int(np.searchsorted(SHOWN, n))
            for name, p in (("plain", plain), ("scaled", scaled)):
                np.testing.assert_allclose(value[name][i + 1], p, atol=1e-9)
                loss = np.sum(errors(p) ** 2) / 12
                assert value[f"{name}_loss"][i] == pytest.approx(loss, rel=1e-9)


def test_the_first_state_shows_the_chapters_numbers(at):
    value = at()
    assert (int(value["turn"]), round(float(value["low"]), 4)) == (67, 0.0908)
    assert (round(float(value["end"]), 4), round(float(value["above"]))) == (0.1085, 20)
    assert round(LEAST, 4) == 0.0905


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0])
def test_a_run_ends_where_both_reported_gradients_are_0(at, s):
    np.testing.assert_allclose(reported(resting(s), s), 0, atol=1e-12)
    np.testing.assert_allclose(at(scale=s)["last"], resting(s), atol=1e-4)


def test_half_of_the_whole_gradient_ends_at_the_least_loss(at):
    value = at(both=True)
    np.testing.assert_allclose(value["last"], BEST, atol=2e-4)
    assert not value["apart"]


def test_the_rings_have_their_losses(figure):
    for row, above in zip(figure.spec.view.rings, (5, 10, 20, 50), strict=False):
        for turn in (0.0, 1.0, 2.5):
            p = np.array(BEST) + np.reshape(row, (2, 2)) @ [np.cos(turn), np.sin(turn)]
            assert np.sum(errors(p) ** 2) / 12 == pytest.approx(LEAST * (1 + above / 100))
