"""What a recorder does beyond a fixed limit: limits that a run sets itself, parts, skipped steps, updates,
spikes, the whole run."""

from __future__ import annotations

import io
import math

import jax.numpy as jnp
import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

from tests.torch.test_recorder import backward  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

from scaleclip import ops, probe  # noqa: E402
from scaleclip.probe import adaptive  # noqa: E402
from scaleclip.probe.recording import Culprit  # noqa: E402
from scaleclip.torch import AGC, AutoClip, Recorder, ZClip, read, read_all, sources  # noqa: E402


def network(seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))


def fed(recorder, model, norms, limit=math.inf, **given):
    """Clip gradients of these norms, one a step."""
    for n, norm in enumerate(norms, recorder.seen):
        model.w.grad = torch.tensor([float(norm)])
        recorder.clip_by_global_norm_(limit, **{"tag": 100 + n} | given)


def single(**options):
    model = torch.nn.ParameterDict({"w": torch.zeros(1)})
    return model, Recorder(model, **options)


def reloaded(state):
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


def equal(a, b):
    assert repr(a) == repr(b)
    for name in ("steps", "norms", "limits"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        np.testing.assert_array_equal(getattr(a.history, name), getattr(b.history, name))
        for one, other in zip(a.spikes, b.spikes, strict=True):
            np.testing.assert_array_equal(getattr(one.window, name), getattr(other.window, name))
    assert (a.streak, a.culprit, a.spiked) == (b.streak, b.culprit, b.spiked)


NORMS = np.random.default_rng(0).lognormal(0, 0.3, 150).astype(np.float32)
NORMS[[40, 120]] = 50.0


@pytest.mark.parametrize("limit", [AutoClip(30), ZClip()])
def test_a_live_limit_is_that_of_its_reference_and_resumes_bit_for_bit(limit):
    model, recorder = single()
    fed(recorder, model, NORMS[:70], limit)
    fed(recorder, model, [math.nan, math.inf], limit)  # neither counts
    again = single()
    again[1].load_state_dict(reloaded(recorder.state_dict()))
    fed(recorder, model, NORMS[70:], limit)
    fed(again[1], again[0], NORMS[70:], limit)
    equal(recorder.read(), again[1].read())
    recording = recorder.read()
    if isinstance(limit, AutoClip):
        expected = adaptive.autoclip(NORMS.astype(float), 30)
    else:
        begins, after = map(np.asarray, adaptive.zclip(NORMS))
        expected = np.where(begins < NORMS, after, begins)
    found = np.delete(recording.limits, [70, 71])
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert recording.clipped == np.sum(found < NORMS) + 1 > 1  # and inf
    clipped = model.w.grad.clone()
    recorder.clip_by_global_norm_(AutoClip(50, 3))  # another one begins anew
    assert recorder.read().limits[-1] == float(clipped)


def test_adaptive_clipping_is_that_of_the_operator():
    model = network()
    recorder = Recorder(model)
    backward(model, 0)
    with torch.no_grad():
        model[0].weight[3] = 0.0
    grads, weights = ({n: jnp.array(t.detach().numpy()) for n, t in by.items()} for by in (
        {n: p.grad for n, p in model.named_parameters()}, dict(model.named_parameters())))  # fmt: skip
    expected = ops.clip_adaptively(grads, weights, 0.3, 0.01, layout="out_in")
    before = float(recorder.clip_by_global_norm_(AGC(0.3, 0.01)))
    for name, p in model.named_parameters():
        np.testing.assert_allclose(p.grad, expected[name], rtol=1e-5)
    after = np.sqrt(sum(float(p.grad.square().sum()) for p in model.parameters()))
    recorder.clip_by_global_norm_(AGC(1e9))
    recording = recorder.read()
    np.testing.assert_allclose(recording.limits, [after, math.inf], rtol=1e-6)
    assert (recording.norms[0], recording.clipped) == (pytest.approx(before), 1)
    assert 0 < after < before


def test_a_skipped_step_leaves_weights_moments_and_weight_decay_alone():
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), 0.1, weight_decay=0.5)
    recorder = Recorder(model, updates=optimizer, every=1)
    for step, bad in enumerate([0, 1, 1, 0, 1]):
        backward(model, step)
        if bad:
            model[2].bias.grad.fill_(math.nan)
        before = [t.clone() for p in model.parameters() for t in (p, *optimizer.state[p].values())]
        recorder.clip_by_global_norm_(ZClip(), nonfinite="skip")
        optimizer.step()
        after = [t for p in model.parameters() for t in (p, *optimizer.state[p].values())]
        assert all(map(torch.equal, before, after)) == bool(bad)
    recording = recorder.read()
    assert (recording.skipped, recording.nonfinite, recording.streak) == (3, 3, 2)
    assert recording.culprit == Culprit(2, ("2",))
    assert [*(recording.updates["2"] == 0)] == [False, True, True, False, True]


def test_updates_are_how_far_the_optimizers_move_the_weights():
    model = network()
    kinds = [
        [p for p in model.parameters() if (p.dim() == 2) == kernel] for kernel in (True, False)
    ]
    optimizers = [torch.optim.SGD(kinds[0], 0.1, momentum=0.9), torch.optim.AdamW(kinds[1], 0.1)]
    recorder = Recorder(model, updates=optimizers, every=3, keep=6)
    expected = np.full((3, 8), np.nan)
    for step in range(8):
        backward(model, step)
        before = torch.cat([p.detach().ravel().clone() for p in model[0].parameters()])
        recorder.clip_by_global_norm_(1.0)
        if step == 3:
            assert np.isnan(
                recorder.read().updates["0"][-1]
            )  # a record may be read before the step
        for optimizer in optimizers:
            optimizer.step()
        moved = torch.cat([p.detach().ravel() for p in model[0].parameters()]) - before
        if step % 3 == 0:
            expected[:, step] = moved.norm(), before.norm(), moved.norm() / before.norm()
    recording = recorder.read()
    found = [by["0"] for by in (recording.updates, recording.weights, recording.ratios)]
    np.testing.assert_allclose(found, expected[:, 2:], rtol=1e-5)


def test_updates_are_measured_where_the_optimizer_calls_the_loss():
    model = torch.nn.ParameterDict({"w": torch.full((1,), 4.0)})
    optimizer = torch.optim.SGD(model.parameters(), 0.5)
    recorder = Recorder(model, updates=optimizer, every=1)
    for _ in range(2):
        optimizer.step(lambda: fed(recorder, model, [2.0]))
    assert [*recorder.read().ratios["all"]] == [0.25, 1 / 3]


def test_what_was_clipped_is_what_a_replay_of_the_record_clips():
    model, recorder = single()
    fed(recorder, model, [0.1, 0.2, 0.30000001], 0.1)  # in float32 above 0.1, as is the limit
    recording = recorder.read()
    assert recording.clipped == 2 == 3 * recording.share_clipped()


def test_a_spike_is_found_once_with_its_batch_and_the_steps_before():
    norms = np.ones(200)
    norms[[10, 90, 91, 160]] = 6.0  # too early; one event in two steps
    norms[[89, 150]] = 4.0, math.inf  # not far enough; not finite
    for block in (1, 64, 200):  # however often it is read
        model, recorder = single(keep=5)
        for n in range(0, 200, block):
            fed(recorder, model, norms[n : n + block])
            recording = recorder.read()
        assert [(s.step, s.tag, s.median) for s in recording.spikes] == [
            (91, 190, 1),
            (161, 260, 1),
        ]
        window = recording.spikes[0].window
        np.testing.assert_array_equal(window.steps, np.arange(60, 92))
        np.testing.assert_array_equal(window.groups["all"], norms[59:91])
    fed(recorder, model, np.where(np.arange(400) % 20, 1.0, 9.0))
    recording = recorder.read()
    assert recording.spiked == 22
    np.testing.assert_array_equal([s.step for s in recording.spikes], np.arange(281, 600, 20))
    model, recorder = single(spike=None)
    fed(recorder, model, norms)
    assert recorder.read().spiked is None


def test_the_whole_run_is_kept_evenly_from_its_first_step():
    model, recorder = single(keep=4, history=8)
    for n in range(1, 601, 30):
        fed(recorder, model, range(n, n + 30))
        steps = recorder.read().history.steps
        stride = steps[1] - steps[0]
        np.testing.assert_array_equal(steps, np.arange(1, n + 30, stride))
        assert 4 < len(steps) <= 8
        np.testing.assert_array_equal(recorder.read().history.norms, steps)
    model, shorter = single(history=4)
    shorter.load_state_dict(recorder.state_dict())
    assert shorter.read().history.steps.tolist() == [1, 257, 513]
    first_version = {
        key: recorder.state_dict()[key] for key in ("rows", "counts", "seen", "groups")
    }
    first_version["counts"] = torch.tensor([7, 2])
    for take in (lambda: read(first_version), lambda: shorter.load_state_dict(first_version)):
        take()
    fed(shorter, model, range(601, 1100))
    recording = shorter.read()
    assert (recording.seen, recording.clipped, recording.nonfinite) == (1099, 7, 2)
    np.testing.assert_array_equal(recording.history.norms, [1025])  # what was lost isn't made up


def test_each_part_has_a_norm_a_limit_and_a_record_of_its_own():
    model, other = network(), network()
    kind = lambda path, p: "muon" if p.dim() == 2 else "adamw"
    recorder, again = (Recorder(m, parts=kind) for m in (model, other))
    for step in range(3):
        backward(model, step)
        expected = {
            n: [p.grad.clone() for p in model.parameters() if kind(n, p) == n]
            for n in ("muon", "adamw")
        }
        recorder.clip_by_global_norm_({"muon": lambda step: 0.1 * (step + 1), "adamw": math.inf})
        assert all(
            any(torch.equal(p.grad, g) for g in expected["adamw"])
            for p in model.parameters()
            if p.dim() == 1
        )
    again.load_state_dict(reloaded(recorder.state_dict()))
    for records in (recorder.read_all(), read_all(again.state_dict())):
        assert [*records] == ["muon", "adamw"]
        np.testing.assert_allclose(records["muon"].limits, [0.1, 0.2, 0.3])
        norm = np.sqrt(sum(float(g.square().sum()) for g in expected["muon"]))
        assert records["muon"].norms[-1] == pytest.approx(norm)
        assert (records["muon"].clipped, records["adamw"].clipped) == (3, 0)
    muon = np.sqrt(sum(float(p.grad.square().sum()) for p in model.parameters() if p.dim() == 2))
    assert muon == pytest.approx(0.3)
    with pytest.raises(ValueError, match=r"of muon, adamw; expected one.*read_all"):
        recorder.read()
    with pytest.raises(
        ValueError, match=r"limits for the parts 'muon', but .* are: 'muon', 'adamw'"
    ):
        recorder.clip_by_global_norm_({"muon": 1.0})


def test_sources_are_those_of_jax():
    model = network()
    x = torch.randn(5, 3)
    losses = {"fit": (model(x) - 1).square().mean(), "decay": 0.1 * model[0].weight.square().sum()}
    found = sources(losses, model)
    sum(losses.values()).backward()  # the graph is still there
    params = {
        name: {k: jnp.array(v.detach()) for k, v in model[int(name)].named_parameters()}
        for name in "02"
    }

    def fit(p, x):
        hidden = jnp.tanh(x @ p["0"]["weight"].T + p["0"]["bias"])
        return jnp.mean((hidden @ p["2"]["weight"].T + p["2"]["bias"] - 1) ** 2)

    terms = {"fit": fit, "decay": lambda p, x: 0.1 * jnp.sum(p["0"]["weight"] ** 2)}
    expected = probe.sources(terms, params, jnp.array(x))
    for name in ("values", "products", "whole", "norms", "shares", "cosines"):
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-4, atol=1e-6
        )
    assert repr(found) == repr(expected)
    with pytest.raises(ValueError, match="has no graph"):
        sources({"fit": torch.ones(())}, model)


def test_on_a_gpu_nothing_of_this_waits():
    with FakeTensorMode(allow_non_fake_inputs=False):
        model = torch.nn.Sequential(
            torch.nn.Linear(3, 4, device="cuda"), torch.nn.Linear(4, 2, device="cuda")
        )
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        recorder = Recorder(model, updates=optimizer, every=1)
        for limit in (ZClip(), AutoClip(), AGC(), lambda step: 1.0 / (step + 1)):
            for parameter in model.parameters():
                parameter.grad = torch.ones_like(parameter)
            recorder.clip_by_global_norm_(limit, tag=7)
            optimizer.step()
            recorder.state_dict()
