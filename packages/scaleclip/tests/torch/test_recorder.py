"""Claims of scaleclip.torch.Recorder, in trainings, and that nothing waits for the device."""

from __future__ import annotations

import math
import pickle
import weakref
from contextlib import nullcontext

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)

from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

from scaleclip.torch import (  # noqa: E402
    Recorder,
    by_layer,
    by_leaf,
    by_module,
    clip_by_global_norm_,
    clip_gradient,
    clip_gradient_norm,
    max_norm_,
    read,
    scale_gradient,
)
from scaleclip.torch.groups import unwrapped  # noqa: E402


def network(seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(
        torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 1)
    )


def backward(model, step):
    """Fill the gradients with those of a step."""
    x = torch.randn(6, 3, generator=torch.Generator().manual_seed(step))
    model.zero_grad()
    (10 * (model(x) - x.sum(1, keepdim=True)) ** 2).mean().backward()


def by_hand(module):
    """The norm of all gradients of a module, in float64 and NumPy."""
    grads = [p.grad.double().numpy().ravel() for p in module.parameters()]
    return float(np.linalg.norm(np.concatenate(grads)))


def one(g, keep=8):
    """A model of one parameter, with a gradient, and its recorder."""
    model = torch.nn.ParameterDict({"w": torch.zeros_like(torch.as_tensor(g))})
    model.w.grad = torch.as_tensor(g)
    return model, Recorder(model, keep=keep)


def test_a_training_is_recorded_and_clipped():
    model, other = network(), network()
    optimizers = [torch.optim.Adam(m.parameters(), 0.01) for m in (model, other)]
    recorder = Recorder(model)
    norms, groups = [], []
    for step in range(30):
        for m in (model, other):
            backward(m, step)
        norm = by_hand(model)
        norms.append(norm)
        groups.append([by_hand(model[n]) for n in (0, 2, 3)])
        returned = recorder.clip_by_global_norm_(30.0)
        assert float(returned) == pytest.approx(norm, rel=1e-6)
        assert float(clip_by_global_norm_(other, 30.0)) == float(returned)
        for p, q in zip(model.parameters(), other.parameters(), strict=True):
            assert torch.equal(p.grad, q.grad)
        for optimizer in optimizers:
            optimizer.step()
    recording = recorder.read()
    np.testing.assert_array_equal(recording.steps, np.arange(1, 31))
    np.testing.assert_allclose(recording.norms, norms, rtol=1e-6)
    np.testing.assert_array_equal(recording.limits, np.full(30, 30.0))
    assert list(recording.groups) == ["0", "2", "3"]
    np.testing.assert_allclose([*recording.groups.values()], np.transpose(groups), rtol=1e-6)
    expected = int(np.sum(np.array(norms) > 30))
    assert 0 < expected < 30
    assert (recording.seen, recording.clipped, recording.nonfinite) == (30, expected, 0)
    assert recording.norms.dtype == recording.limits.dtype == np.float64
    assert recording.steps.dtype == np.int64


def test_recording_alone_leaves_every_bit_of_a_gradient():
    for corner in (1e-45, math.nan, -math.inf, -0.0):
        model, recorder = one([3.0, 4.0, corner])
        before, given = model.w.grad.clone(), model.w.grad
        recorder.clip_by_global_norm_(math.inf)
        assert model.w.grad is given
        assert torch.equal(given.view(torch.int32), before.view(torch.int32))
        recording = recorder.read()
        assert recording.limits.tolist() == [np.inf]
        assert recording.clipped == 0
        assert recording.nonfinite == (not math.isfinite(corner))


def test_of_more_steps_than_are_kept_the_last_are_read_oldest_first():
    model, recorder = one([0.0], keep=4)
    assert recorder.read().steps.tolist() == []
    for step in range(1, 12):
        model.w.grad = torch.tensor([float(step)])
        recorder.clip_by_global_norm_(step / 2 if step > 5 else math.inf)
        recording = recorder.read()
        kept = list(range(max(1, step - 3), step + 1))
        assert recording.steps.tolist() == recording.norms.tolist() == kept
        assert recording.groups["all"].tolist() == kept
    assert recording.limits.tolist() == [4.0, 4.5, 5.0, 5.5]
    assert (recording.seen, recording.clipped) == (11, 6)


def test_nonfinite_steps_are_counted():
    model, recorder = one([0.0, 0.0])
    for bad in (np.nan, np.inf, 1.0):
        for nonfinite in ("propagate", "zero"):
            model.w.grad = torch.tensor([bad, 3.0])
            recorder.clip_by_global_norm_(9.0, nonfinite=nonfinite)
    assert recorder.read().nonfinite == 4
    np.testing.assert_allclose(recorder.read().norms, [np.nan, 3, np.inf, 3, 10**0.5, 10**0.5])
    model.w.grad = torch.tensor([np.nan, 3.0])
    with pytest.raises(FloatingPointError, match="gradient of w has 1 of 2"):
        recorder.clip_by_global_norm_(9.0, nonfinite="raise")
    assert recorder.read().seen == 6


def test_norms_of_groups_neither_overflow_nor_underflow():
    for dtype, sizes in ((torch.float32, (1e30, 1e-30)), (torch.float64, (1e300, 1e-300))):
        for size in sizes:
            model = torch.nn.ParameterDict({name: torch.zeros(1, dtype=dtype) for name in "ab"})
            for name, value in (("a", 3.0), ("b", 4.0)):
                model[name].grad = torch.tensor([value * size], dtype=dtype)
            recorder = Recorder(model)
            assert float(recorder.clip_by_global_norm_(size)) == pytest.approx(5 * size, rel=1e-6)
            np.testing.assert_allclose(recorder.read().groups["all"], [5 * size], rtol=1e-6)
            assert float(model["b"].grad) == pytest.approx(0.8 * size, rel=1e-6)


def test_a_record_is_read_from_a_checkpoint_without_its_model(tmp_path):
    model = network()
    recorder = Recorder(model, keep=3)
    for step in range(5):
        backward(model, step)
        recorder.clip_by_global_norm_(30.0)
    torch.save({"recorder": recorder.state_dict()}, tmp_path / "run.pt")
    stored = torch.load(tmp_path / "run.pt", weights_only=True)["recorder"]
    for state in (stored, pickle.loads(pickle.dumps(recorder.state_dict())), recorder):
        assert repr(read(state)) == repr(recorder.read())
        assert list(read(state).groups) == ["0", "2", "3"]
        assert read(state).steps.tolist() == [3, 4, 5]
    for keep in (2, 9):  # and goes on, in a recorder that keeps fewer or more
        longer = Recorder(model, keep=keep)
        longer.load_state_dict(stored)
        for _ in range(2):
            longer.clip_by_global_norm_(math.inf)
        np.testing.assert_array_equal(longer.read().steps, np.arange(3, 8)[-keep:])
        expected = [*recorder.read().norms, *longer.read().norms[-2:]][-keep:]
        assert longer.read().norms.tolist() == expected
    with pytest.raises(ValueError, match=r"has the groups 0, 2, 3; this recorder has all"):
        one([1.0])[1].load_state_dict(stored)
    for take in (read, recorder.load_state_dict):
        with pytest.raises(ValueError, match=r"it lacks rows, .*it has recorder\. Give the part"):
            take({"recorder": stored})
    model, again = pickle.loads(pickle.dumps((model, recorder)))
    filled(model)
    again.clip_by_global_norm_(1.0)
    assert again.read().seen == 6


@pytest.mark.slow
def test_names_are_those_of_the_model_without_its_wrappers():
    model = network()
    plain, parallel = Recorder(model), torch.nn.Module()
    parallel.module = model  # as DistributedDataParallel does, which needs processes
    for outer in (parallel, torch.compile(model), torch.compile(parallel)):
        recorder = Recorder(outer)
        assert list(recorder.read().groups) == ["0", "2", "3"]
        recorder.load_state_dict(plain.state_dict())
        plain.load_state_dict(recorder.state_dict())
    for prefix in ("module", "_orig_mod", "module/_orig_mod", "_fsdp_wrapped_module"):
        old = plain.state_dict() | {"groups": [f"{prefix}/{name}" for name in ("0", "2", "3")]}
        plain.load_state_dict(old)
        assert list(read(old).groups) == ["0", "2", "3"]
    assert unwrapped(["_functional._torch_params.net/dense/kernel"]) == ["net/dense/kernel"]
    mixed = torch.nn.ModuleDict({"module": network(), "head": network()})
    assert "module/0" in Recorder(mixed, groups=by_layer).read().groups
    _, recorder = one([1.0])
    recorder.load_state_dict(recorder.state_dict() | {"groups": ["module"]})


GROUPS = {
    by_module: ["blocks/0/0", "blocks/0/2", "blocks/0/3", "blocks/1/0", "blocks/1/2", "blocks/1/3"],
    by_layer: ["blocks/0", "blocks/1"],
    lambda path, p: "kernels" if p.dim() > 1 else "rest": ["kernels", "rest"],
}


@pytest.mark.parametrize("groups", GROUPS)
def test_groups_are_named_by_path_and_parameter(groups):
    model = torch.nn.ModuleDict({"blocks": torch.nn.ModuleList([network(), network()])})
    assert list(Recorder(model, groups=groups).read().groups) == GROUPS[groups]
    assert "blocks/1/0/weight" in Recorder(model, groups=by_leaf).read().groups


# The model may change


def filled(model):
    """Give every parameter a gradient of ones, and return the norm of all."""
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    return sum(p.numel() for p in model.parameters()) ** 0.5


def test_a_new_tensor_under_a_known_name_is_recorded_and_clipped():
    model = network()
    recorder, old = Recorder(model), weakref.ref(model[0].weight)
    model[0].weight = torch.nn.Parameter(model[0].weight.detach().clone())
    assert old() is None  # it takes no memory any more
    model[3] = torch.nn.Linear(8, 1)
    expected = filled(model)
    assert float(recorder.clip_by_global_norm_(1.0)) == pytest.approx(expected)
    for parameter in model.parameters():
        torch.testing.assert_close(parameter.grad, torch.ones_like(parameter) / expected)
    assert recorder.read().groups["0"][0] == pytest.approx(32**0.5)


def test_a_parameter_without_a_gradient_or_gone_or_tied_counts_as_zero():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
    recorder = Recorder(model)
    model[2].bias.grad = torch.tensor([2.0, 0.0, 0.0, 0.0])
    recorder.clip_by_global_norm_(1.0)  # the groups without gradients have the norm 0
    assert model[2].bias.grad[0] == 1.0
    assert model[0].weight.grad is None
    model[0].bias = None
    model[1].weight = model[0].weight
    del model[2]
    expected = filled(model)
    assert float(recorder.clip_by_global_norm_(1.0)) == pytest.approx(expected)
    groups = {name: norms.tolist() for name, norms in recorder.read().groups.items()}
    assert groups == {"0": [0.0, 4.0], "1": [0.0, 2.0], "2": [2.0, 0.0]}


def test_a_parameter_with_a_new_name_or_shape_is_refused_by_name():
    model = network()
    recorder = Recorder(model)
    model[0].adapter = torch.nn.Linear(3, 2)
    filled(model)
    with pytest.raises(
        ValueError, match=r"did not have .*: 0\.adapter\.weight, 0\.adapter\.bias\."
    ):
        recorder.clip_by_global_norm_(1.0)
    assert float(model[0].adapter.bias.grad[0]) == 1.0
    del model[0].adapter
    model[3] = torch.nn.Linear(8, 2)
    with pytest.raises(ValueError, match=r"3\.weight was \(1, 8\) and is \(2, 8\), 3\.bias"):
        recorder.clip_by_global_norm_(1.0)
    assert recorder.read().seen == 0


def test_under_a_loss_scaler_what_is_recorded_is_what_is_clipped():
    model = network()
    recorder, optimizer = Recorder(model), torch.optim.SGD(model.parameters(), 1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16)
    for step in range(3):
        optimizer.zero_grad()
        x = torch.randn(8, 3, generator=torch.Generator().manual_seed(step))
        scaler.scale((model(x) ** 2).mean() * (math.inf if step == 1 else 1)).backward()
        scaler.unscale_(optimizer)
        norm = by_hand(model)
        recorder.clip_by_global_norm_(1e-3)
        if step != 1:
            assert recorder.read().norms[-1] == pytest.approx(norm, rel=1e-5)
            assert by_hand(model) == pytest.approx(1e-3, rel=1e-5)
        scaler.step(optimizer)
        scaler.update()
    assert (recorder.read().nonfinite, recorder.read().clipped) == (1, 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_compiled_step_records_what_the_plain_one_does():
    recordings = []
    for wrap in (lambda f: f, lambda f: torch.compile(f, backend="eager")):
        torch._dynamo.reset()
        model = network()
        recorder, optimizer = Recorder(model), torch.optim.SGD(model.parameters(), 1e-3)

        def take(x, model=model, recorder=recorder, optimizer=optimizer):
            optimizer.zero_grad()
            (model(x) ** 2).mean().backward()
            recorder.clip_by_global_norm_(0.1)
            optimizer.step()

        take = wrap(take)
        for step in range(4):
            take(torch.randn(6, 3, generator=torch.Generator().manual_seed(step)))
        recordings.append(recorder.read())
    np.testing.assert_allclose(recordings[1].norms, recordings[0].norms, rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Recorder(network().parameters()), TypeError, "model must be a torch.nn.Module, but"),
        (lambda: Recorder(torch.nn.Tanh()), ValueError, "no float or complex parameter"),
        (
            lambda: Recorder(network(), groups=lambda name, p: p.dim()), TypeError,
            "groups returned 2 for '0/weight'; expected a name",
        ),
        (lambda: read([1.0]), TypeError, r"state must be the state_dict\(\) of a Recorder, but"),
        *(
            (lambda keep=keep: Recorder(network(), keep=keep), ValueError, "keep must be a whole number of steps")
            for keep in (0, -1, 2.0, True, None)
        ),
        (lambda: one([1.0])[1].clip_by_global_norm_(-1.0), ValueError, "max_norm must be"),
        (lambda: one([1.0])[1].clip_by_global_norm_("1"), TypeError, "max_norm must be"),
        (
            lambda: one([1.0])[1].clip_by_global_norm_(1.0, nonfinite="drop"), ValueError,
            "nonfinite must be one of .*'skip'",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("nonfinite", ["propagate", "zero", "raise"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_on_a_gpu_nothing_waits_and_nothing_moves(dtype, nonfinite):
    # Fake tensors have a device and no numbers, as those of "meta": what would wait for one raises.
    waits = pytest.raises(Exception, match=r"data.?dependent|_local_scalar_dense|tolist|item")
    with FakeTensorMode(allow_non_fake_inputs=False):
        place = {"device": "cuda", "dtype": dtype}
        model = torch.nn.Sequential(torch.nn.Linear(3, 4, **place), torch.nn.Linear(4, 2, **place))
        recorder = Recorder(model, keep=2)
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter)
        for _ in range(3):
            with waits if nonfinite == "raise" else nullcontext():
                norm = recorder.clip_by_global_norm_(1.0, nonfinite=nonfinite)
                assert norm.device.type == "cuda"
                assert norm.shape == ()
        max_norm_(model, 1.0)
        if nonfinite != "raise":
            recorder.clip_by_global_norm_(torch.ones((), **place), nonfinite=nonfinite)
    x, limit = torch.zeros(4, 3, device="meta", dtype=dtype), torch.ones((), device="meta")
    x.requires_grad_()
    for y in (
        clip_gradient_norm(x, limit, -1), clip_gradient(x, -1.0, limit), scale_gradient(x, limit),
    ):  # fmt: skip
        y.sum().backward()
