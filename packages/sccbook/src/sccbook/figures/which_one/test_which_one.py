"""From a symptom to a remedy: every path has its words, and its code runs."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from scaleclip import probe
from sccbook.figures import WhichOne
from sccbook.figures.which_one.figure import KIND_OF, NONE, RECORDS

X = jnp.array([[0.5, 0.0], [-1.0, 2.0]])


def reader():
    """What a reader's program has where the code is pasted."""
    names = dict.fromkeys(("p", "x", "w", "w_start", "w_query", "w_key", "logits", "h"), X)
    names |= dict.fromkeys(("log_p", "old_log_p", "advantage", "batch", "saved", "params"), X)
    names |= dict.fromkeys(("head", "shared", "policy_head", "value_head"), jnp.sum)
    return names | {
        "jax": jax, "jnp": jnp, "np": np, "optax": optax, "probe": probe, "key": jax.random.key(0),
        "rec": SimpleNamespace(norms=np.arange(101.0)), "rate": 0.1, "s": 0.1, "n": 2, "loss": 1.0, "start": 0, "stop": None,
        "losses": 0.0, "actions": (X, X), "states": (X, X), "dynamics": jnp.add, "data": (X, X),
        "bad": {0}, "state": (), "step": lambda params, state, batch: (params + batch, state),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDS)
def test_the_code_to_copy_runs_and_fits_its_box(name):
    code, found = RECORDS[name].code, reader()
    if name == "nan_loss":
        found["loss"] = lambda params, batch: jnp.sum(jnp.log1p(-params * batch / 9))
    exec(code, found)
    if "tx" in found:
        found["tx"].update({"w": X}, found["tx"].init({"w": X}), {"w": X})
    lines = code.splitlines()
    assert 2 <= len(lines) <= 5
    assert max(map(len, lines)) <= 40


def test_a_limit_is_the_percentile_and_a_cap_holds():
    def after(name, **changes):
        found = reader() | changes
        exec(RECORDS[name].code, found)
        return found

    assert after("spikes_norms")["c"] == 99
    assert after("stuck_clipped")["c"] == 95
    assert jnp.linalg.norm(after("unroll_matrix", w=3 * X)["w"], 2) <= jnp.linalg.norm(X, 2) * 1.001
    capped = jnp.linalg.norm(after("weights_columns", w=9 * X)["w"], axis=0)
    np.testing.assert_allclose(capped.max(), 4.0, rtol=1e-6)
    pair = after("weights_logits", logits=400.0 * X)  # the largest of q k is then 100
    np.testing.assert_allclose(pair["w_query"] * pair["w_key"], X * X / 8, rtol=1e-6)


def test_each_record_has_a_sentence_of_its_own_and_half_need_none_of_the_three():
    figure = WhichOne()
    sentences = [figure.set(record=name) or figure.sentence for name in RECORDS]
    assert len(set(sentences)) == len({row.code for row in RECORDS.values()}) == 18
    assert figure.value["counts"].tolist() == np.bincount(KIND_OF).tolist()
    assert figure.value["counts"][NONE] == 9
