"""Logs as people have them: the right norms at the right steps, or an error that says where."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest

from scaleclip import probe

RIGHT = {
    "semicolons": ("a.csv", "step;loss;grad_norm\n5;1,0;0.5\n10;0,9;0.7\n"),
    "tabs": ("a.tsv", "step\tgrad_norm\n5\t0.5\n10\t0.7\n"),
    "text of tensors": (
        "a.csv",
        "step,grad_norm\n5,tensor(0.5)\n10,\"tensor(0.7000, device='cuda:0', dtype=torch.float32)\"\n",
    ),
    "text of arrays": ("a.csv", 'step,grad_norm\n5,"Array(0.5, dtype=float32)"\n10,np.float32(0.7)\n'),
    "steps without a norm": ("a.csv", "step,grad_norm\n1,None\n5,0.5\n7,\n10,0.7\n"),
    "JSON lines": ("a.jsonl", '{"step": 5, "grad_norm": 0.5}\n{"step": 7}\n{"step":10,"grad_norm":0.7}\n'),
    "nested JSON lines": (
        "log.txt",
        '{"train": {"grad_norm": 0.5, "global_step": 5}}\n{"train": {"grad_norm": "0.7", "global_step": 10}}\n',
    ),
    "a JSON list of rows": ("a.json", '[{"it": 1, "step": 5, "grad_norm": 0.5}, {"step": 10, "grad_norm": 0.7}]'),
    "a JSON dict of lists": ("a.json", '{"iteration": [5, 10], "grad_norm": [0.5, 0.7]}'),
    "Hugging Face": (
        "trainer_state.json",
        json.dumps(
            {
                "global_step": 10,
                "log_history": [
                    {"epoch": 0.5, "grad_norm": 0.5, "loss": 2.0, "step": 5},
                    {"epoch": 0.5, "eval_loss": 2.1, "step": 5},
                    {"epoch": 1.0, "grad_norm": 0.7, "loss": 1.0, "step": 10},
                    {"epoch": 1.0, "train_runtime": 1.0, "step": 10},
                ],
            }
        ),
    ),
    "W&B's history": ("a.csv", "_step,train/global_step,train/grad_norm\n0,5,0.5\n1,10,0.7\n"),
    "W&B's export": (
        "a.csv",
        '"Step","run - train/grad_norm","run - train/grad_norm__MIN","run - train/grad_norm__MAX"\n'
        '"5","0.5","0.5","0.5"\n"7","","",""\n"10","0.7","0.7","0.7"\n',
    ),
    "Lightning": ("metrics.csv", "epoch,grad_norm,step,val_loss\n0,0.5,5,\n0,,5,1.0\n1,0.7,10.0,\n"),
}  # fmt: skip


@pytest.mark.parametrize("kind", RIGHT)
def test_a_log_gives_its_norms_at_its_steps(kind, tmp_path):
    name, text = RIGHT[kind]
    (tmp_path / name).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = probe.load(tmp_path / name)
    assert (found.steps.tolist(), found.norms.tolist()) == ([5, 10], [0.5, 0.7])


@pytest.mark.parametrize(
    ("rows", "warned", "steps", "norms"),
    [
        (
            "15,\n10,0.7\n7,0.6\n5,0.5\n", "steps fall from 10 to 5; they are turned round",
            [5, 7, 10], [0.5, 0.6, 0.7],
        ),
        (  # a resumed run
            "10,1\n20,2\n30,3\n20,4\n30,5\n30,6\n", r"line 5: the step goes from 30 to 20.*3 earlier ones are left",
            [10, 20, 30], [1, 4, 6],
        ),
    ],
)  # fmt: skip
def test_rows_out_of_order_are_put_right_and_it_is_said(tmp_path, rows, warned, steps, norms):
    (tmp_path / "a.csv").write_text(f"step,grad_norm\n{rows}")
    with pytest.warns(UserWarning, match=warned):
        found = probe.load(tmp_path / "a.csv")
    assert (found.steps.tolist(), found.norms.tolist()) == (steps, norms)


def test_inf_and_nan_are_steps_that_are_not_finite(tmp_path):
    (tmp_path / "a.csv").write_text("step,grad_norm\n1,inf\n2,nan\n3,1.5\n")
    found = probe.load(tmp_path / "a.csv")
    np.testing.assert_array_equal(found.norms, [math.inf, math.nan, 1.5])
    assert found.nonfinite == 2


def test_without_steps_rows_are_numbered_and_a_gap_is_counted(tmp_path):
    (tmp_path / "a.csv").write_text("grad_norm\n1.0\n\n2.0\n")
    assert probe.load(tmp_path / "a.csv").steps.tolist() == [1, 3]
    assert probe.load([1.0, None, "tensor(2.0)"]).steps.tolist() == [1, 3]
    (tmp_path / "a.json").write_text("[1.0, null, 2.0]")
    assert probe.load(tmp_path / "a.json").norms.tolist() == [1, 2]


WRONG = {
    "step,grad_norm\n1,0.5\n2,high\n": r"a\.csv, line 3, column 'grad_norm': 'high' isn't a number",
    "step;grad_norm\n1;0,5\n": r"line 2, column 'grad_norm': '0,5' isn't a number.*decimals with a point",
    "step,grad_norm\n1,-0.5\n": r"line 2, column 'grad_norm': '-0\.5' is negative",
    "step,grad_norm\n,0.5\n": r"line 2, column 'step': '' isn't the number of a step",
    "step,grad_norm\n1.5,0.5\n": r"line 2, column 'step': '1\.5' isn't the number of a step",
    "step,grad_norm\n": r"has a heading, step, grad_norm, and no rows",
    "step,grad_norm\n1,\n": r"has no number in the column 'grad_norm'",
    "1,0.5\n2,0.7\n": r"has no heading: its first row is 1, 0\.5",
    "step,grad_norm\n1,0.5,3\n": r"line 2: has 3 cells, but the heading has 2",
    "grad_norm,grad_norm\n1,2\n": r"two columns 'grad_norm'",
    "a/step,b/step,grad_norm\n1,2,3\n": r"2 columns of steps: 'a/step', 'b/step'.*step=",
    "": "is empty",
    '{"step": 1, "grad_norm": 0.5}\n{"step": 2, "grad': "line 2: isn't a JSON object",
    '[{"grad_norm": 0.5},': r"line 1: isn't JSON",
    '{"grad_norm": [[1], [2]]}': r"entry 0, column 'grad_norm': \[1\] isn't a number",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_read_is_refused_with_its_place(text, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=WRONG[text]):
        probe.load(tmp_path / "a.csv")


def test_the_column_of_steps_may_be_named(tmp_path):
    (tmp_path / "a.csv").write_text("a/step,b/step,grad_norm\n1,2,3\n")
    assert probe.load(tmp_path / "a.csv", step="b/step").steps.tolist() == [2]
    with pytest.raises(ValueError, match=r"has no 'c'\. Its columns are 'a/step'"):
        probe.load(tmp_path / "a.csv", step="c")
