"""A measured ledger as a figure: exact at every s, honest about what it cannot know."""

import functools
import os
import subprocess
import sys
from dataclasses import replace

import jax
import numpy as np
import pytest
from tests.figure_settings import assert_page_agrees

from explorax.figure.widget import MIME
from scaleclip.figure._ledger_numbers import AT_MOST
from scaleclip.figure.ledger import MeasuredLedger
from scaleclip.ledger import PLACEMENTS, ledger
from scaleclip.ledger._type import caution
from tests.tiers import some_now

pytestmark = pytest.mark.slow

STEPS = 5


def step(params, h, x):
    return jax.numpy.tanh(params["w"] @ h + x)


def head(params, h, x):
    return (params["v"] @ h - 0.3) ** 2


@functools.cache
def measure(scale=0.5, placement="after_heads", steps=STEPS):
    draws = np.random.default_rng(0)
    params = {"w": draws.normal(size=(3, 3)), "v": draws.normal(size=3)}
    inputs = draws.normal(size=(200, 3))[:steps]
    with jax.enable_x64(True):
        found = ledger(step, head, params, np.ones(3), inputs, scale=scale, placement=placement)
    return jax.tree.map(np.asarray, found)


@pytest.mark.parametrize("placement", some_now(PLACEMENTS[:3], "after_heads"))
def test_every_norm_and_sum_is_what_is_measured_at_another_scale(placement):
    figure = MeasuredLedger(measure(0.5, placement))
    for place, scale in ((0, 0.0), (13, 0.26), (25, 0.5), (50, 1.0)):
        norms = measure(scale, placement).norms
        figure.set(scale=scale)
        value = figure.value
        np.testing.assert_allclose(value["entries"], norms, rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(value["sent"], np.sum(norms, axis=1), rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(value["received"], np.sum(norms, axis=0), rtol=1e-10, atol=1e-14)
        assert value["scales"][place] == pytest.approx(scale)
        np.testing.assert_allclose(
            [value["most"], value["bounds"][place]], np.sum(norms), rtol=1e-10
        )


def test_without_a_scale_the_slider_shows_one_after_the_heads():
    figure = MeasuredLedger(measure(0.5, "off"))
    assert figure.scale == 1.0
    figure.set(scale=0.5)
    np.testing.assert_allclose(figure.value["entries"], measure().norms, rtol=1e-10)
    assert figure.sentence.startswith("At s = 0.5 after the heads the norms of all cells add up to")
    assert figure.sentence.endswith("Added as vectors, they have at most that norm.")


def test_where_nothing_passed_there_is_no_slider():
    figure = MeasuredLedger(measure(0.0))
    assert figure.settings == {}
    assert figure.sentence.startswith("Measured with s = 0 after the heads")
    assert "cannot be scaled back" in figure.spec.note


def test_where_the_entries_do_not_add_up_the_sentence_says_so_and_nothing_is_scaled():
    account = measure()
    clipped = replace(account, sum_error=account.sum_norm)
    figure = MeasuredLedger(clipped)
    assert figure.settings == {}
    assert figure.sentence.endswith(caution(clipped))
    assert "not to the total through step" in caution(clipped)


def test_of_a_long_unroll_the_last_losses_are_drawn_and_all_are_counted():
    account = measure(0.9, steps=40)
    figure = MeasuredLedger(account)
    assert figure.value["entries"].shape == (AT_MOST, AT_MOST)
    np.testing.assert_allclose(figure.value["entries"], account.norms[-AT_MOST:, -AT_MOST:])
    np.testing.assert_allclose(figure.value["most"], np.sum(account.norms))
    assert "The last 12 of 40" in figure.spec.look
    assert figure.table()[1][0] == "loss 29"
    figure.set(scale=0.45)
    lags = np.tri(40) * np.maximum(np.arange(40)[:, None] - np.arange(40), 0)
    np.testing.assert_allclose(figure.value["most"], np.sum(account.norms * 0.5**lags))


def test_the_sum_is_drawn_and_said_wherever_it_was_measured():
    half, whole = measure(0.5), measure(1.0)
    figure = MeasuredLedger(half, whole)
    assert (figure.value["again"], figure.value["recorded"]) == (1.0, 0.5)
    assert figure.value["sum"] == pytest.approx(float(half.sum_norm), rel=1e-10)
    figure.set(scale=1.0)
    assert figure.sentence.endswith(f"of norm {float(whole.sum_norm):.3g}.")


def test_a_sum_that_was_measured_at_many_scales_is_a_line():
    half = measure(0.5)
    many = [measure(s) for s in np.linspace(0, 1, 26)]
    figure = MeasuredLedger(half, jax.tree.map(lambda *xs: np.stack(xs), *many))
    chart = figure.spec.view.views[1][1]
    assert [each.mark for each in chart.series if each.value == "sum_again"] == ["line"]
    np.testing.assert_allclose(
        figure.value["sum_again"], [float(one.sum_norm) for one in many], rtol=1e-6
    )
    for scale, one in ((0.2, many[5]), (0.5, half)):
        figure.set(scale=scale)
        assert figure.value["sum_here"] == pytest.approx(float(one.sum_norm), rel=1e-6)
        assert figure.sentence.endswith(f"of norm {float(one.sum_norm):.3g}.")
    figure.set(scale=0.21)
    assert np.isnan(figure.value["sum_here"])
    assert figure.sentence.endswith("they have at most that norm.")


def test_a_second_ledger_is_of_the_same_unroll_at_another_s():
    half = measure(0.5)
    with pytest.raises(ValueError, match="expected another s"):
        MeasuredLedger(half, half)
    for other in (measure(1.0, "before_heads"), measure(1.0, steps=4)):
        with pytest.raises(ValueError, match="Expected the same unroll at another s"):
            MeasuredLedger(half, other)


def test_very_small_norms_are_written_in_a_unit():
    account = measure()
    small = replace(account, norms=1e-7 * account.norms)
    (title, cells), _ = MeasuredLedger(small).spec.view.views
    assert title == "Norm of each gradient, in 10⁻⁹"
    assert 1 <= 1e-7 * account.norms.max() / cells.unit < 1000


def test_a_ledger_shows_itself_as_its_figure_and_prints_itself_as_its_table(monkeypatch):
    account = measure()
    for output in ("text", "site"):
        monkeypatch.setenv("EXPLORAX_OUTPUT", output)
        data, *_ = MeasuredLedger.display(account)
        assert data["text/plain"] == repr(account)
        assert (MIME in data) == (output == "site")
        assert set(data) > {"text/plain"}
    assert data[MIME]["name"] == "MeasuredLedger"


@pytest.mark.exhaustive
def test_a_notebook_draws_ledgers_once_the_figures_are_imported():
    code = """
import sys
from scaleclip.ledger import ledger
import jax.numpy as jnp
found = ledger(lambda w, h, x: w * h, lambda w, h, x: h, 1.0, 1.0, jnp.ones(3))
before = [name for name in sys.modules if name.startswith("explorax")]
import scaleclip.figure
data, _ = get_ipython().display_formatter.format(found)
print(before, sorted(data), data["text/plain"] == repr(found))
"""
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "-c", code]
    environment = {**os.environ, "EXPLORAX_OUTPUT": "site"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"[] {sorted([MIME, 'text/plain'])} True"


def test_a_batch_of_ledgers_prints_its_shape_and_has_no_figure():
    with jax.enable_x64(True):
        both = jax.tree.map(lambda x: np.stack([x, x]), measure())
    assert MeasuredLedger.display(both) == {
        "text/plain": "Ledger(placement='after_heads', norms (2, 5, 5))"
    }
    with pytest.raises(ValueError, match=r"one unroll, norms \[K, K\]"):
        MeasuredLedger(both)


@pytest.mark.parametrize("scale", some_now([0.5, 1.0, 1e-3], 0.5))
def test_an_unroll_of_one_step_and_networks_of_any_size_are_drawn(scale):
    assert MeasuredLedger(measure(scale, steps=1)).value["entries"].shape == (1, 1)
    account = measure(scale)
    for factor in (1e-12, 1e12, 0.0):
        larger = jax.tree.map(lambda x, f=factor: x * f, account)
        found = MeasuredLedger(
            type(account)(
                **{**vars(account), "norms": larger.norms, "inner_products": larger.norms}
            )
        )
        np.testing.assert_allclose(found.value["entries"], account.norms * factor)


def test_the_page_computes_what_jax_does(run_in_node):
    figure = MeasuredLedger(measure(0.5, "before_heads"))
    settings = [{"scale": float(scale)} for scale in np.linspace(0, 1, 21)]
    assert_page_agrees(figure, settings, run_in_node)
