"""Trainings that Hugging Face's Trainer, Lightning and Accelerate own, clipped and recorded."""

from __future__ import annotations

import doctest
import math

import pytest

for name in ("torch", "transformers", "lightning", "accelerate"):
    pytest.importorskip(
        name, reason=f"{name} is not installed here: make frameworks test-frameworks"
    )

import lightning.pytorch as pl  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from accelerate import Accelerator  # noqa: E402

from scaleclip.torch import read  # noqa: E402
from scaleclip.torch.trainers import accelerate, huggingface, lightning  # noqa: E402
from scaleclip.torch.trainers._clipping import refuse_owner  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

LIMIT = 0.7
X = torch.randn(16, 3, 3, generator=torch.Generator().manual_seed(1))


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))


def loss(model, x):
    return ((model(x).float() - x.sum(1, keepdim=True)) ** 2).mean()


# Each trains for some epochs; it returns the norms that the library tells, the model, what recorded.


def by_hugging_face(folder, clip=None, micro=1, epochs=1, resume=None, **config):
    torch.manual_seed(0)
    sizes = {"vocab_size": 9, "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1}
    model = transformers.BertForSequenceClassification(transformers.BertConfig(**sizes, **config))
    args = transformers.TrainingArguments(
        folder, num_train_epochs=epochs, max_grad_norm=LIMIT, gradient_accumulation_steps=micro,
        learning_rate=0.1, optim="sgd", lr_scheduler_type="constant", save_strategy="epoch",
        logging_steps=1, report_to=[], use_cpu=True, disable_tqdm=True,
    )  # fmt: skip
    data = [
        {"input_ids": row % 9, "labels": row.sum() % 2} for row in torch.arange(256).view(64, 4)
    ]
    trainer = transformers.Trainer(model, args, train_dataset=data, callbacks=clip and [clip])
    try:
        trainer.train(resume_from_checkpoint=resume)
    finally:
        assert args.max_grad_norm == LIMIT
    return [h["grad_norm"] for h in trainer.state.log_history if "loss" in h], model, clip


class Module(pl.LightningModule):
    def __init__(self, parts=1, **options):
        super().__init__()
        self.parts = torch.nn.ModuleList(network() for _ in range(parts))
        self.options, self.automatic_optimization = options, parts == 1

    def training_step(self, x, _):
        whole = sum(loss(part, x[0]) for part in self.parts)
        if not self.automatic_optimization:
            self.manual_backward(whole)
            for optimizer in self.optimizers():
                optimizer.step()
                optimizer.zero_grad()
        return whole

    def configure_optimizers(self):
        return [torch.optim.SGD(part.parameters(), 0.1, **self.options) for part in self.parts]


def by_lightning(folder, *clips, micro=1, epochs=1, resume=None, module=None, **options):
    module, end, norms = module or Module(), folder / "last.ckpt", []
    tell = pl.callbacks.LambdaCallback(
        on_before_optimizer_step=lambda _, module, __: norms.append(
            float(pl.utilities.grad_norm(module, 2)["grad_2.0_norm_total"])
        )
    )
    options = {"gradient_clip_val": LIMIT, **options}
    trainer = pl.Trainer(
        accelerator="cpu", default_root_dir=folder, callbacks=[tell, *clips], logger=False,
        accumulate_grad_batches=micro, enable_progress_bar=False, enable_model_summary=False,
        enable_checkpointing=False, **options,
    )  # fmt: skip
    try:
        for trainer.fit_loop.max_epochs in range(2 if resume else 1, epochs + 1):
            trainer.fit(module, torch.utils.data.DataLoader(X), ckpt_path=resume and end)
    finally:
        assert trainer.gradient_clip_val == options["gradient_clip_val"]  # again
    trainer.save_checkpoint(end)
    return norms, module, *clips


def by_accelerate(folder, options=None, micro=1, epochs=1, resume=None, scaled=False):
    accelerator, model = Accelerator(cpu=True, gradient_accumulation_steps=micro), network()
    if scaled:  # as on a GPU: Accelerate itself refuses float16 on a CPU
        accelerator.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        accelerator.native_amp, accelerator.state._mixed_precision = True, "fp16"
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), 0.1))
    recorder = None if options is None else accelerate.recorded(accelerator, model, **options)
    if resume:
        accelerator.load_state(folder / "state")
    norms = []
    for x in X.repeat(epochs - bool(resume), 1, 1):
        with accelerator.accumulate(model):
            accelerator.backward(loss(model, x))
            if recorder or accelerator.sync_gradients:  # a recorded training may leave it out
                norms.append(accelerator.clip_grad_norm_(model.parameters(), LIMIT))
            optimizer.step()
            optimizer.zero_grad()
    (options or {}).get("stream", id)(recorder)  # the last step's updates are known now
    accelerator.save_state(folder / "state")
    accelerator.state._reset_state(True)
    return [float(norm) for norm in norms if norm is not None], model, recorder


each_trainer = pytest.mark.parametrize(
    ("train", "make"),
    [
        (by_hugging_face, huggingface.ClipCallback),
        (by_lightning, lightning.ClipCallback),
        (by_accelerate, dict),
    ],
)


@pytest.mark.parametrize("module", [huggingface, lightning, accelerate])
def test_the_examples_run(module):
    assert doctest.testmod(module).failed == 0


@each_trainer
@pytest.mark.parametrize("micro", [1, 2])
def test_norms_and_weights_are_those_of_the_trainers_own_clip(tmp_path, train, make, micro):
    own, model, *_ = train(tmp_path, micro=micro)
    told, recorded_model, record = train(tmp_path, make(), micro=micro)
    assert max(own) > LIMIT
    for norms in (told, record.read().norms):
        assert norms == pytest.approx(own, rel=1e-6)
    mine, its = ([*each.parameters()] for each in (recorded_model, model))
    torch.testing.assert_close(mine, its, rtol=1e-5, atol=1e-6)


@each_trainer
def test_a_resumed_training_has_one_uninterrupted_record(tmp_path, train, make):
    sent, found = [], []
    for epochs, resume in ((2, None), (1, None), (2, True)):
        made = make(stream=lambda recorder: sent.append(recorder.read().seen), updates=True)
        found.append(
            train(tmp_path / str(bool(found)), made, epochs=epochs, resume=resume)[2].read()
        )
    whole, half, resumed = found
    assert resumed.seen == whole.seen == 2 * half.seen
    assert list(resumed.norms) == list(whole.norms)
    assert sent == [*range(1, whole.seen + 1)] * 2  # each step once
    for ratios in whole.ratios.values():
        assert 0 < ratios[0] < 1


def test_a_checkpoint_without_a_record_is_reported(tmp_path):
    by_hugging_face(tmp_path, huggingface.ClipCallback())
    (path,) = tmp_path.glob(f"*/{huggingface.FILE}")
    assert read(torch.load(path)).seen == 8
    args = torch.load(path.with_name("training_args.bin"), weights_only=False)
    assert args.max_grad_norm == LIMIT
    path.unlink()
    with pytest.warns(UserWarning, match="the record begins anew"):
        *_, clip = by_hugging_face(tmp_path, huggingface.ClipCallback(), epochs=2, resume=True)
    assert clip.read().seen == 8
    by_lightning(tmp_path)
    with pytest.warns(UserWarning, match="no record named 'scaleclip'"):
        by_lightning(tmp_path, lightning.ClipCallback(), epochs=2, resume=True)


def test_the_gradients_of_a_scaled_loss_are_recorded_unscaled(tmp_path):
    for options in ({}, {"fused": True}):  # a fused step unscales inside itself
        scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        plugins = [pl.plugins.MixedPrecision("16-mixed", "cpu", scaler)]
        norms = [
            by_lightning(
                tmp_path, lightning.ClipCallback(), module=Module(**options), plugins=each
            )[2].read().norms
            for each in (plugins, [])
        ]  # fmt: skip
        assert norms[0] == pytest.approx(norms[1], rel=0.01)
    norms = [by_accelerate(tmp_path, {}, scaled=scaled)[0] for scaled in (True, False)]
    assert norms[0] == pytest.approx(norms[1], rel=0.01)


def test_two_optimizers_have_a_callback_each(tmp_path):
    clips = (
        lightning.ClipCallback(LIMIT, part="parts.0"),
        lightning.ClipCallback(0.1, part="parts.1"),
    )
    by_lightning(tmp_path, *clips, module=Module(2), gradient_clip_val=None)
    assert [c.read().seen for c in clips] == [16, 16]
    assert [c.read().limits[0] for c in clips] == pytest.approx([LIMIT, 0.1])
    states = torch.load(tmp_path / "last.ckpt")["callbacks"]
    assert list(read(states["scaleclip parts.1"]).norms) == list(clips[1].read().norms)


def other_module(**methods):
    return type("Other", (Module,), methods)()


REFUSED = [
    (lambda f: by_hugging_face(f, huggingface.ClipCallback(nonfinite="zero")), "drop the whole"),
    (lambda f: by_hugging_face(f, huggingface.ClipCallback(stream=lambda _: 1 / 0)), "by zero"),
    (lambda f: by_lightning(f, lightning.ClipCallback(stream=lambda _: 1 / 0)), "by zero"),
    (lambda f: by_lightning(f, lightning.ClipCallback(), gradient_clip_algorithm="value"), "value"),
    (
        lambda f: by_lightning(
            f, lightning.ClipCallback(), module=Module(2), gradient_clip_val=None
        ),
        "2 optimizers move the module",
    ),
    (
        lambda f: by_lightning(
            f,
            lightning.ClipCallback(),
            module=other_module(configure_gradient_clipping=lambda *_, **__: None),
        ),
        r"Other.configure_gradient_clipping",
    ),
    (
        lambda f: by_lightning(
            f,
            lightning.ClipCallback(),
            module=other_module(
                configure_optimizers=lambda own: torch.optim.SGD(own.parts[0][2].parameters())
            ),
        ),
        r"parts.0.0.weight.*aren't the optimizer's",
    ),
    (lambda _: lightning.ClipCallback().read(), "begins with the training"),
    (lambda _: refuse_owner("DEEPSPEED"), "in DeepSpeed"),  # not installed: its name is known
]


@pytest.mark.parametrize(("train", "words"), REFUSED)
def test_what_stops_a_training_leaves_the_trainers_limit(tmp_path, train, words):
    with pytest.raises((ValueError, RuntimeError, ZeroDivisionError), match=words):
        train(tmp_path)


def test_another_limit_replaces_the_trainers_with_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="max_grad_norm = 0.7 is switched off"):
        clip = by_hugging_face(tmp_path, huggingface.ClipCallback(0.5), layer_norm_eps=math.nan)[2]
    assert (clip.read().seen, clip.read().nonfinite) == (8, 8)


def test_accelerate_clips_other_models_as_before(tmp_path):
    accelerator, model, other = Accelerator(cpu=True), network(), network()
    recorder = accelerate.recorded(accelerator, model)
    (loss(model, X[0]) + loss(other, X[0])).backward()
    accelerator.clip_grad_norm_(other.parameters(), LIMIT)
    assert recorder.read().seen == 0
    for parameters in (model[0].parameters(), [*model.parameters(), *other.parameters()], iter(())):
        with pytest.raises(ValueError, match="Clip all of the recorded model's"):
            accelerator.clip_grad_norm_(parameters, LIMIT)
