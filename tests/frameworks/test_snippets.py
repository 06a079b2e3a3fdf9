"""What people paste does what the book's operators do, in every library.

Run by ``make test-frameworks``, in the environment that ``make frameworks`` makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

from scaleclip.ops import clip_gradient_norm, max_norm, scale_gradient
from tests.frameworks import clipped, steps, unrolled
from tests.frameworks.adaptive import NORMS, PERCENT
from tests.frameworks.cases import ARGUMENTS, CORNERS
from tests.frameworks.constrained import GRADIENTS, LIMIT, RATE, REST, START
from tests.frameworks.record import differences
from tests.frameworks.run import LIBRARIES, RUN_IN_A_MODEL, SNIPPETS
from tests.frameworks.surrogates import ADVANTAGES, RATIOS

SNIPPET_OF = {name: library.snippet for name, library in LIBRARIES.items() if library.snippet}
PAIRS = [(name, operation) for name in SNIPPET_OF for operation in ARGUMENTS]
NAN, INF = "nan", "inf"
CASES = {"scale_gradient": 70, "clip_norm_at_state": 50}
COMPILED = {"scale_gradient": 4, "clip_norm_at_state": 4}
ROUNDING = {"scale_gradient": 0, "clip_norm_at_state": 4}
"""Units in the last place by which a gradient may differ: a norm is summed in another order."""


@pytest.mark.parametrize("operation", ARGUMENTS)
def test_every_library_has_a_file_for_the_operation(operation: str) -> None:
    files = {file.stem for file in (SNIPPETS / operation).glob("*.py")}
    assert files == set(SNIPPET_OF.values())


@pytest.mark.parametrize(("library", "operation"), PAIRS)
def test_a_snippet_agrees_with_scaleclip_to_rounding(
    results: dict[str, Any], library: str, operation: str
) -> None:
    found = differences(results, library, operation)
    assert found["cases"] == CASES[operation] + COMPILED[operation]
    assert found["value"] == 0
    assert found["gradient"] <= ROUNDING[operation]


def test_sonnets_scale_gradient_is_the_books_but_fails_for_some_formats_in_a_tf_function(
    results: dict[str, Any], told: Callable[[str, str], Any]
) -> None:
    found = differences(results, "Sonnet", "scale_gradient")
    assert found == {"cases": 72, "value": 0, "gradient": 0}
    assert [*told("Sonnet", "failed").values()] == ["TypeError in float64"] * 2
    assert not any(told(library, "failed") for library in SNIPPET_OF)
    abilities = told("Sonnet", "abilities")["scale_gradient"]
    assert [abilities[name] for name in SIXTEEN] == ["yes", "yes", "refused", "refused"]


SIXTEEN = ("float16", "bfloat16", "float16, compiled", "bfloat16, compiled")


@pytest.mark.parametrize(("library", "operation"), PAIRS)
def test_what_may_be_done_with_a_snippet_is_as_the_book_says(
    told: Callable[[str, str], Any], library: str, operation: str
) -> None:
    clips = operation == "clip_norm_at_state"
    expected = dict.fromkeys(("compiled", *SIXTEEN, "vmap", "float32 argument"), "yes")
    expected["forward mode"] = "refused" if clips else "yes"
    if library == "TensorFlow" or (clips and library == "Keras on TensorFlow"):
        expected["forward mode"] = "ignored"
    if clips and library == "Keras on PyTorch":
        expected["vmap"] = "refused"
    if not clips and library in ("TensorFlow", "Keras on TensorFlow"):
        expected["float32 argument"] = "refused"
    if not clips and library == "Keras on JAX":
        expected["float32 argument"] = "float32"
    assert told(library, "abilities")[operation] == expected


@pytest.mark.parametrize("library", RUN_IN_A_MODEL)
def test_a_keras_layer_may_call_a_snippet_and_only_the_keras_scale_takes_a_symbolic_tensor(
    told: Callable[[str, str], Any], library: str
) -> None:
    model = told(library, "Keras model")
    assert [found["in a layer"] for found in model.values()] == ["yes", "yes"]
    symbolic = {operation: found["on a symbolic tensor"] for operation, found in model.items()}
    assert symbolic == {
        "scale_gradient": "refused" if library == "TensorFlow" else "yes",
        "clip_norm_at_state": "ignored" if library == "Keras on PyTorch" else "refused",
    }


def weights_after_one_update(size: float, scale: float, root: float, step: float) -> Any:
    """Return what SGD makes of the weights, with scaleclip's operators in the places that the chapter names."""
    images, actions, values, rewards, policies = unrolled.batch(size)

    def loss(w: Any) -> Any:
        net = unrolled.network(w, jax.numpy.tanh)
        total = 0.0
        *heads, h = net.initial_inference(images)
        for k in range(unrolled.K + 1):
            value, reward, logits = heads
            own = (value - values[:, k]) ** 2 + (reward - rewards[:, k]) ** 2
            own -= (policies[:, k] * jax.nn.log_softmax(logits)).sum(-1)
            total += own.sum() / (unrolled.K if k else 1)
            h = scale_gradient(h, scale if k else 1.0)
            h = clip_gradient_norm(h, step if k else root, axis=-1)
            if k < unrolled.K:
                *heads, h = net.recurrent_inference(h, actions[:, k])
        return total + unrolled.DECAY * sum((a**2).sum() for a in w.values()) / 2

    slopes = jax.grad(loss)(unrolled.WEIGHTS)
    moved = [unrolled.WEIGHTS[name] - unrolled.RATE * slopes[name] for name in unrolled.SHAPES]
    return np.concatenate([np.ravel(array) for array in moved])


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_update_weights_has_the_scale_between_steps_and_its_two_limits_in_two_places(
    told: Callable[[str, str], Any], library: str
) -> None:
    found = told(library, "update_weights")
    for name, size in (("large", unrolled.LARGE), ("small", unrolled.SMALL)):
        as_written = weights_after_one_update(size, 0.5, 5.0, 1.0)
        np.testing.assert_allclose(found[name], as_written, rtol=2e-4, atol=1e-5)
        for other in ((1.0, 5.0, 1.0), (0.5, np.inf, 1.0), (0.5, 5.0, np.inf)):
            differs = np.abs(weights_after_one_update(size, *other) - as_written).max() > 1e-3
            # small gradients are scaled too, and not clipped
            assert differs == (name == "large" or other[0] == 1.0)


ARITHMETIC = {"PyTorch", "Keras on JAX", "Keras on PyTorch", "Keras on TensorFlow"}
"""The libraries whose scale_gradient computes with the value, which is exact where it is finite."""

OF_ALL = {
    "inf in the gradient": [INF, "0.5"],
    "NaN in the gradient": [NAN, "0.5"],
    "inf in the clipped state": [INF, "1.0"],
    "NaN in the clipped gradient": [NAN, NAN],
    "a gradient of 0": ["0.0", "0.0"],
}
OF_SCALECLIP = {
    "inf in the clipped gradient": [NAN, NAN],
    "a gradient of 0, the limit 0": ["0.0", "0.0"],
    "the norm overflows": ["0.6", "0.8"],
    "the norm underflows": ["6e-31", "8e-31"],
}
OF_SNIPPETS = {
    "inf in the clipped gradient": [NAN, "0.0"],
    "a gradient of 0, the limit 0": [NAN, NAN],
    "the norm overflows": ["0.0", "0.0"],
    "the norm underflows": ["3e-30", "4e-30"],
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_corners_and_the_second_derivative_are_as_the_book_says(
    told: Callable[[str, str], Any], library: str
) -> None:
    rules = library not in ARITHMETIC
    expected = {
        "inf in the state": [INF if rules else NAN, "1.0"],
        "-0 in the state": ["-0.0" if rules else "0.0", "1.0"],
        **OF_ALL,
        **(OF_SCALECLIP if library == "scaleclip" else OF_SNIPPETS),
    }
    found = told(library, "corners")
    assert len(found) == (4 if library == "Sonnet" else len(CORNERS))
    shown = {corner: [str(float(f"{e:.3g}")) for e in row] for corner, row in found.items()}
    assert shown == {corner: expected[corner] for corner in found}
    assert told(library, "second derivative") == 0.5**2  # it meets the scale twice


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_accumulated_steps_count_by_tokens_or_unscale_once_and_are_clipped_once(
    told: Callable[[str, str], Any], library: str
) -> None:
    counted = steps.TOKENS[steps.MASK == 1]
    mean = counted.mean(axis=0)  # of all four tokens: not of the micro-batches' means
    norm = np.linalg.norm(mean)
    for limit, found in told(library, "by tokens").items():
        np.testing.assert_allclose(found[:2], -mean * min(1, float(limit) / norm), rtol=1e-5)
        np.testing.assert_allclose(found[2:], [norm] * (len(found) - 2), rtol=1e-6)
    mixed = told(library, "step")  # accumulates, unscales once, clips, and skips what isn't finite
    np.testing.assert_allclose(mixed["long"][:2], (-0.6, -0.8), rtol=1e-5)
    np.testing.assert_allclose(mixed["short"][:2], (-0.15, -0.2), rtol=1e-5)
    assert mixed["infinite"][:2] == [0, 0]
    if library == "PyTorch" or library.startswith("Keras"):  # they halve the loss scale themselves
        assert mixed["infinite"][2] == mixed["long"][2] / 2


def test_a_hook_acts_on_all_that_comes_back_on_a_view_on_that_branch_and_is_lost_if_compiled(
    told: Callable[[str, str], Any],
) -> None:
    assert told("PyTorch", "hooks") == {
        "on h itself": 0.5 * (3 + 2),
        "on a view of h": 3 + 0.5 * 2,
        "on a view of h, returned by a compiled function": 3 + 2,
    }


def test_hook_at_state_on_h_scales_before_the_heads_and_on_a_view_after_them(
    told: Callable[[str, str], Any],
) -> None:
    def river(before: float, after: float) -> Any:
        def total(theta: Any) -> Any:
            h, losses = 1.0, 0.0
            for _ in range(6):
                h = scale_gradient(h + theta, before)
                losses += h / 6
                h = scale_gradient(h, after)
            return losses

        return float(jax.grad(total)(0.0))

    found = told("PyTorch", "hook_at_state")
    assert found["on h itself"] == pytest.approx(river(before=0.5, after=1.0), rel=1e-6)
    assert found["on a view of h"] == pytest.approx(river(before=1.0, after=0.5), rel=1e-6)
    assert found["on a view of h"] == 2 * found["on h itself"] == 1.671875


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_a_cap_lands_where_scaleclips_does_and_takes_nothing_from_weights_within_it(
    told: Callable[[str, str], Any], library: str
) -> None:
    found, w = told(library, "max_norm"), START
    for g, after in zip(GRADIENTS, found["steps"], strict=True):
        w = np.asarray(max_norm(w - RATE * g, LIMIT))
        np.testing.assert_allclose(after, w, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(w, axis=0), [2, 2, 0], rtol=1e-6)
    np.testing.assert_array_equal(np.array(found["rest"], np.float32)[:, 1:], START[:, 1:])
    if "built in" in found:  # but Keras's own does
        lost = 0.1 - np.linalg.norm(found["built in"], axis=0)[1]
        assert 0.5 * REST * 1e-7 < lost < 2 * REST * 1e-7
    # each filter of a convolution has one norm
    filters = np.sqrt(np.sum(np.square(found["filters"]), axis=(0, 1, 2)))
    np.testing.assert_allclose(filters, LIMIT, rtol=1e-6)


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_a_clipped_step_is_the_limit_long_and_its_log_has_the_norm_before(
    told: Callable[[str, str], Any], library: str
) -> None:
    grads = np.array(clipped.GRADIENTS)
    norm = np.linalg.norm(grads)
    found = told(library, "clipped_step")
    for limit in clipped.LIMITS:
        step = found[str(limit)]
        assert step["norm"] == pytest.approx(norm, rel=1e-6)
        np.testing.assert_allclose(step["after"], -grads * min(1, limit / norm), rtol=1e-5)


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_ppo_stops_what_has_gone_as_far_as_its_advantage_asks_and_cispo_limits_its_weight(
    told: Callable[[str, str], Any], library: str
) -> None:
    found = told(library, "policy_clips")
    past = np.where(ADVANTAGES > 0, RATIOS > 1.2, RATIOS < 0.8)
    ppo = np.where(past, 0.0, RATIOS * ADVANTAGES)
    np.testing.assert_allclose(found["ppo"], ppo, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found["cispo"], np.minimum(RATIOS, 1.2) * ADVANTAGES, rtol=1e-6)
    loss, *received = found["far"]  # where the ratio would overflow PPO sends no NaN back
    assert np.isfinite(loss)
    assert received == [0, 0, 0]


@pytest.mark.parametrize("library", SNIPPET_OF)
def test_a_clip_at_a_percentile_clips_at_that_of_the_norms_that_count_so_far(
    told: Callable[[str, str], Any], library: str
) -> None:
    found, counted = told(library, "percentile_clip"), list[float]()
    for norm, length in zip(NORMS, found, strict=True):
        if not np.isfinite(norm):
            assert not np.isfinite(length)
            continue
        if norm == 0:
            assert length == 0
            continue
        counted.append(norm)
        limit = np.percentile(counted, PERCENT, method="lower")
        assert length == pytest.approx(min(norm, limit), rel=1e-5)
