"""Gradients of the terms of a loss, side by side: against jax.grad of each."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip import probe

PARAMS = {
    "body": {"w": jnp.array([[1.0, 2.0], [0.5, -1.0]])},
    "head": {"w": jnp.array([1.0, -2.0])},
    "n": 3,
}
X = jnp.array([0.3, -0.7])


def fit(p, x):
    return jnp.sum(jnp.tanh(p["body"]["w"] @ x) * p["head"]["w"]) ** 2


def decay(p, x):
    return 0.1 * sum(jnp.sum(w**2) for w in (p["body"]["w"], p["head"]["w"]))


LOSSES = {"fit": fit, "decay": decay}


def test_norms_shares_and_cosines_are_those_of_the_gradients():
    found = probe.sources(LOSSES, PARAMS, X)
    floats = {name: PARAMS[name] for name in ("body", "head")}
    trees = {name: jax.grad(loss)(floats, X) for name, loss in LOSSES.items()}
    grads = {name: {g: np.ravel(by["w"]) for g, by in of.items()} for name, of in trees.items()}
    assert (found.terms, found.groups) == (("fit", "decay"), ("body", "head"))
    np.testing.assert_allclose(found.values, [fit(PARAMS, X), decay(PARAMS, X)], rtol=1e-6)
    for g, group in enumerate(found.groups):
        total = sum(grads[t][group] for t in found.terms)
        for n, term in enumerate(found.terms):
            one = grads[term][group]
            np.testing.assert_allclose(found.norms[n, g], np.linalg.norm(one), rtol=1e-5)
            np.testing.assert_allclose(found.shares[n, g], one @ total / (total @ total), rtol=1e-4)
    np.testing.assert_allclose(found.shares.sum(0), 1, rtol=1e-5)
    a, b = (np.concatenate([*grads[t].values()]) for t in found.terms)
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    np.testing.assert_allclose(found.cosines, [[1, cosine], [cosine, 1]], rtol=1e-5)


def test_one_function_may_return_all_terms_and_it_may_be_jitted():
    once = lambda p, x: {name: loss(p, x) for name, loss in LOSSES.items()}
    jitted = jax.jit(partial(probe.sources, once))(PARAMS, X)
    np.testing.assert_allclose(
        jitted.products, probe.sources(LOSSES, PARAMS, X).products, rtol=1e-5
    )
    assert jitted.terms == ("fit", "decay")


def test_it_prints_a_table():
    lines = repr(probe.sources(LOSSES, PARAMS, X)).splitlines()
    assert lines[0].split() == ["norm", "(share)", "fit", "decay"]
    assert [line.split()[0] for line in lines] == [
        "norm",
        "body",
        "head",
        "whole",
        "cosine",
        "fit",
        "decay",
    ]
    assert lines[5].split()[1] == "1.00"


def test_a_term_that_moves_nothing_has_the_norm_0():
    found = probe.sources(LOSSES | {"none": lambda p, x: jnp.sum(x)}, PARAMS, X)
    assert found.norms[2].tolist() == [0, 0]
    assert "none" in repr(found)


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ({"fit": lambda p, x: x}, r"The loss 'fit' has the shape \(2,\).*its mean"),
        ({}, "dict of functions"),
        (fit, "dict of functions"),
    ],
)
def test_what_is_no_scalar_is_refused(losses, message):
    with pytest.raises(ValueError, match=message):
        probe.sources(losses, PARAMS, X)
