"""What holds for all of the book's figures: programs, words, questions, and weight.

A figure's own file has its mathematics. In the tables here settings that aren't named are those a
figure starts with, and "…" in a sentence stands for what is left out.
"""

import json
import re

import pytest
from tests.book_figures import made, shown
from tests.figure_settings import anywhere, assert_page_agrees, ends

from explorax.words.template import fill
from sccbook import figures
from sccbook.figures.jacobian_products.figure import EXPLODES, GROWS_FIRST

pytestmark = pytest.mark.slow

OF_DATA = ("ClipCorners",)
"""Figures of a record, which have tests of their own."""

NAMES = [name for name in dir(figures) if name not in OF_DATA]
TURN = {"a": (0.72, 0.54), "b": (-0.54, 0.72)}

SENTENCES = [
    ("CappedColumns", {}, "Columns above c = 2: 5 of 8.…"),
    ("CappedColumns", {"cap": 3.4}, "No column is above c = 3.4, so none is changed."),
    ("CappedColumns", {"by": "rows"}, "Rows above c = 2: 2 of 2.…column 7 keeps 55 % of its norm and turns by 9°."),
    ("CappedColumns", {"by": "all"}, "The norm of all weights, 6.5, is cut to c = 2.…to 31 % of its norm."),
    ("Cliff", {}, "…Plain step 4 is a leap of 1.08…longer than 0.1. Over…0.346 on average, and 0.171 with the clip."),
    ("Cliff", {"start": (5.25, -2.768)}, "…The first plain step is a leap of 1.22…0.078 on average, and 0.192 with the clip."),
    ("Cliff", {"start": (5.25, -2.778)}, "…The first plain step is 0.179 long…no clipped step is longer than…"),
    ("Cliff", {"start": (6.0, -2.0)}, "…both descents are the same…"),
    ("Cliff", {"start": (5.25, -2.768), "c": 1.1}, "…even a clipped step is 1.1 long…"),
    ("Cliff", {"c": 10.0}, "No gradient is larger than c = 10,…"),
    ("ClippedCloud", {}, "Clipping by norm leaves …"),
    ("ClippedCloud", {"by": "value"}, "Clipping by value leaves …"),
    ("ClippedCloud", {"c": 20.0}, "…no gradient is clipped…"),
    ("ClippedCloud", {"c": 20.0, "by": "value"}, "…no gradient is clipped…"),
    ("ClippedCloud", {"c": 0.0}, "…nothing is left…"),
    ("ClippedCloud", {"c": 0.0, "by": "value"}, "…nothing is left…"),
    ("GrowthOnTheWay", {"c": 10.0}, "Neither gradient is above c = 10. After 20 steps A’s is 8.36, 17 times as large…"),
    ("GrowthOnTheWay", {"c": 1.6}, "Example A’s gradient is cut back to 1.6 at 11 of the 20 states; B’s passes unchanged. "
     "At the end A’s is 3.2 times as large as B’s; without the clip, 17 times."),
    ("GrowthOnTheWay", {"c": 0.4}, "Example A’s gradient is cut back to 0.4 at 15 of the 20 states, B’s at 3. At the end…"),
    ("GrowthOnTheWay", {"back": 14}, "14 of 20 steps back, A’s gradient is 1.60 and B’s 0.47. So far A’s has been cut back "
     "at 5 states, B’s at none."),
    ("JacobianProducts", {**GROWS_FIRST, "scale": 0.5}, "…so nothing grows…"),
    ("JacobianProducts", {**GROWS_FIRST, "scale": 0.0}, "After one step nothing is left."),
    ("JacobianProducts", TURN, "…One step leaves at most 0.90 of any length…The eigenvalues are complex…"),
    ("JacobianProducts", GROWS_FIRST, "…grow at first: up to ×2.20, at k = 5.…"),
    ("JacobianProducts", {"a": (0.6, 0.8), "b": (-0.8, 0.6)}, "…neither vanishes nor grows…"),
    ("JacobianProducts", {"a": (1.0, 0.0), "b": (1.0, 1.0), "k": 24}, "At k = 24 the longest vector has length 24…"),
    ("JacobianProducts", {**EXPLODES, "k": 24}, "At k = 24 the longest vector has length 13.9…"),
    ("LinkedLedger", {}, "…a row adds up to 1.67 losses on average. With more losses the sums approach 2, but…"),
    ("LinkedLedger", {"scale": 0.01}, "…add up to just below 1.01. None gets there…"),
    ("LinkedLedger", {"scale": 0.0}, "…each loss reaches only its own step…"),
    ("LinkedLedger", {"scale": 1.0}, "…there is no bound, because s times the gain is 1…"),
    ("LinkedLedger", {"gain": 2.0, "scale": 0.6}, "…grows geometrically with K, because s times the gain is 1.2…"),
    ("LinkedLedger", {"placement": "off"}, "With no scale and K = 6, a row…"),
    ("LinkedLedger", {"placement": "before_heads", "scale": 0.0}, "…every entry is 0…"),
    ("LinkedLedger", {"cells": "measured"}, "…Adding the sizes in a row gives 1.02 on average; adding the vectors, which partly cancel, gives only 0.55, nearly the same for every s…"),
    ("LossScale", {"start": 40, "interval": 10}, "Overflow skips 13 of 120 steps, 6 of them after the first 20."),
    ("LossScale", {"start": 0, "interval": 10}, "No step is skipped. At 117 steps the scale is too small, and rounding distorts the gradient."),
    ("LossScale", {"start": 16, "interval": 2}, "Overflow skips … of 120 steps, none of them in the first 20."),
    ("LossScale", {"start": 16, "interval": 100}, "No step is skipped, and the scale is never too small."),
    ("LossScale", {"start": 8, "interval": 2}, "Overflow skips …At 6 steps the scale is too small…"),
    ("MeetingStreams", {"c": 1.0}, "The hook adds first, and clips the sum from 2.24 to 1.00. The branch clip "
     "cuts the next step’s gradient first: the two add up to 1.40, turned by 26° towards the heads.…"),
    ("MeetingStreams", {"c": 2.3}, "Neither the sum nor the next step’s gradient is above c = 2.3…"),
    ("MeetingStreams", {"c": 2.2}, "The hook adds first, and clips the sum from 2.24 to 2.20. The next step’s gradient is within c = 2.2…"),
    ("MeetingStreams", {"following": (1.8, -0.6), "heads": (-1.1, 0.9)},
     "The sum is within c = 1, so the hook does nothing. The branch clip cuts…"),
    ("MeetingStreams", {"following": (2.0, 0.0), "heads": (1.0, 0.0)}, "The hook adds first, and clips the sum from 3.00 to 1.00. The branch "
     "clip cuts the next step’s gradient first: the two add up to 2.00, in the same direction.…"),
    ("MeetingStreams", {"following": (-1.8, -0.25), "c": 0.5, "heads": (1.2, 0.45)}, "The hook adds first, and clips the sum from 0.63 to 0.50. "
     "The branch clip cuts the next step’s gradient first: the two add up to 0.80, turned by 133° towards the heads.…"),
    ("MeetingStreams", {"following": (-1.8, 0.4), "c": 0.5, "heads": (0.9, -0.2)}, "The hook adds first, and clips the sum from 0.92 to 0.50. "
     "The branch clip cuts the next step’s gradient first: the two add up to 0.42, pointing the other way.…"),
    ("OptimizerSees", {"divisor": 1.0}, "…The loss isn’t divided…"),
    ("OptimizerSees", {"divisor": 1e3}, "…unchanged to within 2 %…"),
    ("OptimizerSees", {"divisor": 1e6}, "…Adam’s is 49 % of what it was…"),
    ("OptimizerSees", {"divisor": 1e8}, "…shrinks with the loss…"),
    ("ShrinkingColumns", {}, "A column of norm 1 is below the cap of 4, yet it loses 0.01…Weight decay takes 0.095, the exact cap nothing."),
    ("ShrinkingColumns", {"norm": 0.1, "dtype": "float32"}, "…yet it loses 0.0097 to Keras’s MaxNorm.…"),
    ("ShrinkingColumns", {"norm": 0.005}, "A column of norm 0.005 is gone…"),
    ("ShrinkingColumns", {"norm": 2.5, "dtype": "float32"}, "…loses nothing to Keras’s MaxNorm: in float32, 2.5 + 10⁻⁷ is rounded to 2.5.…"),
    ("ShrinkingColumns", {"norm": 10.0}, "…above 4: MaxNorm and the exact cap both cut it to 4. Weight decay takes only 0.95."),
    ("SameThree", {}, "2.4 comes in, above c = 1.2. PPO’s clip sends nothing back, five operations let 1.2 through, the "
     "softcap 1.16, and Muon 1."),
    ("SameThree", {"size": 0.5}, "…The softcap lowers it to 0.473, Muon makes it 1, and the other six leave it unchanged."),
    ("SameThree", {"size": 0.0}, "0 comes in, and all eight let 0 through."),
    ("SpikeMemory", {}, "…m is 1 and √v is 27.9, so Adam’s step is 0.036 times the usual size. "
     "The step is back to half after 5,807 steps.…"),
    ("SpikeMemory", {"beta2": 0.95}, "…0.94 times the usual size. The step is back to half after 190 steps.…"),
    ("SpikeMemory", {"later": 1}, "…m is 90.9 and √v is 31.6, so Adam’s step is 2.9 times…"),
    ("SpikeMemory", {"size": 10.0}, "…0.96 times the usual size. The step never falls below half…"),
    ("SpikeMemory", {"beta2": 0.9}, "…m and √v are as usual again, and so is Adam’s step…"),
    ("SpikeMemory", {"done": "clip"}, "…clipped to 1 before Adam sees it…"),
    ("SpikeMemory", {"done": "skip"}, "…isn’t taken…"),
    ("SpikeMemory", {"done": "clip_update"}, "…step 250 after the spike, m is 1 and √v is 27.9, so Adam’s step is 0.036 times…"),
    ("Tape", {"played": 3}, "Move 3, forward: step 3 computes h₃ = 0.75. The three losses add up to 0.35. Play on, and their gradients fill the boxes below."),
    ("Tape", {"played": 1}, "Move 1, forward: step 1 computes h₁ = 0.60. Its loss is 0.08."),
    ("Tape", {"played": 2}, "Move 2, forward: step 2 computes h₂ = 0.69. Its loss is 0.12."),
    ("Tape", {"played": 4}, "Move 4, back: h₃ gets a gradient of 0.55 from its own loss, and step 3 gives θ a share of 0.17."),
    ("Tape", {"played": 5}, "Move 5, back: h₂ gets a gradient of 0.34 from h₃ and the rest from its own loss. Step 2 gives θ a share of 0.26."),
    ("Tape", {"played": 6}, "Move 6, back: h₁ gets a gradient of 0.61 from h₂ and the rest from its own loss. Step 1 gives θ a share of 0.32."),
    ("Tape", {}, "Each f is tanh(θh); × marks its slope with respect to h. The shares of θ are 0.32, 0.26 and 0.17. Its gradient is their sum, 0.75."),
    ("Tape", {"stopped": "2", "played": 7}, "With θ stopped in step 2, its shares are 0.32, 0.00 and 0.17. Autodiff reports "
     "their sum, 0.49, as the gradient. It’s a surrogate: the slope of the loss is still 0.75."),
    ("Tape", {"x": 0.0, "played": 7}, "With h₀ = 0, every state is 0, and changing θ changes nothing: its gradient is 0. "
     "But changing h₀ changes the loss, with the slope −1.22."),
    ("ThreePlaces", {"token": "scale", "station": "cotangent"}, "MuZero’s place: …their sum, w̄, turns by 35°."),
    ("TwoPaths", {}, "With s = 0.5 the loss falls to 0.0908 in 67 updates, then climbs. It ends at 0.1085, 20 % above the bottom."),
    ("TwoPaths", {"scale": 1.0}, "With s = 1 there is one run, plain gradient descent. It ends at the bottom, 0.0905."),
    ("TwoPaths", {"start": (-0.6, 0.8)}, "From this start, with s = 0.5, the last loss is the lowest. Yet it is 0.1085…"),
    ("TwoPaths", {"start": (0.2, 0.371)}, "From this start the loss climbs…ends at 0.1085…"),
    ("TwoPaths", {"both": True}, "With s = 0.5 on the whole gradient, the updates are smaller and the run ends at the bottom, 0.0905."),
    ("TwoPaths", {"both": True, "scale": 0.05}, "…the updates are so small that after 1,000 the loss is still 0.1014, 12 % above the bottom."),
    ("TwoPaths", {"both": True, "scale": 0.0}, "…nothing moves."),
    ("TwoShards", {}, "Averaged, then clipped, the step’s norm is 1.00. Clipped, then averaged, it’s 0.51, and the step turns "
     "by 36° towards device 2."),
    ("TwoShards", {"one": (-0.2, 0.9), "two": (2.8, -0.7)}, "…it’s 0.51, and the step turns by 36° towards device 1."),
    ("TwoShards", {"c": 3.2}, "Neither gradient is larger than c = 3.2, so both orders give the mean, of norm 1.30."),
    ("TwoShards", {"c": 2.0}, "The mean’s norm is 1.30, within c = 2. Clipped, then averaged, it’s …"),
    ("TwoShards", {"one": (2.4, 1.0), "two": (2.4, 1.0)}, "…the step’s norm is 1.00. Clipped, then averaged, it’s 1.00, in the same "
     "direction."),
    ("TwoShards", {"one": (1.5, 0.0), "two": (-1.0, 0.0)}, "The mean’s norm is 0.25, within c = 1. Clipped, then averaged, it’s "
     "0.00: the two cancel."),
    ("UnrolledFlow", {"scale": 1.0}, "…3.00 losses would send. Every extra step adds to it: s = 1 leaves no bound.…"),
    ("UnrolledFlow", {}, "With s = 0.5 and K = 5, the weights θ receive as much gradient as 1.61 losses would send. With more steps this number approaches 2, but never reaches it.…"),
    ("UnrolledFlow", {"scale": 0}, "…as 1 loss would send: each loss reaches only its own step."),
    ("UnrolledFlow", {"steps": 1}, "…as 1 loss would send: each loss reaches only its own step."),
    ("UnrolledFlow", {"scale": 1.5}, "…It grows geometrically with K, because s = 1.5 is above 1…"),
    ("UnrolledFlow", {"scale": 1.0, "gain": 1.5}, "With s = 1, gain 1.5 and K = 5, the weights θ…because sρ = 1.5 is above 1…"),
    ("UnrolledFlow", {"weights": "1"}, "…8.06 losses would send. That is less than 2 for each of its 5 losses.…"),
    ("UnrolledFlow", {"scale": 1.0, "steps": 6, "clip": True, "limit": 1.2}, "…. The clip at 1.2 keeps 1.53 from it.…"),
    ("UnrolledFlow", {"placement": "before_heads", "scale": 0}, "…θ receive nothing.…"),
    ("UnrolledFlow", {"placement": "off"}, "Without the line, at K = 5, the weights θ receive as much gradient as 3.00…"),
    ("UpdateWeights", {"slot": "off"}, "Without the line, each loss from ℓ₁ on reaches every step up to its own, weighted 1/K.…"),
    ("UpdateWeights", {"slot": "root_heads"}, "Before the root’s heads, the line scales all that…the same as without it.…21."),
    ("UpdateWeights", {"slot": "before_loop"}, "Before the loop, the line scales what the steps send…the same as without it.…21."),
    ("UpdateWeights", {"slot": "every_input"}, "First in the loop, as the paper’s prose says: …get 54 % of the gradient…21."),
    ("UpdateWeights", {"slot": "before_heads"}, "Before the heads, as in several ports, …get 27 % of the gradient, half as much…21."),
    ("UpdateWeights", {"slot": "before_heads", "s": 0.0}, "…with a scale of 0, the dynamics get nothing. The loss stays 21."),
    ("UpdateWeights", {"slot": "after_heads"}, "After the heads, as in the pseudocode, …get 54 % of the gradient. The loss stays 21."),
    ("UpdateWeights", {"slot": "after_loop"}, "After the loop nothing reads h…the same as without it.…21."),
    ("UpdateWeights", {"slot": "after_heads", "s": 1.0}, "A scale of 1 changes nothing…The loss stays 21."),
    ("UpdateWeights", {"slot": "after_heads", "steps": 1}, "With a single step nothing reads h after the heads…"),
]  # fmt: skip

ANSWERS = [
    ("GrowthOnTheWay", "", {}, "about 1.6 times"),
    ("GrowthOnTheWay", "", {"c": 1.6}, "about 3 times"),
    ("GrowthOnTheWay", "", {"c": 10.0}, "17 times"),
    *(
        ("LinkedLedger", "", {"placement": "after_heads", "gain": 1.0, "steps": 10, "scale": s}, at)
        for s, at in ((0.5, 1), (1.0, 3), (0.0, 0), (0.72, 2))
    ),
    ("OptimizerSees", "", {"divisor": 1.0}, 3),
    ("OptimizerSees", "", {"divisor": 1e3}, 3),
    ("OptimizerSees", "", {"divisor": 1e8}, 1),
    ("Cliff", "", {}, 0.179),
    ("Remedies", "", {}, "the longest step"),
    ("SameThree", "", {}, 2),
    ("SpikeMemory", "", {}, 190),
    ("Tape", "", {}, "that of θ"),
    ("Tape", "", {"x": 0.5}, "neither"),
    ("ThreePlaces", "", {}, "only its length"),
    ("TwoPaths", "", {}, "at the bottom"),
    ("TwoPaths", "", {"both": False}, "above it, as before"),
    ("TwoShards", "", {}, 0.068),
    ("UnrolledFlow", "", {}, 1.833),
    ("UnrolledFlow", "", {"steps": 6}, 1.672),
    ("UnrolledFlow", "stop", {}, 1.0),
    ("UnrolledFlow", "stop", {"scale": 1.0}, 3.0),
    ("UnrolledFlow", "gain", {"gain": 1.0}, "the same, 2"),
    ("UnrolledFlow", "gain", {"gain": 1.5}, "a larger one"),
    ("UnrolledFlow", "gain", {}, "none: it grows steadily"),
    ("UnrolledFlow", "gain", {"scale": 1.0}, "none: it doubles each step"),
    ("UpdateWeights", "", {}, 33.333),
]

HIDDEN = [
    ("ClippedCloud", "", "mean turn"),
    ("LossScale", "", "skipped power skips"),
    ("SameThree", "", "curves out case"),
    ("Tape", "", "total case"),
    ("TwoShards", "", "wrong wrong_length turn case"),
]

TABLES = [
    ("JacobianProducts", GROWS_FIRST, 0, ["", "longest", "shortest", "lower bound", "upper bound"]),
    ("JacobianProducts", GROWS_FIRST, 4, ["k = 4", "2.19", "0.0718", "0.656", "4.46"]),
    ("OptimizerSees", {"divisor": 1e6}, 0, ["", "as it was", "now", "share"]),
    ("OptimizerSees", {"divisor": 1e6}, 4, ["Adam", "0.00985", "0.00485", "0.492"]),
    ("UnrolledFlow", {"scale": 0.5, "steps": 3}, -1, ["ℓ₃", "0.25", "0.50", "1.00"]),
]


@pytest.fixture(scope="module", params=NAMES)
def figure(request):
    return made(request.param)


@pytest.mark.exhaustive
def test_the_page_computes_what_jax_does(figure, run_in_node):
    assert_page_agrees(figure, anywhere(figure, 40) + ends(figure), run_in_node)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("ShrinkingColumns", {"norm": 0.1, "dtype": "float32"}),
        ("ShrinkingColumns", {"norm": 2.5}),
        *(("NormLog", {"run": "policy", "by": by}) for by in ("fixed", "autoclip", "zclip")),
    ],
)
def test_the_page_computes_what_jax_does_where_rounding_or_a_zero_decides(
    name, settings, run_in_node
):
    figure = shown(name, **settings)
    assert_page_agrees(figure, [figure.settings], run_in_node)


def test_words_have_no_open_field_at_the_ends_of_the_controls(figure):
    for settings in ends(shown(type(figure).__name__)):
        figure.set(**settings)
        assert "{" not in figure.sentence
    figure = shown(type(figure).__name__)
    values = {**figure.settings, **figure.value, "n": "1", "m": "0", "value": 0.5}
    spec = figure.spec
    for template in (
        *spec.sentences,
        *spec.labels.values(),
        *(p.words for p in spec.parts.values()),
    ):
        assert "{" not in fill(template, values)


def test_a_figure_is_plain_data_and_names_its_import(figure):
    description = json.loads(json.dumps(figure.describe()))
    assert isinstance(figure, getattr(figures, description["name"]))


def test_presets_and_columns_have_names_of_their_own(figure):
    spec = figure.spec
    for names in (
        [p.label for p in spec.presets],
        [head.strip() for head, _ in spec.table.columns],
    ):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "settings", "words"), SENTENCES)
def test_the_sentence_says_what_is_shown(name, settings, words):
    said = shown(name, **settings).sentence.replace("\N{NO-BREAK SPACE}", " ")
    assert re.fullmatch(".*".join(map(re.escape, words.split("…"))), said), said


@pytest.mark.parametrize(("name", "settings", "row", "cells"), TABLES)
def test_the_table_has_the_numbers(name, settings, row, cells):
    assert shown(name, **settings).table()[row] == cells


@pytest.mark.parametrize(("name", "ask", "settings", "answer"), ANSWERS)
def test_a_question_is_answered_by_the_figure(name, ask, settings, answer):
    asked = made(name).spec.asked(ask)
    assert asked
    found = shown(name, **{**asked.settings, **settings}).value[asked.answer]
    if isinstance(answer, str):
        assert asked.options[int(found)] == answer
    else:
        assert found == pytest.approx(answer, abs=5e-4)


@pytest.mark.parametrize(("name", "ask", "hidden"), HIDDEN)
def test_what_tells_the_answer_is_hidden(name, ask, hidden):
    asked = getattr(figures, name)(ask=ask).describe()["prediction"]
    assert set(hidden.split()) <= {*asked["conceals"], asked["answer"]}
