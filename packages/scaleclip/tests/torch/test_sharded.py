"""Claims of scaleclip.torch about models that two processes share: they are run in two processes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed here: make frameworks test-frameworks"
)
if not torch.distributed.is_available():
    pytest.skip("This PyTorch is built without torch.distributed.", allow_module_level=True)

from tests.torch.two_processes import kinds, network, train  # noqa: E402

from scaleclip.torch import Recorder, read  # noqa: E402

pytestmark = pytest.mark.slow


close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("case", ["before", "after", "ddp"])
def test_two_processes_record_and_clip_as_one_does(two_processes, case):
    model = network()
    alone = train(model, Recorder(model), slice(8))
    expected = read(alone["record"])
    assert expected.clipped == 3
    for process in two_processes:
        recording = read(process[case]["record"])
        np.testing.assert_allclose(recording.norms, expected.norms, rtol=1e-5)
        assert list(recording.groups) == ["0", "2"]
        for name, norms in recording.groups.items():
            np.testing.assert_allclose(norms, expected.groups[name], rtol=1e-5)
        close(process[case]["grads"], alone["grads"])


@pytest.mark.parametrize("case", ["kinds", "large"])
def test_the_norm_is_that_of_the_whole_for_every_placement(two_processes, case):
    scale = 1.0 if case == "kinds" else 2.0**900
    whole = [torch.ones(2, dtype=torch.double)] + [
        g.to(torch.complex128 if g.is_complex() else torch.float64) * scale for g, _, _ in kinds()
    ]
    expected = torch.stack([(g / scale).abs().square().sum() for g in whole]).sum().sqrt() * scale
    factor = (10.0 if case == "kinds" else 1.0) / expected
    for process in two_processes:
        norm, grads = process[case]["norm"], process[case]["grads"]
        close(norm.double(), expected)
        for given, g in zip(grads, whole, strict=True):
            tolerance = 1e-2 if given.dtype == torch.bfloat16 else 1e-5
            torch.testing.assert_close(given.to(g.dtype), g * factor, rtol=tolerance, atol=1e-30)


def test_there_is_one_reduction_per_mesh_and_not_one_per_parameter(two_processes):
    for process in two_processes:
        assert process["before"]["reductions"] == process["after"]["reductions"] == 1
        # Three meshes, and the sum of the gradient that is held as partial sums.
        assert process["kinds"]["reductions"] == process["large"]["reductions"] == 4


def test_both_processes_act_on_an_entry_that_is_not_finite_in_one(two_processes):
    for process in two_processes:
        seen = process["nonfinite"]
        assert "parameters[1] has 1 of 15 entries" in seen["raise"]
        assert "all gradients have 2" in seen["raise"]
        inf_was_there, nan_was_there = seen["entries"]
        assert (inf_was_there.tolist(), nan_was_there.tolist()) == ([1.0, 0.0], [0.0, 10.0])
        assert torch.isfinite(seen["zero"])


def test_a_gradient_that_one_process_lacks_holds_up_nobody(two_processes):
    full = sum(float(g.abs().double().square().sum()) for g, _, _ in kinds()) + 2
    here = float(torch.arange(10.0, 16.0).square().sum())  # what the second process has of it
    of_it = float(torch.arange(1.0, 16.0).square().sum())
    for process in two_processes:
        assert float(process["missing"]) == pytest.approx((full - of_it + here) ** 0.5, rel=1e-5)


def test_fsdp1_is_refused_with_what_to_use(two_processes):
    for process in two_processes:
        assert len(process["fsdp1"]) == 8
        for error in process["fsdp1"]:
            assert "FullyShardedDataParallel (FSDP1)" in error
            assert "clip_grad_norm_" in error
            assert "fully_shard (FSDP2)" in error
