"""What the fields of the records' cells mean, in the order of a row.

Of a field called a number a seed, the cell has a tuple. Two records have no cells:
``"norm_logs"`` holds ``logs``, by the name of a run its ``norms`` before any clip, what it
``logged`` at each step (the loss, or for ``"policy"`` the mean return) and its ``limit``, empty for
none; and ``spikes``, by optimizer and by what was done, ``[16, 2]``: by seed the share named right
10 to 59 and 200 to 249 steps after a gradient that was 1,000 times too large. ``"torch_at_scale"``
holds ``one_process``, the norm of the whole batch's gradient; ``fsdp`` and ``ddp``, a dict a
process, with norms, the length of a step and the degrees by which it is turned; and ``amp``:
``steps``, each the power of two of the loss scale, the norm of the gradient (a text where it isn't
finite) and whether the weights moved, and ``orders``, a clip after the loss scale is taken out and
before.
"""

from __future__ import annotations

_ARM = "'cap', 'prox' or 'keras'; of 'trained' also 'loss', the penalty in the loss"
_OVER_K = "a number for each K of muzero_half.LENGTHS, in parts of that at K = 1"
_TOTAL = "the norm of the dynamics' whole gradient for losses 1 to k, weighted 1/k, in parts of that at k = 1"

SCHEMAS = {
    "remedies": {
        "arm": "'grid'; 'fine', plain SGD at many rates; or 'median of clip 1' and 'mean of clip 1': "
        "normalised SGD whose every step is as large as that clip's median or mean step, at its rate",
        "remedy": "one of sccbook.models.remedies.REMEDIES",
        "limit": "the remedy's number",
        "optimizer": "one of sccbook.models.remedies.OPTIMIZERS",
        "rate": "the learning rate",
        "right": "the share named right over the last minibatches, a number a seed",
        "median_step": "how far the parameters went in a step, a number a seed",
        "mean_step": "the same, the median over the seeds",
        "longest_step": "the largest step, a number a seed",
        "longest_gradient": "the largest gradient before any clip, the median over the seeds",
        "shortened": "the share of gradients that the clip shortened, the median over the seeds",
        "gain": "the recurrent matrix's largest singular value at the end, the median over the seeds",
    },
    "long_steps": {
        "arm": "SGD at rate 0.1 clipped at 1: 'unchanged'; or with the step of the largest gradient "
        "between steps 100 and 350 changed to go 'against' the gradient, 'uphill' or in a 'random' "
        "direction; or with the step of the median gradient changed, 'ordinary'. Or 'plain', no remedy; "
        "'constant', none at a lower rate; 'decay', none and a rate that falls linearly to 0; 'long "
        "clip' and 'long normalise', 1,200 steps with a clip at 1, or with every step as large as the "
        "limit says",
        "setting": "the length of the changed step, 0 for as large as without the clip; the rate at the "
        "start; of the long arms the limit from step 400 on, which is 1 before",
        "longest": "the length of the changed step, or the largest step, a number a seed",
        "after": "the share right in the 25 minibatches after the changed step, a number a seed; else empty",
        "best": "the largest share right in any 25 minibatches, a number a seed",
        "end": "the share right in the last 50, a number a seed",
    },
    "chaotic_unrolls": {
        "system": "which unroll",
        "length": "how many steps it has",
        "estimator": "'plain', the gradient; 'scale', its lags scaled; 'coin', ended at random; 'cut'; clips of "
        "'each' example, at the 'state' and of the batch, 'global'; 'evolution', forward alone",
        "setting": "the scale, the lags that are kept, or the clip's limit; 0 where there is none",
        "batch": "of how many examples an estimate is the mean",
        "bias": "the mean along the true gradient, minus 1",
        "bias_error": "its standard error",
        "sd": "the root of the trace of an estimate's covariance; lengths are in units of the true gradient's",
        "rmse": "the root of the mean squared distance from the true gradient",
        "right": "the share of estimates with a positive inner product with the true gradient",
        "cosine": "the mean cosine with the true gradient",
        "ends": "the objective after a descent, a number a seed; empty where none was run",
    },
    "matched_clips": {
        "direction": "'plain', the gradient; clipped at one norm, 'global', at one an 'array' or one a unit, "
        "'agc'; 'muon', the polar factor of each matrix",
        "lengths": "'own', or 'equal' where every step is brought to the target's length",
        "target": "the mean length of a step",
        "rate": "what the direction is multiplied by; 0 where lengths are equal",
        "right": "the share named right over the last minibatches, a number a seed",
        "loss": "over the last minibatches, a number a seed",
        "mean_step": "how far the parameters went in a step, a number a seed",
        "longest_step": "the largest step, a number a seed",
        "turn": "the mean angle between the step and the gradient, in degrees, a number a seed",
        "changed": "the share of steps that the clip changes, a number a seed",
    },
    "policy_clips": {
        "surrogate": "one of sccbook.models.policy.SURROGATES",
        "limit": "of a clip of the gradient's norm, 0 for none",
        "optimizer": "one of sccbook.models.policy.OPTIMIZERS",
        "rate": "the learning rate",
        "epochs": "steps on a batch",
        "reward": "in per cent of the best, after the last batch, a number a seed",
        "largest": "the largest ratio of the run, a number a seed",
        "falls": "batches in which the reward fell by more than 10 points, a number a seed",
        "falls_far": "those of them whose largest ratio was above 100, a number a seed",
        "far": "batches whose largest ratio was above 100, a number a seed",
        "stopped": "the mean share of samples past PPO's clip after a batch's last step, a number a seed",
        "clipped": "the share of batches with a gradient larger than 0.3, a number a seed",
    },
    "hidden_lasso.dead": {
        "arm": _ARM,
        "dtype": "'float64' or 'float32'",
        "weights": "how many a column has, which gets no gradient",
        "start": "its norm at first",
        "norms": "after each of the provenance's times",
        "gone": "after how many steps it is exactly 0; 0 if that wasn't seen",
    },
    "hidden_lasso.pushed": {
        "arm": _ARM,
        "push": "how far the column is pushed outwards before each constraint, in units of epsilon",
        "norm": "in the end, in units of epsilon",
    },
    "hidden_lasso.trained": {
        "arm": _ARM,
        "optimizer": "'sgd' or 'adam'",
        "rate": "its learning rate",
        "epsilon": "0 for 'cap'",
        "zero": "how many columns are exactly 0, a number a seed",
        "faded": "how many are nearly, a number a seed",
        "lost": "the mean norm that columns of silent units have lost, a number a seed",
        "loss": "on all examples, without a penalty, a number a seed",
        "pull": "quartiles, over all seeds, of how far the gradient would move a column that is left "
        "outwards, in units of epsilon; empty where none is left",
    },
    "half_by_depth": {
        "stage": "'tuning' or 'confirmatory'; 'blind_tuning' or 'blind', of the second stage",
        "optimizer": "'sgd', with momentum and L2, or 'adam'",
        "arm": "'off' or 'P'",
        "steps": "K",
        "rate": "the learning rate",
        "first": "the first seed; the others follow",
        "area": "the mean return over the training, a number a seed",
        "late": "over its last fifth",
        "final": "over 512 games of the last networks, played as in training",
        "curve": "the mean return over the seeds, at equal parts of the training",
        "error": "its standard error",
        "broken": "how many seeds end with parameters that aren't finite",
    },
    "half_by_depth_totals": {
        "stage": "'confirmatory' or 'blind'; all measures are medians over the seeds, at the best rate",
        "optimizer": "as in half_by_depth",
        "arm": "as in half_by_depth",
        "steps": "K, which is trained and measured",
        "part": "of the training, 0 to 1",
        "lengths": "k, up to K",
        "own": "what loss k sends to the dynamics through its own step, in parts of what loss 1 does",
        "by_lag": "[K], what a loss sends to the dynamics through the step i before its own, in parts of "
        "what it sends through its own, without a scale",
        "whole": f"at s = 1: {_TOTAL}",
        "whole_low": "its lower quartile",
        "whole_high": "its upper quartile",
        "half": "the same at s = 1/2",
        "half_low": "its lower quartile",
        "half_high": "its upper quartile",
        "bound": "on half where no step's gain is above 1, from each seed's losses' own norms",
        "kept": "the share of seeds whose half is at most the bound",
        "left": "at s = 1 and k = K, the norm of the sum in parts of the norms of all entries of the ledger, added up",
    },
    "muzero_half": {
        "stage": "'tuning', 'confirmatory' or 'exploratory'",
        "task": "one of muzero_half.TASKS",
        "arm": "one of muzero_half.ARMS, or another of the experiment's",
        "rate": "the learning rate",
        "first": "the first seed; the others follow",
        "area": "the mean return over the training, a number a seed",
        "final": "the mean return of the last networks in one game from each start (5 in 'catch', 15 in "
        "'long'), played without noise, a number a seed",
        "late": "the mean return over the last fifth of the training, a number a seed; not in the protocol",
        "curve": "the mean return over the seeds, at equal parts of the training",
        "error": "its standard error",
    },
    "muzero_half_accounts": {
        "stage": "as in muzero_half; all measures are medians over the seeds",
        "task": "as in muzero_half",
        "arm": "as in muzero_half",
        "part": "of the training, 0 to 1",
        "by_lag": "[10], what a loss sends to the dynamics through the step i before its own, in parts of "
        "what it sends through its own, without a scale",
        "gain": "of the first lag",
        "gain_low": "its lower quartile over the seeds",
        "gain_high": "its upper quartile",
        "predicted": f"T(K) at s = 1 from each seed's gain over five lags and its losses' own norms: {_OVER_K}",
        "predicted_half": "the same at s = 1/2",
        "sums": f"of the norms of all entries of the ledger: {_OVER_K}",
        "sums_half": "the same at s = 1/2",
        "totals": f"the norm of the sum of all entries: {_OVER_K}",
        "totals_low": "its lower quartile",
        "totals_high": "its upper quartile",
        "totals_half": "the same at s = 1/2",
        "totals_half_low": "its lower quartile",
        "totals_half_high": "its upper quartile",
        "left": "the norm of the sum in parts of the sum of the norms: what cancellation leaves",
        "left_half": "the same at s = 1/2",
        "held": "the share of seeds whose norm of the sum at K = 10 is 0.5 to 2 times that at 1",
        "held_half": "the same at s = 1/2",
    },
    "muzero_half_pairs": {
        "optimizer": "one of muzero_half.OPTIMIZERS",
        "root": "the weight of the root's loss, 0 or 1",
        "updates": "after so many",
        "network": "its name",
        "apart": "norm(p - r) / norm(p - start), of the parameters under P and R, a number a seed; 0 where "
        "all bits are the same",
    },
}  # fmt: skip
