"""What is recorded of MaxNorm as a hidden lasso is what its experiment gives again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from experiments.hidden_lasso import run
from sccbook.records import load

RECORD = load("hidden_lasso")

EPSILON, RAISED = run.EPSILON, run.RAISED


def one(arm, optimizer="sgd", rate=1e-2, epsilon=RAISED):
    return RECORD.cell("trained", arm=arm, optimizer=optimizer, rate=rate, epsilon=epsilon)


def norm_of(arm, dtype, weights, start, times=1_000_000):
    cell = RECORD.cell("dead", arm=arm, dtype=dtype, weights=weights, start=start)
    return cell.norms[run.TIMES.index(times)]


def test_every_arm_of_the_protocol_is_recorded_once():
    for part, first, count in (("dead", 4, 96), ("pushed", 2, 12), ("trained", 4, 28)):
        cells = RECORD.cells(part)
        assert len({cell[:first] for cell in cells}) == len(cells) == count
    assert len(RECORD.cells("dead")) == 3 * 2 * 2 * len(run.NORMS)
    assert len(RECORD.cells("pushed")) == 3 * len(run.PUSHES)
    assert all(len(cell.zero) == len(run.SEEDS) for cell in RECORD.cells("trained"))


def test_it_names_what_it_was_made_with():
    made = RECORD["provenance"]
    assert made["seeds"] == list(run.SEEDS)
    assert made["times"] == list(run.TIMES)
    assert (made["steps"], made["units"], made["faded"]) == (run.STEPS, run.UNITS, run.FADED)


@pytest.mark.slow
def test_keras_takes_a_gradient_step_of_a_rounded_lasso():
    with jax.enable_x64(True):
        w = jnp.array(np.random.default_rng(0).normal(size=(5, 4)) * [1e-5, 1e-4, 0.1, 0.5])
        rounded = lambda n: RAISED * (n - RAISED * jnp.log1p(n / RAISED))
        slope = jax.grad(lambda w: jnp.sum(rounded(run.norms(w))))(w)
        np.testing.assert_allclose(run.as_keras(w, 9.0, RAISED), w - slope, rtol=1e-9, atol=1e-18)


@pytest.mark.slow
def test_the_proximal_step_solves_its_problem():
    with jax.enable_x64(True):
        w = jnp.array(np.random.default_rng(1).normal(size=(5, 4)) * [1e-5, 1e-4, 0.1, 0.5])
        after = run.shrink(w, RAISED)
        n = np.asarray(run.norms(w))
        assert np.array_equal(np.all(after == 0, axis=0), n <= RAISED)
        left = after[:, n > RAISED]
        np.testing.assert_allclose(
            (w - after)[:, n > RAISED], RAISED * left / run.norms(left), rtol=1e-8
        )


@pytest.mark.slow
def test_keras_sees_the_epsilon_of_the_call_alone():
    import keras

    before = keras.config.epsilon()
    w = jnp.ones((1, 1))
    assert float(run.as_keras(w, 2.0, 0.5)[0, 0]) == pytest.approx(1 / 1.5)
    assert keras.config.epsilon() == before


def test_in_float64_a_dead_column_loses_epsilon_a_step_and_keras_comes_to_0_a_little_later():
    for weights in (1, 256):
        for start in run.NORMS:
            assert norm_of("cap", "float64", weights, start) == pytest.approx(start, abs=1e-9)
            for times in run.TIMES:
                wanted = max(0, start - EPSILON * times)
                norms = [norm_of(a, "float64", weights, start, times) for a in ("prox", "keras")]
                np.testing.assert_allclose(norms, wanted, atol=1.5e-6)
    for cell in RECORD.cells("dead", arm="keras", dtype="float64", weights=1):
        prox = RECORD.cell("dead", arm="prox", dtype="float64", weights=1, start=cell.start)
        if cell.gone:
            assert abs(prox.gone - cell.start / EPSILON) <= 1
            assert 0 < cell.gone - prox.gone - np.log(cell.start / EPSILON) < 12


@pytest.mark.parametrize("weights", [1, 256])
def test_in_float32_keras_stops_at_2_and_the_proximal_step_above_3(weights):
    for start in (2.1, 3.0, 4.0):
        assert norm_of("keras", "float32", weights, start) == np.float32(start) or weights > 1
        assert norm_of("keras", "float32", weights, start) == pytest.approx(start, rel=1e-7)
    assert norm_of("prox", "float32", weights, 4.0) == pytest.approx(4, rel=1e-7)
    for start in (2.1, 3.0):
        assert norm_of("prox", "float32", weights, start) < start - 0.1
    one = np.float32(1)
    for n in (3.3, 3.4):
        assert (one - np.float32(EPSILON) / np.float32(n) == one) == (n > EPSILON * 2**25)


def test_rounding_of_each_weight_makes_the_loss_of_a_column():
    for start, halves in ((1.0, 2), (1.9, 1)):  # the factor is 1 - halves * 2**-24
        for weights in (1, 256):
            w = np.asarray(run.columns("float32", weights, run.NORMS), float)
            w = w[:, run.NORMS.index(start)] * (1 - 1e-6)  # below a power of two
            mantissa = np.abs(np.frexp(w)[0] * 2)
            ulps = np.round(mantissa * halves / 2) * np.spacing(np.abs(w).astype("float32"))
            lost = np.linalg.norm(w) - np.linalg.norm(w - np.sign(w) * ulps)
            for arm in ("prox", "keras"):
                found = (start - norm_of(arm, "float32", weights, start, 1_000)) / 1_000
                assert found == pytest.approx(lost, rel=0.01), (arm, weights, start)


def test_a_push_below_epsilon_leaves_keras_a_norm():
    for cell in RECORD.cells("pushed"):
        if cell.push > 1 or cell.arm == "cap":
            assert cell.norm > 1e4
        else:
            wanted = cell.push**2 / (1 - cell.push) if cell.arm == "keras" else 0
            assert cell.norm == pytest.approx(wanted, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("rate", run.RATES)
def test_with_sgd_keras_prunes_the_columns_that_the_proximal_step_prunes(rate):
    cap, prox, keras, loss = (
        one(arm, rate=rate, epsilon=0.0 if arm == "cap" else RAISED)
        for arm in ("cap", "prox", "keras", "loss")
    )
    assert max(cap.faded) == 0
    assert prox.faded == keras.faded == loss.faded
    assert all(np.array(keras.zero) <= prox.zero)
    assert sum(np.array(keras.zero) < prox.zero) == (2 if rate == 1e-2 else 7)
    assert abs(np.median(cap.pull)) < 0.01
    for cell in (prox, keras, loss):
        assert abs(cell.pull[1] - 1) < 0.2
    np.testing.assert_allclose(keras.loss, prox.loss, rtol=0.02)


@pytest.mark.parametrize("rate", run.RATES)
def test_with_adam_the_hidden_penalty_is_not_the_one_in_the_loss(rate):
    prox, keras, loss = (one(arm, "adam", rate) for arm in ("prox", "keras", "loss"))
    assert np.all(np.array(loss.faded) > keras.faded)
    assert np.median(loss.loss) > 5 * np.median(keras.loss)
    assert max(abs(prox.pull[1]), abs(keras.pull[1])) < 0.01
    assert loss.pull[1] == pytest.approx(1, abs=0.05)
    apart = np.array(keras.faded) - prox.faded
    assert max(np.sum(apart > 0), np.sum(apart < 0)) < 13


@pytest.mark.parametrize("rate", run.RATES)
def test_at_the_usual_epsilon_nothing_fades_but_with_adam_and_the_penalty_in_the_loss(rate):
    for optimizer in ("sgd", "adam"):
        for arm in ("prox", "keras", "loss"):
            cell = one(arm, optimizer, rate, EPSILON)
            if (optimizer, arm) == ("adam", "loss"):
                assert min(cell.faded) >= 13
                assert min(cell.lost) > 0.99
            else:
                assert max(cell.faded) == 0
                np.testing.assert_allclose(cell.lost, 0.002, rtol=0.01)


@pytest.mark.slow
def test_a_column_that_dies_is_reproduced():
    for arm in ("prox", "keras"):
        for dtype, apart in (("float64", 1e-9), ("float32", 3e-6)):
            kept = RECORD.cell("dead", arm=arm, dtype=dtype, weights=1, start=1e-3)
            (found,) = run.shrunk(arm, dtype, 1, [1e-3])
            np.testing.assert_allclose(found.norms, kept.norms, atol=apart)
            assert abs(found.gone - kept.gone) <= (2 if dtype == "float64" else 50)


@pytest.mark.slow
def test_a_row_is_reproduced():
    kept = one("keras")
    found = run.train("keras", "sgd", 1e-2, RAISED, seeds=[0])
    assert abs(found.faded[0] - kept.faded[0]) <= 1
    assert found.loss[0] == pytest.approx(kept.loss[0], rel=0.02)
    assert run.silent([0]) == RECORD["provenance"]["silent"][:1]
