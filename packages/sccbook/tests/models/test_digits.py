"""The loop of training, and the digits: what is seen at each step, and accuracies from three seeds."""

from __future__ import annotations

import builtins
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from scaleclip.ops import clip_by_global_norm, global_norm
from sccbook.models.digits import TEST, digits
from sccbook.models.recurrent import init_tanh, last_loss, readout, run, tanh_state, tanh_step
from sccbook.models.training import accuracy, minibatches, train

UNITS = 30


def counting(seen, inputs, labels):
    """Count how often each example was seen."""
    return seen.at[labels].add(1), (jnp.sum(inputs), labels)


def test_an_epoch_meets_every_example_once_in_another_order():
    order = minibatches(12, epochs=3, batch=4, seed=0)
    assert order.shape == (9, 4)
    epochs = order.reshape(3, 12)
    np.testing.assert_array_equal(np.sort(epochs, axis=1), np.tile(np.arange(12), (3, 1)))
    assert not np.array_equal(epochs[0], epochs[1])
    np.testing.assert_array_equal(order, minibatches(12, epochs=3, batch=4, seed=0))
    assert not np.array_equal(order, minibatches(12, epochs=3, batch=4, seed=1))


def test_examples_that_do_not_fill_a_batch_are_left_out_of_an_epoch():
    order = minibatches(10, epochs=2, batch=4, seed=0)
    assert order.shape == (4, 4)
    for epoch in order.reshape(2, 8):
        assert len(set(epoch)) == 8


@pytest.mark.parametrize("batch", [0, 11])
def test_a_batch_of_none_or_too_many_is_refused(batch):
    with pytest.raises(ValueError, match=f"batch is {batch}; expected 1 to 10"):
        minibatches(10, epochs=1, batch=batch, seed=0)


def test_what_is_seen_comes_back_in_order():
    order = minibatches(12, epochs=3, batch=4, seed=0)
    seen, (sums, labels) = train(counting, jnp.zeros(12), jnp.arange(12.0), jnp.arange(12), order)
    np.testing.assert_array_equal(seen, np.full(12, 3))
    np.testing.assert_array_equal(labels, order)
    np.testing.assert_allclose(sums, order.sum(axis=1))


@pytest.mark.slow
def test_training_is_gradient_descent_step_by_step():
    data = digits("rows")
    params = init_tanh(jax.random.key(0), 8, 5, 10)
    order = minibatches(9, epochs=1, batch=3, seed=0)
    found, norms = train(partial(update, c=1.0), params, data.train, data.train_labels, order)
    for step, chosen in enumerate(order):
        params, norm = update(params, data.train[chosen], data.train_labels[chosen], 1.0)
        assert norms[step] == pytest.approx(float(norm), rel=1e-5)
    for name in params:
        np.testing.assert_allclose(found[name], params[name], rtol=1e-4, atol=1e-6)


@pytest.mark.slow
def test_accuracy_counts_the_largest_logits():
    params = init_tanh(jax.random.key(0), 8, 5, 10)
    data = digits("rows")
    inputs, labels = data.test[:20], data.test_labels[:20]
    logits = jax.jit(
        jax.vmap(
            lambda image: readout(params, run(tanh_step, params, tanh_state(params), image)[-1])
        )
    )(inputs)
    guessed = np.argmax(logits, axis=1)
    found = jax.jit(partial(accuracy, tanh_step))(params, tanh_state(params), inputs, labels)
    assert found == pytest.approx(np.mean(guessed == labels))


def test_the_digits_are_rows_or_pixels_of_the_same_images():
    rows, pixels, waiting = digits("rows"), digits("pixels"), digits("rows", wait=16)
    assert rows.train.shape == (1437, 8, 8)
    assert rows.test.shape == (TEST, 8, 8)
    assert pixels.train.shape == (1437, 64, 1)
    np.testing.assert_array_equal(rows.train.reshape(1437, 64, 1), pixels.train)
    np.testing.assert_array_equal(waiting.train[:, :8], rows.train)
    assert waiting.train.shape == (1437, 24, 8)
    assert not waiting.train[:, 8:].any()
    assert rows.train.dtype == np.float32
    assert rows.train.min() == 0
    assert rows.train.max() == 1
    assert set(rows.test_labels) == set(range(10))


def test_another_seed_divides_the_digits_in_another_way():
    first, same, other = digits(), digits(seed=0), digits(seed=1)
    np.testing.assert_array_equal(first.test, same.test)
    assert not np.array_equal(first.test, other.test)


def test_what_cannot_be_read_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="order is 'columns'; expected 'rows' or 'pixels'"):
        digits("columns")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="wait is -1"):
        digits(wait=-1)
    real = builtins.__import__

    def without(name, *rest, **more):
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="pip install scikit-learn"):
        digits()


@jax.jit
def update(params, images, labels, c, eta=0.1):
    def loss(params):
        def of_image(image, label):
            return last_loss(tanh_step, params, tanh_state(params), image, label)

        return jnp.mean(jax.vmap(of_image)(images, labels))

    g, norm = clip_by_global_norm(jax.grad(loss)(params), c)
    return jax.tree.map(lambda p, g: p - eta * g, params, g), norm


def accuracies(data, c, epochs, eta=0.1):
    """Of three seeds, with gradients clipped at c."""

    def trained(params, order):
        step = partial(update, c=c, eta=eta)
        params, norms = train(step, params, data.train, data.train_labels, order)
        right = accuracy(tanh_step, params, tanh_state(params), data.test, data.test_labels)
        return right, jnp.max(norms)

    jax.clear_caches()  # training without a clip is chaotic: not one bit may be of other options
    with jax.enable_x64(False):
        run_trained = jax.jit(trained)
        init = jax.jit(lambda key: init_tanh(key, 8, UNITS, 10))
        found = [
            run_trained(init(jax.random.key(seed)), minibatches(len(data.train), epochs, 32, seed))
            for seed in range(3)
        ]
    return np.transpose(found)


@pytest.mark.exhaustive
def test_eight_rows_are_learned_from_three_seeds_without_any_clip():
    right, longest = accuracies(digits("rows"), np.inf, 15)
    assert np.all(right > 0.9)
    assert np.all(longest < 15)


@pytest.mark.exhaustive
def test_after_a_wait_a_clip_decides_whether_three_seeds_learn():
    data = digits("rows", wait=16)
    plain, _ = accuracies(data, np.inf, 20)
    clipped, _ = accuracies(data, 1.0, 20)
    assert np.all(clipped > 0.8)
    # which seed gets how far without a clip is chaotic: other machines' last bits decide it
    assert np.median(plain) < 0.25
    assert np.max(plain) < np.min(clipped) - 0.2


@pytest.mark.exhaustive
def test_after_a_wait_smaller_steps_need_no_clip():
    plain, _ = accuracies(digits("rows", wait=16), np.inf, 20, eta=0.03)
    assert np.median(plain) > 0.75


@pytest.mark.slow
def test_the_norm_that_is_kept_is_the_one_before_the_clip():
    data = digits("rows")
    params = init_tanh(jax.random.key(0), 8, 5, 10)
    moved, norm = update(params, data.train[:4], data.train_labels[:4], 0.01)
    step = jax.tree.map(lambda a, b: (a - b) / 0.1, params, moved)
    assert global_norm(step) == pytest.approx(0.01, rel=1e-3)
    assert norm > 0.1
